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

    /// Reads the messages of a live stream, with the same limits as over a socket.
    ///
    /// - Throws: ``UnexpectedAnswer`` if the answer is not a stream.
    func open(_ request: ClientRequest, _ limits: SessionClient.Limits) throws -> LiveStream {
        guard let pieces, answer.status == 200 else { throw UnexpectedAnswer(answer: answer, expected: "a stream") }
        let (stream, messages) = AsyncStream<LiveStream.Message>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.unreadMessages))
        let broken = BrokenStream()
        let reading = Task {
            defer { messages.finish() }
            var parser = LiveStreamParser(callSite: request.callSite)
            do {
                for try await piece in pieces {
                    for message in parser.append(piece) {
                        if case .dropped = messages.yield(message) {
                            throw request.failure(.unread(limit: limits.unreadMessages))
                        }
                    }
                }
            } catch {
                let reason = error as? RequestFailure ?? request.failure(.disconnected("the stream broke"))
                broken.failure.withLock { $0 = reason }
            }
        }
        messages.onTermination = { _ in reading.cancel() }
        return LiveStream(answer: answer, messages: stream, broken: broken)
    }
}
