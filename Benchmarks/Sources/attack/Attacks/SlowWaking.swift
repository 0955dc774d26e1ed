import Foundation
import Loopback

/// Wakes forks of a long session, and then sends one more request.
struct SlowWaking: Attack {
    static let name = "slow-waking"
    static let summary = "12 requests that wake forks of a session of 60,000 events, and one more from that address"

    /// A separate address: its requests wait only for those of this attack.
    private static let address = "127.0.0.4"
    private static let events = 60_000
    /// The longest time until the last request is answered, even with 503, in seconds.
    private static let bound = 2

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        session = try RacingSession.deep(events: Self.events, on: target.connect(from: Self.address))
    }

    func run() {
        Target.giveWay()
        while !target.isOver {
            do {
                let client = try target.connect(from: Self.address)
                let forks = try (1...13).compactMap { try fork(at: Self.events - $0, on: client) }
                try wake(forks)
                for fork in forks { _ = try client.ask(HTTPText.delete(fork)) }
            } catch {
                target.count("closed")
                usleep(10_000)
            }
        }
    }

    /// Creates a fork and returns its path. `nil` if the server refuses it.
    private func fork(at version: Int, on client: LoopbackClient) throws -> String? {
        let answer = try client.ask(HTTPText.post("/sessions/\(session.id)/forks", #"{"version": \#(version)}"#))
        target.count("\(answer.status) for a fork")
        return answer.header("Location")
    }

    private func wake(_ forks: [String]) throws {
        let clients = try forks.map { fork in
            if fork == forks.last { usleep(50_000) }
            let client = try target.connect(from: Self.address)
            try client.write(HTTPText.get("\(fork)/route"))
            return client
        }
        guard let last = clients.last else {
            usleep(100_000)
            return
        }
        let wait = try last.receive(within: .seconds(Self.bound))
        if wait == nil, !target.isOver { target.record(.fault, "no answer to the next request within \(Self.bound) s") }
        for client in clients.dropLast() { target.count("\(try client.answer().status) for a wake-up") }
    }
}
