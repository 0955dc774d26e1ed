internal import Synchronization

/// The answer of a server in the same process, whose body comes in pieces.
package struct LocalStream: Sendable {
    private let answer: ServerAnswer
    /// The pieces of the body; `nil` if the answer is not a stream.
    private let pieces: AsyncThrowingStream<[UInt8], any Error>?

    package init(answer: ServerAnswer, pieces: AsyncThrowingStream<[UInt8], any Error>?) {
        self.answer = answer
        self.pieces = pieces
    }

    /// - Throws: ``UnexpectedAnswer`` if the answer is not a stream.
    func open(_ request: ClientRequest, _ limits: SessionClient.Limits) throws -> LiveStream {
        guard let pieces, answer.status == 200 else { throw UnexpectedAnswer(answer: answer, expected: "a stream") }
        return LiveStream(answer, pieces, of: request, limits)
    }
}

extension LiveStream {
    /// Reads the messages in the pieces of an answer's body.
    init(
        _ answer: ServerAnswer, _ pieces: some AsyncSequence<[UInt8], any Error> & Sendable, of request: ClientRequest,
        _ limits: SessionClient.Limits
    ) {
        let (stream, messages) = AsyncStream<Message>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.unreadMessages))
        let broken = BrokenStream()
        let reading = Task {
            defer { messages.finish() }
            var parser = LiveStreamParser(callSite: request.callSite)
            let tooLarge = request.failure(.tooLarge(limit: limits.answerSize))
            do {
                for try await piece in pieces {
                    for message in parser.append(piece) {
                        guard message.data.utf8.count <= limits.answerSize else { throw tooLarge }
                        if case .dropped = messages.yield(message) {
                            throw request.failure(.unread(limit: limits.unreadMessages))
                        }
                    }
                    guard parser.incompleteBytes <= limits.answerSize else { throw tooLarge }
                }
            } catch {
                let reason = error as? RequestFailure ?? request.failure(.disconnected("the stream broke"))
                broken.failure.withLock { $0 = reason }
            }
        }
        messages.onTermination = { _ in reading.cancel() }
        self.init(answer: answer, messages: stream, broken: broken)
    }
}
