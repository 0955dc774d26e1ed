import Coordinate
import CoordinateSessions
import Logging
import MisbehavingJournal
import SeededGenerator
import Synchronization

/// One random history: a few servers on one store, each with its own misbehaving journal, and clients. All of it runs
/// on one thread, and is the same every time for the same seed.
final class History: Sendable {
    /// One server, for as long as it lives.
    struct Server: Sendable {
        let number: Int
        let journal: MisbehavingJournal
        let registry: SessionRegistry
    }

    static let idleTime = 100
    static let passivationTime = 20
    /// The longest step of the clock, after which every server sweeps.
    static let step = 10
    private static let serverCounts = 2...4
    private static let operationCounts = 15...40
    private static let busyOperationCounts = 40...90

    let seed: UInt64
    let store: SharedStore
    let schedule: PumpedSchedule
    let ledger: Ledger
    private let generator: Mutex<SeededGenerator>
    private let laneClock: Mutex<(time: ContinuousClock.Instant, generator: SeededGenerator)>
    private let app: HostedApp
    /// The tasks of requests, by their numbers.
    let tasks = Mutex<[Int: Task<Void, Never>]>([:])
    private let uptime = Mutex(1_000)
    private let servers = Mutex<[Server]>([])
    private let gone = Mutex<Set<Int>>([])
    private let crashed = Mutex<[MisbehavingJournal]>([])
    private let lastServer = Mutex(-1)
    /// Work that takes a while, and the time at which it is done.
    let long = Mutex<[(time: Int, job: @Sendable () -> Void)]>([])
    private let calmness = Mutex(false)

    init(seed: UInt64, isTraced: Bool = false) {
        self.seed = seed
        store = SharedStore()
        schedule = PumpedSchedule(seed: seed &* 0x9E37_79B9)
        ledger = Ledger(isTraced: isTraced)
        generator = Mutex(SeededGenerator(state: seed))
        laneClock = Mutex((.now, SeededGenerator(state: seed ^ 0xA5A5)))
        let turnClock = TurnClock(seed: seed ^ 0x5A5A)
        app = HostedApp(
            TallyApp(), logger: Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() },
            nanoseconds: { turnClock.time })
    }

    /// Whether the history consists mostly of work and timers.
    var isBusy: Bool { seed / 8 % 4 == 2 }

    /// Runs the history. Returns the violations; empty if there are none.
    func run() -> [String] {
        for _ in 0..<random(Self.serverCounts) { addServer() }
        for _ in 0..<random(isBusy ? Self.busyOperationCounts : Self.operationCounts) {
            operate()
            for _ in 0..<random(0...6) { schedule.pump() }
        }
        finish()
        // From now on it only ends what waits for crashed servers.
        defer { for journal in crashed.withLock({ $0 }) { journal.endCalls() } }
        return ledger.state.withLock { $0.violations }
    }

    // MARK: Random choices

    func random(_ range: ClosedRange<Int>) -> Int {
        generator.withLock { Int.random(in: range, using: &$0) }
    }

    func chance(_ one: Int, of many: Int) -> Bool { random(1...many) <= one }

    func random<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[random(0...(elements.count - 1))]
    }

    // MARK: Time

    /// A time for the lanes that advances randomly with each reading.
    private var laneTime: ContinuousClock.Instant {
        laneClock.withLock { clock in
            clock.time += .microseconds(Int.random(in: 0...500, using: &clock.generator))
            return clock.time
        }
    }

    var now: Int { uptime.withLock { $0 } }

    private var clock: SessionClock {
        SessionClock(
            uptime: { self.now }, timestamp: { self.moment(at: self.now) })
    }

    func moment(at uptime: Int) -> Timestamp { Timestamp(seconds: 1_795_253_400 + uptime) }

    /// Advances the clock, and lets every server sweep its idle sessions in time.
    ///
    /// - Parameters:
    ///   - longest: The longest step of the clock.
    ///   - isCalm: Whether work under way is done in between.
    func advance(by seconds: Int, step longest: Int = History.step, isCalm: Bool = false) {
        ledger.trace("\(seconds) seconds pass from \(now)")
        var rest = seconds
        while rest > 0 {
            let step = min(rest, longest)
            rest -= step
            uptime.withLock { $0 += step }
            // Leases expire in less than a step, or no server would ever keep one through a step.
            store.passTime(min(step, 2))
            endLongWork(by: now)
            checkExpiry()
            for server in allServers { server.registry.sweep() }
            if isCalm { while schedule.pump() {} }
        }
    }

    /// Whether no work takes long any more.
    var isCalm: Bool { calmness.withLock { $0 } }

    func calm() {
        calmness.withLock { $0 = true }
    }

    // MARK: Servers

    var allServers: [Server] { servers.withLock { $0 } }

    func isGone(_ server: Int) -> Bool { gone.withLock { $0.contains(server) } }

    private func addServer() {
        let number = lastServer.withLock { number in
            number += 1
            return number
        }
        let journal = MisbehavingJournal(
            store, seed: seed &* 31 &+ UInt64(number), on: schedule,
            rival: { [ledger] head in
                let number = ledger.nextNumber()
                ledger.trace("a rival writes \(number) at \(head.version + 1) of \(ledger.name(head.record.id))")
                return TallyApp().rivalEntry(after: head, number: number, mark: UInt64(number) << 32)
            }, counting: { [ledger] in ledger.count($0.rawValue) })
        let host = SessionHost(
            app: app, journal: journal, clock: clock,
            limits: SessionLimits(
                maximumSessions: 1_000, idleTime: Self.idleTime, passivationTime: Self.passivationTime,
                maximumEvents: 1_000, maximumWork: 2),
            // Work on the caller's thread is interrupted at random.
            scheduler: FairScheduler(
                count: 2, clock: { [weak self] in self?.laneTime ?? .now },
                on: { [schedule] _, work in schedule.soon(work) }),
            executor: schedule,
            encode: { state, _, _ in Picture(NavigationState(of: state)) })
        let server = Server(
            number: number, journal: journal, registry: SessionRegistry(host, running: executor(of: number)))
        servers.withLock { $0.append(server) }
        ledger.trace("server \(number) begins")
    }

    /// Crashes a server with everything under way, and starts another one.
    func crash(_ server: Server) {
        ledger.trace("server \(server.number) crashes")
        server.journal.crash()
        replace(server)
    }

    /// Stops a server in an orderly way, and starts another one.
    func stop(_ server: Server) {
        ledger.trace("server \(server.number) stops")
        server.registry.drain()
        while hasOpenRequests(on: server), schedule.pump() {}
        checkRequests(of: server.number)
        server.registry.releaseAll()
        checkFollowers(of: server)
        server.journal.crash()
        replace(server)
    }

    private func replace(_ server: Server) {
        _ = gone.withLock { $0.insert(server.number) }
        crashed.withLock { $0.append(server.journal) }
        servers.withLock { servers in servers.removeAll { $0.number == server.number } }
        addServer()
    }

    /// Begins a request to a server, whose jobs run in the order of the schedule. A server that has crashed meanwhile does
    /// not answer.
    @discardableResult
    func begin<Value: Sendable>(
        on server: Server, _ body: @escaping @Sendable () async throws(SessionError) -> Value,
        then check: @escaping @Sendable (Result<Value, SessionError>) -> Void
    ) -> Task<Void, Never> {
        Task.immediate(executorPreference: server.registry.host.executor) {
            let result: Result<Value, SessionError>
            do throws(SessionError) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            if !self.isGone(server.number) { check(result) }
        }
    }

    private func hasOpenRequests(on server: Server) -> Bool {
        ledger.state.withLock { state in state.requests.contains { $0.server == server.number && $0.answers == 0 } }
    }

    // MARK: Sightings

    /// Notes what a client sees of a session at a version, which must be committed by now.
    func see(_ route: any EncodedRoute, _ version: Int, of session: SessionID, by: String) {
        guard let picture = route as? Picture else { return }
        if store.version(of: session) ?? -1 < version {
            ledger.violation("\(by) saw version \(version) of \(ledger.name(session)) before it was committed")
        }
        ledger.see(session, version, picture.text, by: by)
    }
}

/// A time by which one turn in fifty is slow, however busy the machine is.
private final class TurnClock: Sendable {
    private let state: Mutex<(time: UInt64, generator: SeededGenerator)>

    init(seed: UInt64) {
        state = Mutex((0, SeededGenerator(state: seed)))
    }

    /// The time, in nanoseconds.
    var time: UInt64 {
        state.withLock { state in
            if Int.random(in: 0..<50, using: &state.generator) == 0 { state.time += 100_000_000 }
            return state.time
        }
    }
}
