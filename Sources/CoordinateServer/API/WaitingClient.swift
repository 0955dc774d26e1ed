internal import CoordinateSessions
internal import MicroHTTPD

/// Whoever waits for an answer, as long as its client is there.
final class WaitingClient: Awaited {
    private let answer: HTTPParkedAnswer

    init(for answer: HTTPParkedAnswer) {
        self.answer = answer
    }

    var isAwaited: Bool { !answer.isOver }
}
