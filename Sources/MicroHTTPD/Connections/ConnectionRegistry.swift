internal import Dispatch
internal import Synchronization

/// The open connections, each in its place: a regular one, or one of the reserve.
///
/// A client has a share of the regular places. Where none is left, the connection that has been idle for longest makes
/// way: one of the same client where it has used up its share, else one of any client.
final class ConnectionRegistry: Sendable {
    /// A connection that was between two requests when it was last checked.
    private struct Idle {
        let connection: Connection
        let progress: Progress
    }

    private struct State {
        var limits = ConnectionLimits(regular: .max / 4)
        var connections: [ObjectIdentifier: Connection] = [:]
        var regular = 0
        /// The number of regular places that each client has.
        var shares: [IPAddress: Int] = [:]
        /// The connections in the reserve, the oldest first.
        var reserve: [Connection] = []
        /// The connections that may make way, the longest idle last: all of them, and those of each client.
        var idle: [Idle] = []
        var idleOfClient: [IPAddress: [Idle]] = [:]
        var lastLook: ContinuousClock.Instant?
    }

    /// The least time between two searches for idle connections while new ones find no place.
    private static let lookPeriod = Duration.milliseconds(250)

    private let state = Mutex(State())
    private let openCount = Atomic(0)
    private let openLimit = Atomic(Int.max)

    func setLimits(_ limits: ConnectionLimits) {
        state.withLock { $0.limits = limits }
        openLimit.store(limits.open, ordering: .relaxed)
    }

    /// True where one more connection may be opened.
    var isOpen: Bool { openCount.load(ordering: .relaxed) < openLimit.load(ordering: .relaxed) }

    // MARK: Coming and going

    func insert(_ connection: Connection) {
        openCount.wrappingAdd(1, ordering: .relaxed)
        let isToLook = state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            guard !hasPlace(for: connection, state), state.idle.isEmpty else { return false }
            if let last = state.lastLook, last.duration(to: .now) < Self.lookPeriod { return false }
            state.lastLook = .now
            return true
        }
        if isToLook { lookForIdle() }
        let leaver = state.withLock { place(connection, &$0) }
        leaver?.timeout.withLock { _ = $0.shutDown() }
    }

    /// Gives a new connection a place, and returns the connection that has to make way for it.
    private func place(_ connection: Connection, _ state: inout State) -> Connection? {
        let client = connection.peer.holder
        if hasPlace(for: connection, state) {
            takeRegular(connection, &state)
            return nil
        }
        let isOverShare = state.shares[client, default: 0] >= state.limits.share && !isUnshared(connection, state)
        if let leaver = idle(of: isOverShare ? client : nil, &state) {
            giveUpRegular(leaver, &state)
            takeRegular(connection, &state)
            return leaver
        }
        connection.place = .reserve
        connection.isOnReserve = true
        let others = state.reserve
        state.reserve.append(connection)
        // Half of the reserve is always left to others.
        let own = others.filter { $0.peer.holder == client }
        let leaver = own.count >= state.limits.reserve / 2 ? own.first : nil
        guard let leaver = leaver ?? (others.count >= state.limits.reserve ? others.first : nil) else { return nil }
        state.reserve.removeAll { $0 === leaver }
        leaver.place = .none
        return leaver
    }

    private func hasPlace(for connection: Connection, _ state: State) -> Bool {
        state.regular < state.limits.regular
            && (state.shares[connection.peer.holder, default: 0] < state.limits.share || isUnshared(connection, state))
    }

    private func isUnshared(_ connection: Connection, _ state: State) -> Bool {
        state.limits.unshared.contains { $0.contains(connection.peer) }
    }

    private func takeRegular(_ connection: Connection, _ state: inout State) {
        connection.place = .regular
        state.regular += 1
        state.shares[connection.peer.holder, default: 0] += 1
    }

    private func giveUpRegular(_ connection: Connection, _ state: inout State) {
        connection.place = .none
        state.regular -= 1
        let client = connection.peer.holder
        let rest = state.shares[client, default: 1] - 1
        state.shares[client] = rest == 0 ? nil : rest
    }

    /// The connection that has been idle for longest, of one client or of all; nil where none is idle.
    private func idle(of client: IPAddress?, _ state: inout State) -> Connection? {
        while let last = client.map({ state.idleOfClient[$0]?.popLast() }) ?? state.idle.popLast() {
            let isStill = last.connection.progress.load(ordering: .relaxed) == last.progress
            if isStill, last.connection.place == .regular { return last.connection }
        }
        return nil
    }

    func remove(_ connection: Connection) {
        connection.timeout.withLock { $0.forgetSocket() }
        state.withLock { state in
            guard state.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
            openCount.wrappingSubtract(1, ordering: .relaxed)
            switch connection.place {
            case .regular: giveUpRegular(connection, &state)
            case .reserve: state.reserve.removeAll { $0 === connection }
            case .none: break
            }
            connection.place = .none
        }
    }

    // MARK: Looking at all

    private var all: [Connection] { state.withLock { Array($0.connections.values) } }

    /// True where any request is between its request line and the last byte of its answer.
    var isBusy: Bool {
        state.withLock { $0.connections.values.contains(where: \.isBusy) }
    }

    /// The number of connections, and the number of those with a request between its line and the last byte of its
    /// response.
    var counts: (open: Int, busy: Int) {
        state.withLock { ($0.connections.count, $0.connections.values.count(where: \.isBusy)) }
    }

    /// True where any answer is being made.
    var isWorkedFor: Bool {
        state.withLock { $0.connections.values.contains(where: \.isWorkedFor) }
    }

    /// Closes the connections whose request is overdue, and searches for idle ones where places become scarce.
    func sweep(now: ContinuousClock.Instant, deadline: Duration) {
        for connection in all {
            let progress = connection.progress.load(ordering: .relaxed)
            connection.timeout.withLock { $0.check(progress, now: now, deadline: deadline) }
        }
        if state.withLock({ $0.regular >= $0.limits.regular / 2 }) { lookForIdle() }
    }

    private func lookForIdle() {
        let found = all.compactMap { connection -> (idle: Idle, since: ContinuousClock.Instant)? in
            let progress = connection.progress.load(ordering: .relaxed)
            guard let since = connection.timeout.withLock({ $0.idleSince(progress) }) else { return nil }
            return (Idle(connection: connection, progress: progress), since)
        }.sorted { $0.since > $1.since }.map(\.idle)
        let ofClient = Dictionary(grouping: found) { $0.connection.peer.holder }
        state.withLock { state in
            state.idle = found
            state.idleOfClient = ofClient
            state.lastLook = .now
        }
    }

    /// Closes connections of a worker that is blocked, so that their clients connect to another one.
    ///
    /// - Parameter isIdleOnly: True where connections stay open whose request has begun.
    /// - Returns: The number of connections that were closed.
    func drop(servedBy worker: UInt64, isIdleOnly: Bool) -> Int {
        let stuck = all.filter { $0.worker == worker && !(isIdleOnly && $0.isBusy) }
        return stuck.count { $0.timeout.withLock { $0.shutDown() } }
    }
}

/// A timer that closes connections whose request takes too long.
///
/// A connection is closed at the earliest when its deadline has passed, and at the latest two periods later.
final class ConnectionSweeper {
    private let timer: any DispatchSourceTimer

    init(registry: ConnectionRegistry, deadline: Duration) {
        let period = min(max(deadline / 8, .milliseconds(5)), .seconds(1))
        let nanoseconds = Int(period / .nanoseconds(1))
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "MicroHTTPD.ConnectionSweeper"))
        timer.schedule(deadline: .now(), repeating: .nanoseconds(nanoseconds), leeway: .nanoseconds(nanoseconds / 4))
        timer.setEventHandler { registry.sweep(now: .now, deadline: deadline) }
        timer.activate()
    }

    deinit {
        timer.cancel()
    }
}
