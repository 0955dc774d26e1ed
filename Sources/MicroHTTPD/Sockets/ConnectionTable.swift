internal import Fairness
internal import Glibc
internal import Synchronization

/// The number of a connection, from 1. Numbers are never reused.
typealias ConnectionID = UInt64

/// The part of a connection that threads other than its worker see.
final class ConnectionEntry: Sendable {
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
/// A newcomer for which there is no regular place gets that of the connection that has been idle longest, among those
/// of the client that yields if there is one. If none is idle, it gets a place in the reserve, where the oldest
/// connection yields.
final class ConnectionTable: Sendable {
    /// The clients that share the places.
    private enum Client: Hashable {
        case address(IPAddress)
        /// A client behind a proxy. The proxy's address stands for many clients.
        case behindProxy(ConnectionID)
    }

    /// A connection with its state at the last check for idleness.
    private struct Row {
        let entry: ConnectionEntry
        let client: Client
        /// Whether it has a place, regular or in the reserve. It loses that when it is disconnected.
        var hasPlace = true
        var seen = Progress()
        /// The time of the last activity on the connection.
        var idleSince = ContinuousClock.now
    }

    private struct State {
        var unshared: [IPNetwork] = []
        var openLimit = Int.max
        var rows: [ConnectionID: Row] = [:]
        var lastID: ConnectionID = 0
        var countOfWorker: [Int] = []
        var regular = Shares<Client>(share: .max)
        var reserve = Shares<Client>(share: .max)
        /// The connections in the reserve, the oldest first.
        var reserved: [ConnectionID] = []
        /// The connections that were idle at the last check, the longest idle last: all of them, and those of each
        /// client.
        var idle: [ConnectionID] = []
        var idleOfClient: [Client: [ConnectionID]] = [:]
        var lastLook: ContinuousClock.Instant?
    }

    /// The least time between two searches for idle connections while new ones find no place.
    private static let lookPeriod = Duration.milliseconds(250)

    private let state = Mutex(State())

    func setLimits(_ limits: ConnectionLimits, workers: Int) {
        state.withLock { state in
            state.unshared = limits.unshared
            state.openLimit = limits.open
            state.regular = Shares(limit: limits.regular, share: limits.share)
            state.reserve = Shares(limit: limits.reserve, share: limits.reserve / 2)
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
            guard state.rows.count < state.openLimit else { return nil }
            state.lastID += 1
            let isUnshared = state.unshared.contains { $0.contains(peer) }
            let client = isUnshared ? Client.behindProxy(state.lastID) : .address(peer.holder)
            let isRegular = makeRoom(for: client, &state)
            let workers = state.countOfWorker.indices
            let candidates = avoided.count < workers.count ? workers.filter { !avoided.contains($0) } : Array(workers)
            let worker = candidates.min { state.countOfWorker[$0] < state.countOfWorker[$1] } ?? 0
            let entry = ConnectionEntry(
                state.lastID, socket: socket, peer: peer, worker: worker, isOnReserve: !isRegular)
            state.countOfWorker[worker] += 1
            if isRegular { state.regular.add(1, for: client) } else { takeReserve(for: client, &state) }
            state.rows[entry.id] = Row(entry: entry, client: client)
            return entry
        }
    }

    /// Removes a connection. Its worker calls it before the socket is closed.
    func remove(_ entry: ConnectionEntry) {
        state.withLock { state in
            release(entry.id, &state)
            if state.rows.removeValue(forKey: entry.id) != nil { state.countOfWorker[entry.worker] -= 1 }
        }
    }

    /// Finds a regular place for a client. Disconnects an idle connection if necessary.
    ///
    /// - Returns: Whether there is a place.
    private func makeRoom(for client: Client, _ state: inout State) -> Bool {
        if state.regular.hasRoom(for: client) { return true }
        if state.idle.isEmpty, state.lastLook.map({ $0.duration(to: .now) >= Self.lookPeriod }) ?? true {
            lookForIdle(&state)
        }
        let yielding = state.regular.yielding(to: client)
        var leaver = longestIdle(of: yielding, &state)
        // A client that has its share is refused before others lose a connection to it.
        if leaver == nil, yielding != client { leaver = longestIdle(of: nil, &state) }
        guard let leaver else { return false }
        disconnect(leaver, &state)
        return true
    }

    /// Takes a place in the reserve. Disconnects an older connection if necessary.
    private func takeReserve(for client: Client, _ state: inout State) {
        if !state.reserve.hasRoom(for: client) {
            let yielding = state.reserve.yielding(to: client)
            let leaver = state.reserved.first { yielding == nil || state.rows[$0]?.client == yielding }
            if let leaver { disconnect(leaver, &state) }
        }
        state.reserve.add(1, for: client)
        state.reserved.append(state.lastID)
    }

    /// The connection that has been idle longest, of one client or of all; `nil` if none is idle.
    private func longestIdle(of client: Client?, _ state: inout State) -> ConnectionID? {
        while let last = client.map({ state.idleOfClient[$0]?.popLast() }) ?? state.idle.popLast() {
            guard let row = state.rows[last], row.hasPlace else { continue }
            if row.entry.progress.load(ordering: .relaxed) == row.seen { return last }
        }
        return nil
    }

    /// Closes both directions of a connection. Its worker notices that in its next round. Its place is free at once.
    private func disconnect(_ id: ConnectionID, _ state: inout State) {
        release(id, &state)
        if let entry = state.rows[id]?.entry { Self.shutDown(entry) }
    }

    private func release(_ id: ConnectionID, _ state: inout State) {
        guard let row = state.rows[id], row.hasPlace else { return }
        state.rows[id]?.hasPlace = false
        if row.entry.isOnReserve {
            state.reserve.add(-1, for: row.client)
            state.reserved.removeAll { $0 == id }
        } else {
            state.regular.add(-1, for: row.client)
        }
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
            if state.regular.total >= state.regular.limit / 2 { lookForIdle(&state) }
        }
    }

    private func lookForIdle(_ state: inout State) {
        let now = ContinuousClock.now
        for (id, var row) in state.rows {
            let progress = row.entry.progress.load(ordering: .relaxed)
            guard progress != row.seen else { continue }
            (row.seen, row.idleSince) = (progress, now)
            state.rows[id] = row
        }
        // A request may have arrived without being processed yet.
        let idle = state.rows.values
            .filter { $0.seen.phase == .waiting && $0.hasPlace && !$0.entry.isOnReserve && !Self.hasUnread($0.entry) }
            .sorted { $0.idleSince > $1.idleSince }
        state.idle = idle.map(\.entry.id)
        state.idleOfClient = Dictionary(grouping: idle, by: \.client).mapValues { $0.map(\.entry.id) }
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
