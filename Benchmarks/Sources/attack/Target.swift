import Foundation
import Loopback
import Synchronization

/// The server that is attacked, as its attackers see it.
final class Target: Sendable {
    /// The address that attacks come from; everybody else is at 127.0.0.1.
    static let attacker = "127.0.0.2"

    let port: UInt16
    private let isStopped = Atomic(false)
    private let counts = Mutex<[String: Int]>([:])

    init(port: UInt16) { self.port = port }

    /// Whether the attack is to end.
    var isOver: Bool { isStopped.load(ordering: .relaxed) }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// A connection of the attacker's.
    func connect() throws -> LoopbackClient { try LoopbackClient(port: port, from: Self.attacker) }

    /// Does something over and over, with a connection on each of so many threads, until it is over. A connection that
    /// fails is made anew.
    func flood(connections: Int, _ attack: @escaping @Sendable (_ number: Int, LoopbackClient) throws -> Void) {
        let group = DispatchGroup()
        for number in 0..<connections {
            group.enter()
            Thread {
                Self.giveWay()
                while !self.isOver {
                    do {
                        let client = try self.connect()
                        while !self.isOver { try attack(number, client) }
                    } catch {
                        self.count("closed")
                        usleep(1_000)
                    }
                }
                group.leave()
            }.start()
        }
        group.wait()
    }

    /// Sends a request over and over, on so many connections at once, and reads the answers.
    func flood(connections: Int, request: @escaping @Sendable (_ number: Int) -> String) {
        flood(connections: connections) { number, client in
            self.count(String(try client.ask(request(number)).status))
        }
    }

    /// Has this thread run when no other wants to: the attacker's machine is not the server's.
    static func giveWay() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }

    func count(_ answer: String, _ times: Int = 1) {
        counts.withLock { $0[answer, default: 0] += times }
    }

    /// The answers that the attacker got, by their status: `3520 × 200, 12 × 503`.
    var answers: String {
        counts.withLock { counts in
            counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
        }
    }
}
