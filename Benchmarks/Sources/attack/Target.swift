import Foundation
import Loopback
import Synchronization

/// The attacked server, from the attackers' side.
final class Target: Sendable {
    /// The address that attacks come from. All others use 127.0.0.1.
    static let attacker = "127.0.0.2"

    /// Harm to clients other than the attacker.
    enum Harm {
        /// A request that failed.
        case refusal
        /// A lost session.
        case loss
        /// Anything else that breaks the server's promises.
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

    /// Creates a connection for the attacker.
    ///
    /// - Parameter window: The size of the system's receive buffer in bytes. `nil` for the system's choice.
    func connect(from origin: String = attacker, window: Int32? = nil) throws -> LoopbackClient {
        try LoopbackClient(port: port, from: origin, window: window)
    }

    /// Repeats something until the attack is over, on a number of threads with one connection each. Replaces a
    /// connection that fails.
    func flood(
        connections: Int, _ attack: @escaping @Sendable (_ number: Int, LoopbackClient) throws -> Void
    ) {
        let group = DispatchGroup()
        for number in 0..<connections {
            group.run {
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
            }
        }
        group.wait()
    }

    /// Repeats a request on a number of connections, and reads the answers.
    func flood(connections: Int, request: @escaping @Sendable (_ number: Int) -> String) {
        flood(connections: connections) { number, client in
            self.count(String(try client.ask(request(number)).status))
        }
    }

    /// Keeps a number of connections open on this thread until the attack is over. Replaces those that the server
    /// closes.
    ///
    /// - Parameters:
    ///   - size: The most bytes that are read from each connection per round.
    ///   - open: The work with a new connection. If it fails, the connection is closed.
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
            // The measurement starts now.
            count("held", opened)
            usleep(50_000)
        }
    }

    /// Gives this thread a low priority, because the attacker represents another machine.
    static func giveWay() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }

    // MARK: Results

    func count(_ answer: String, _ times: Int = 1) {
        counts.withLock { $0[answer, default: 0] += times }
    }

    /// The answers that the attacker got, by their status: `3520 × 200, 12 × 503`.
    var answers: String { counts.withLock { Self.list($0) } }

    /// Records harm to clients other than the attacker.
    func record(_ harm: Harm, _ what: String, _ times: Int = 1) {
        harms.withLock { $0[harm, default: [:]][what, default: 0] += times }
    }

    /// The number of times that an attack caused a kind of harm.
    func number(of harm: Harm) -> Int { harms.withLock { $0[harm, default: [:]].values.reduce(0, +) } }

    /// The harm of one kind in words: `12 × not answered within 2 s`.
    func words(on harm: Harm) -> String { harms.withLock { Self.list($0[harm, default: [:]]) } }

    private static func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }
}

extension DispatchGroup {
    /// Runs work on a new thread as a member of the group.
    func run(_ work: @escaping @Sendable () -> Void) {
        enter()
        Thread {
            work()
            self.leave()
        }.start()
    }
}
