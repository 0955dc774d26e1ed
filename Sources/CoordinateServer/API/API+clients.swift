internal import CoordinateSessions
internal import MicroHTTPD

extension API {
    /// Those who share their part of the lanes with whoever sent a request: all that have addresses of one holder.
    func requester(of request: borrowing HTTPRequest) -> Requester {
        Requester(number: client(of: request).holder.number)
    }
}

/// Whoever waits for an answer, as long as its client is there.
final class WaitingClient: Awaited {
    private let answer: HTTPParkedAnswer

    init(for answer: HTTPParkedAnswer) {
        self.answer = answer
    }

    var isAwaited: Bool { !answer.isOver }
}
