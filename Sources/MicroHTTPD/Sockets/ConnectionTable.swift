internal import CEventLoop
internal import Glibc
internal import Synchronization

/// The number of a connection, from 1. Numbers are never reused.
typealias ConnectionID = UInt64

/// The part of a connection that threads other than its worker see.
final class ConnectionEntry: Sendable {
    /// The place of a connection among the limited ones.
    enum Place {
        case none, regular, reserve
    }

    let id: ConnectionID
    /// The socket, which stays open for as long as the entry is in the table.
    let socket: Int32
    /// The address of the client, or of the proxy in front of the server.
    let peer: IPAddress
    /// The number of the worker that serves it.
    let worker: Int
    /// Whether it arrived when all regular places were in use. It gets one answer, which is a refusal except for a
    /// probe.
    let isOnReserve: Bool
    /// The worker's progress on the connection. Only the worker stores it.
    let progress = Atomic<Progress>(Progress())

    fileprivate init(_ id: ConnectionID, socket: Int32, peer: IPAddress, worker: Int, isOnReserve: Bool) {
        self.id = id
        self.socket = socket
        self.peer = peer
        self.worker = worker
        self.isOnReserve = isOnReserve
    }

    /// Whether a request is between its request line and the last byte of its answer.
    var isBusy: Bool { progress.load(ordering: .relaxed).phase != .waiting }

    /// Whether a request has been received and its answer is not completely sent.
    var isAnswering: Bool { [.answering, .sending].contains(progress.load(ordering: .relaxed).phase) }

    /// Whether an answer is being prepared.
    var isWorkedFor: Bool { progress.load(ordering: .relaxed).phase == .answering }
}

/// The open connections, each in a regular place or in the reserve.
///
/// The acceptor adds a connection before its worker gets it. The worker removes it before its socket is closed. So
/// under the table's lock, every socket in the table belongs to its connection, and any thread can shut it down.
///
/// Each client has a share of the regular places. If no place is free, the connection that has been idle longest is
/// closed: one of the same client if that has used up its share, else one of any client.
final class ConnectionTable: Sendable {
    /// A connection with its state at the last check for idleness.
    private struct Row {
        let entry: ConnectionEntry
        var place = ConnectionEntry.Place.none
        var seen = Progress()
        /// The bytes that had arrived by then.
        var bytes: UInt64 = 0
        /// The time of the last activity on the connection.
        var idleSince = ContinuousClock.now
    }

    /// A connection that was between two requests when it was last checked.
    private struct Idle {
        let id: ConnectionID
        let progress: Progress
    }

    private struct State {
        var limits = ConnectionLimits(regular: .max / 4)
        var rows: [ConnectionID: Row] = [:]
        var lastID: ConnectionID = 0
        var countOfWorker: [Int] = []
        var regular = 0
        /// The number of regular places that each client has.
        var shares: [IPAddress: Int] = [:]
        /// The connections in the reserve, the oldest first.
        var reserve: [ConnectionEntry] = []
        /// The connections that may be closed to free a place, the longest idle last: all of them, and those of each
        /// client.
        var idle: [Idle] = []
        var idleOfClient: [IPAddress: [Idle]] = [:]
        var lastLook: ContinuousClock.Instant?
    }

    /// The least time between two searches for idle connections while new ones find no place.
    private static let lookPeriod = Duration.milliseconds(250)

    private let state = Mutex(State())

    func setLimits(_ limits: ConnectionLimits, workers: Int) {
        state.withLock { state in
            state.limits = limits
            state.countOfWorker = Array(repeating: 0, count: workers)
        }
    }

    // MARK: Adding and removing

    /// Adds a connection, and chooses its worker: the one with the fewest connections among those that are not avoided.
    ///
    /// - Parameter avoided: The workers that have been busy for a while. They are chosen only if there are no others.
    /// - Returns: `nil` if the limit on open connections is reached.
    func admit(_ socket: Int32, from peer: IPAddress, avoiding avoided: Set<Int>) -> ConnectionEntry? {
        state.withLock { state in
            guard state.rows.count < state.limits.open else { return nil }
            let isRegular = makeRoom(for: peer, &state)
            state.lastID += 1
            let workers = state.countOfWorker.indices
            let candidates = avoided.count < workers.count ? workers.filter { !avoided.contains($0) } : Array(workers)
            let worker = candidates.min { state.countOfWorker[$0] < state.countOfWorker[$1] } ?? 0
            let entry = ConnectionEntry(
                state.lastID, socket: socket, peer: peer, worker: worker, isOnReserve: !isRegular)
            state.rows[entry.id] = Row(entry: entry)
            state.countOfWorker[worker] += 1
            if isRegular { takeRegular(entry, &state) } else { takeReserve(entry, &state) }
            return entry
        }
    }

    /// Removes a connection. Its worker calls it before the socket is closed.
    func remove(_ entry: ConnectionEntry) {
        state.withLock { state in
            guard let row = state.rows.removeValue(forKey: entry.id) else { return }
            state.countOfWorker[entry.worker] -= 1
            switch row.place {
            case .regular: giveUpRegular(entry, &state)
            case .reserve: state.reserve.removeAll { $0 === entry }
            case .none: break
            }
        }
    }

    /// Finds a regular place for a client. Disconnects an idle connection if necessary.
    ///
    /// - Returns: Whether there is a place.
    private func makeRoom(for peer: IPAddress, _ state: inout State) -> Bool {
        if hasPlace(for: peer, state) { return true }
        if state.idle.isEmpty, state.lastLook.map({ $0.duration(to: .now) >= Self.lookPeriod }) ?? true {
            lookForIdle(&state)
        }
        let isOverShare = state.shares[peer.holder, default: 0] >= state.limits.share && !isUnshared(peer, state)
        guard let leaver = idle(of: isOverShare ? peer.holder : nil, &state) else { return false }
        giveUpRegular(leaver, &state)
        Self.shutDown(leaver)
        return true
    }

    private func hasPlace(for peer: IPAddress, _ state: State) -> Bool {
        state.regular < state.limits.regular
            && (state.shares[peer.holder, default: 0] < state.limits.share || isUnshared(peer, state))
    }

    private func isUnshared(_ peer: IPAddress, _ state: State) -> Bool {
        state.limits.unshared.contains { $0.contains(peer) }
    }

    private func takeRegular(_ entry: ConnectionEntry, _ state: inout State) {
        state.rows[entry.id]?.place = .regular
        state.regular += 1
        state.shares[entry.peer.holder, default: 0] += 1
    }

    private func giveUpRegular(_ entry: ConnectionEntry, _ state: inout State) {
        state.rows[entry.id]?.place = .none
        state.regular -= 1
        let client = entry.peer.holder
        let rest = state.shares[client, default: 1] - 1
        state.shares[client] = rest == 0 ? nil : rest
    }

    /// Puts a connection in the reserve. Disconnects an older one if necessary. Half of the reserve is left to other
    /// clients.
    private func takeReserve(_ entry: ConnectionEntry, _ state: inout State) {
        let others = state.reserve
        state.rows[entry.id]?.place = .reserve
        state.reserve.append(entry)
        let own = others.filter { $0.peer.holder == entry.peer.holder }
        let leaver = own.count >= state.limits.reserve / 2 ? own.first : nil
        guard let leaver = leaver ?? (others.count >= state.limits.reserve ? others.first : nil) else { return }
        state.reserve.removeAll { $0 === leaver }
        state.rows[leaver.id]?.place = .none
        Self.shutDown(leaver)
    }

    /// The connection that has been idle longest, of one client or of all; `nil` if none is idle.
    private func idle(of client: IPAddress?, _ state: inout State) -> ConnectionEntry? {
        while let last = client.map({ state.idleOfClient[$0]?.popLast() }) ?? state.idle.popLast() {
            guard let row = state.rows[last.id], row.place == .regular else { continue }
            if row.entry.progress.load(ordering: .relaxed) == last.progress { return row.entry }
        }
        return nil
    }

    // MARK: Inspecting

    /// Whether a request on any connection is between its request line and the last byte of its answer.
    var isBusy: Bool { state.withLock { $0.rows.values.contains { $0.entry.isBusy } } }

    /// Whether any request has been received whose answer is not completely sent.
    var isAnswering: Bool { state.withLock { $0.rows.values.contains { $0.entry.isAnswering } } }

    /// Whether any answer is being prepared.
    var isWorkedFor: Bool { state.withLock { $0.rows.values.contains { $0.entry.isWorkedFor } } }

    /// The number of connections, and of those whose request is between its line and the last byte of its response.
    var counts: (open: Int, busy: Int) {
        state.withLock { ($0.rows.count, $0.rows.values.count { $0.entry.isBusy }) }
    }

    /// Searches for idle connections if places are scarce. The acceptor calls this about once a second.
    func look() {
        state.withLock { state in
            if state.regular >= state.limits.regular / 2 { lookForIdle(&state) }
        }
    }

    private func lookForIdle(_ state: inout State) {
        let now = ContinuousClock.now
        var found: [(idle: Idle, client: IPAddress, since: ContinuousClock.Instant)] = []
        for id in Array(state.rows.keys) {
            guard var row = state.rows[id] else { continue }
            let progress = row.entry.progress.load(ordering: .relaxed)
            let bytes = cloop_bytes_received(row.entry.socket)
            let isNew = progress != row.seen
            if isNew { (row.seen, row.bytes, row.idleSince) = (progress, bytes, now) }
            state.rows[id] = row
            // A request, or a part of one, may have arrived without being processed yet.
            guard progress.phase == .waiting, row.bytes == bytes, !(isNew && Self.hasUnread(row.entry)) else {
                continue
            }
            found.append((Idle(id: id, progress: progress), row.entry.peer.holder, row.idleSince))
        }
        found.sort { $0.since > $1.since }
        state.idle = found.map(\.idle)
        state.idleOfClient = Dictionary(grouping: found, by: \.client).mapValues { $0.map(\.idle) }
        state.lastLook = now
    }

    private static func hasUnread(_ entry: ConnectionEntry) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(entry.socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    // MARK: Disconnecting

    /// Disconnects the clients of a stuck worker.
    ///
    /// - Parameter spared: A connection that stays; 0 for none.
    /// - Returns: The number of clients that were disconnected.
    func shutDown(servedBy worker: Int, except spared: ConnectionID) -> Int {
        state.withLock { state in
            state.rows.values.count { $0.entry.worker == worker && $0.entry.id != spared && Self.shutDown($0.entry) }
        }
    }

    /// Closes both directions of a connection. Its worker notices that in its next round.
    ///
    /// - Returns: Whether it was connected.
    @discardableResult
    private static func shutDown(_ entry: ConnectionEntry) -> Bool {
        shutdown(entry.socket, Int32(SHUT_RDWR)) == 0
    }
}
