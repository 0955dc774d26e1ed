import Foundation
import Loopback
import Synchronization

/// The server that is attacked.
final class Target: Sendable {
    /// The address that attacks come from; everybody else is at 127.0.0.1.
    static let attacker = "127.0.0.2"

    let port: UInt16
    private let isStopped = Atomic(false)
    private let counts = Mutex<[Int: Int]>([:])

    init(port: UInt16) { self.port = port }

    /// Whether the attack is to end.
    var isOver: Bool { isStopped.load(ordering: .relaxed) }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// A connection of the attacker's.
    func connect() throws -> LoopbackClient { try LoopbackClient(port: port, from: Self.attacker) }

    /// Sends a request over and over, on so many connections at once.
    func flood(_ request: @escaping @Sendable (_ connection: Int) -> String, connections: Int) {
        let group = DispatchGroup()
        for number in 0..<connections {
            group.enter()
            Thread {
                while !self.isOver {
                    guard let client = try? self.connect() else { continue }
                    while !self.isOver, let answer = try? client.ask(request(number)) { self.count(answer.status) }
                }
                group.leave()
            }.start()
        }
        group.wait()
    }

    func count(_ status: Int) {
        counts.withLock { $0[status, default: 0] += 1 }
    }

    /// The answers that the attacker got, by their status: `3520 × 200, 12 × 503`.
    var answers: String {
        counts.withLock { counts in
            counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
        }
    }
}
