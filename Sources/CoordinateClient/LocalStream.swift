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
