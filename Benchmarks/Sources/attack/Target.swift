import Foundation
import Loopback
import Synchronization

/// The server that is attacked, as its attackers see it.
final class Target: Sendable {
    /// The address that attacks come from; everybody else is at 127.0.0.1.
    static let attacker = "127.0.0.2"

    /// What an attack does to clients other than the attacker.
    enum Harm {
        /// A request that failed.
        case refusal
        /// A session that is gone.
        case loss
        /// Anything else that the server promises not to do.
        case fault
    }

    let port: UInt16
    private let isStopped = Atomic(false)
    private let counts = Mutex<[String: Int]>([:])
    private let harms = Mutex<[Harm: [String: Int]]>([:])

    init(port: UInt16) { self.port = port }

    /// Whether the attack should end.
    var isOver: Bool { isStopped.load(ordering: .relaxed) }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    // MARK: Connections

    /// A connection of the attacker's.
    ///
    /// - Parameter window: The size of the system's buffer for what arrives, in bytes. `nil` for the system's choice.
    func connect(from origin: String = attacker, window: Int32? = nil) throws -> LoopbackClient {
        try LoopbackClient(port: port, from: origin, window: window)
    }

    /// Does something over and over, with a connection on each of so many threads, until it is over. Replaces a
    /// connection that fails.
    func flood(
        connections: Int, window: Int32? = nil,
        _ attack: @escaping @Sendable (_ number: Int, LoopbackClient) throws -> Void
    ) {
        let group = DispatchGroup()
        for number in 0..<connections {
            group.run {
                Self.giveWay()
                while !self.isOver {
                    do {
                        let client = try self.connect(window: window)
                        while !self.isOver { try attack(number, client) }
                    } catch {
                        self.count("closed")
                        usleep(1_000)
                    }
                }
            }
        }
        group.wait()
    }

    /// Sends a request over and over, on so many connections at once, and reads the answers.
    func flood(connections: Int, request: @escaping @Sendable (_ number: Int) -> String) {
        flood(connections: connections) { number, client in
            self.count(String(try client.ask(request(number)).status))
        }
    }

    /// Keeps so many connections open on this thread, until it is over. Replaces those that the server closes.
    ///
    /// - Parameters:
    ///   - size: The most bytes that are read of each connection in every round.
    ///   - open: What is done with a new connection. It is closed if that fails.
    func hold(
        connections: Int, window: Int32? = nil, reading size: Int, open: (_ number: Int, LoopbackClient) throws -> Void
    ) {
        Self.giveWay()
        var clients: [LoopbackClient?] = Array(repeating: nil, count: connections)
        while !isOver {
            var opened = 0
            for place in clients.indices where !isOver {
                if let client = clients[place], !client.isClosedByServer(reading: size) { continue }
                clients[place] = nil
                guard let client = try? connect(window: window) else {
                    count("refused")
                    usleep(10_000)
                    continue
                }
                guard (try? open(place, client)) != nil else { continue }
                opened += 1
                clients[place] = client
            }
            // The others are watched from now on.
            count("held", opened)
            usleep(50_000)
        }
    }

    /// Gives this thread a low priority: the attacker's machine is not the server's.
    static func giveWay() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }

    // MARK: What happened

    func count(_ answer: String, _ times: Int = 1) {
        counts.withLock { $0[answer, default: 0] += times }
    }

    /// The answers that the attacker got, by their status: `3520 × 200, 12 × 503`.
    var answers: String { counts.withLock { Self.list($0) } }

    /// Notes harm to clients other than the attacker.
    func note(_ harm: Harm, _ what: String, _ times: Int = 1) {
        harms.withLock { $0[harm, default: [:]][what, default: 0] += times }
    }

    /// The number of times that an attack did harm of a kind.
    func number(of harm: Harm) -> Int { harms.withLock { $0[harm, default: [:]].values.reduce(0, +) } }

    /// The harm of a kind in words: `12 × not answered within 2 s`.
    func words(on harm: Harm) -> String { harms.withLock { Self.list($0[harm, default: [:]]) } }

    private static func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }
}

extension DispatchGroup {
    /// Runs work on a thread of its own, as a member of the group.
    func run(_ work: @escaping @Sendable () -> Void) {
        enter()
        Thread {
            work()
            self.leave()
        }.start()
    }
}
