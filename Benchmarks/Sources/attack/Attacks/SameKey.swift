import Foundation
import Loopback

/// Sends the same event many times at once, like a client with too many retries.
struct SameKey: Attack {
    static let name = "same-key"
    static let summary = "48 connections that post the same event with the same Idempotency-Key at once"

    /// A separate address, because a legitimate client also sends these requests.
    private static let address = "127.0.0.3"
    private static let connections = 48

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        session = try RacingSession.deep(on: target.connect(from: Self.address))
    }

    func run() {
        Target.giveWay()
        var number = 0
        while !target.isOver {
            do {
                let clients = try (0..<Self.connections).map { _ in try target.connect(from: Self.address) }
                while !target.isOver {
                    number += 1
                    try postAtOnce(number, clients)
                    usleep(50_000)
                }
            } catch {
                target.count("closed")
                usleep(10_000)
            }
        }
    }

    private func postAtOnce(_ number: Int, _ clients: [LoopbackClient]) throws {
        let request = HTTPText.post(
            "/events", RacingSession.favorite(number.isMultiple(of: 2)),
            headers: [session.session, "Idempotency-Key: \"\(number)\""])
        for client in clients { try client.write(request) }
        let answers = try clients.map { try $0.answer() }
        for answer in answers {
            target.count("\(answer.status)")
            if answer.status != 200 {
                target.note(.fault, "\(answer.status) \(answer.body.prefix(60)) for an equal key")
            }
        }
        let bodies = Set(answers.filter { $0.status == 200 }.map(\.body))
        if bodies.count > 1 { target.note(.fault, "different answers to equal keys") }
    }
}
