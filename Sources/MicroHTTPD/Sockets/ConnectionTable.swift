internal import CEventLoop
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
    fileprivate let client: ConnectionTable.Client
    /// The number of the worker that serves it.
    let worker: Int
    /// Whether it arrived when all regular places were in use. It gets one answer, which is a refusal except for a
    /// probe.
    let isOnReserve: Bool
    /// The worker's progress on the connection. Only the worker stores it.
    let progress = Atomic<Progress>(Progress())
    /// The second in which the last request ended. Only the worker stores it.
    let lastUse: Atomic<Int>

    fileprivate init(
        _ id: ConnectionID, socket: Int32, peer: IPAddress, client: ConnectionTable.Client, worker: Int,
        isOnReserve: Bool, at second: Int
    ) {
        lastUse = Atomic(second)
        self.id = id
        self.socket = socket
        self.peer = peer
        self.client = client
        self.worker = worker
        self.isOnReserve = isOnReserve
    }

    /// Whether a request is between its request line and the last byte of its answer.
    var isBusy: Bool { progress.load(ordering: .relaxed).phase != .waiting }

    /// Whether a request has been received and its answer is not completely sent.
    var isAnswering: Bool { [.answering, .sending].contains(progress.load(ordering: .relaxed).phase) }

    /// Whether an answer is being prepared.
    var isWorkedFor: Bool { progress.load(ordering: .relaxed).phase == .answering }

    /// Whether the client has sent something that the worker has not read.
    var hasUnread: Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }
}

/// The open connections, each in a regular place or in the reserve.
///
/// The acceptor adds a connection before its worker gets it. The worker removes it before its socket is closed. So
/// under the table's lock, every socket in the table belongs to its connection, and any thread can shut it down.
///
/// A newcomer for which there is no regular place gets that of a connection that has been idle for a second. If there is
/// none, it gets a place in the reserve, where an older connection is closed for it.
final class ConnectionTable: Sendable {
    /// The clients that share the places.
    fileprivate enum Client: Hashable {
        case address(IPAddress)
        /// A client behind a proxy. The proxy's address stands for many clients.
        case behindProxy(ConnectionID)
    }

    private struct State {
        var unshared: [IPNetwork] = []
        var entries: [ConnectionID: ConnectionEntry] = [:]
        var lastID: ConnectionID = 0
        var countOfWorker: [Int] = []
        /// The connections of each client, including those being closed. So a client that connects faster than workers
        /// close its connections leaves room for others.
        var open = Shares<Client>(share: .max)
        /// The places of connections. A connection loses its place when it is disconnected.
        var regular = Holdings<Client, ConnectionID>(Shares(share: .max))
        var reserve = Holdings<Client, ConnectionID>(Shares(share: .max))
    }

    private let state = Mutex(State())

    func setLimits(_ limits: ConnectionLimits, workers: Int) {
        state.withLock { state in
            state.unshared = limits.unshared
            state.open = Shares(limit: limits.open, share: ConnectionLimits.share(of: limits.open))
            state.regular = Holdings(
                Shares(limit: limits.regular, share: ConnectionLimits.share(of: limits.regular)))
            state.reserve = Holdings(Shares(limit: limits.reserve, share: limits.reserve / 2))
            state.countOfWorker = Array(repeating: 0, count: workers)
        }
    }

    // MARK: Adding and removing

    /// Adds a connection, and chooses its worker: the one with the fewest connections among those that are not avoided.
    ///
    /// - Parameters:
    ///   - avoided: The workers that have been busy for a while. They are chosen only if there are no others.
    ///   - second: The time, by the monotonic clock.
    /// - Returns: `nil` if the limit on open connections, or the client's share of them, is reached.
    func admit(
        _ socket: Int32, from peer: IPAddress, avoiding avoided: Set<Int>, at second: Int = ConnectionTable.now
    ) -> ConnectionEntry? {
        state.withLock { state in
            state.lastID += 1
            let isUnshared = state.unshared.contains { $0.contains(peer) }
            let client = isUnshared ? Client.behindProxy(state.lastID) : .address(peer.holder)
            guard state.open.hasRoom(for: client) else { return nil }
            let isRegular = hasPlace(for: client, at: second, &state)
            let workers = state.countOfWorker.indices
            let candidates = avoided.count < workers.count ? workers.filter { !avoided.contains($0) } : Array(workers)
            let worker = candidates.min { state.countOfWorker[$0] < state.countOfWorker[$1] } ?? 0
            let entry = ConnectionEntry(
                state.lastID, socket: socket, peer: peer, client: client, worker: worker, isOnReserve: !isRegular,
                at: second)
            state.entries[entry.id] = entry
            state.open.add(1, for: client)
            state.countOfWorker[worker] += 1
            if isRegular {
                state.regular.insert(entry.id, of: client, usedAt: second)
            } else {
                takeReserve(entry.id, for: client, &state)
            }
            return entry
        }
    }

    /// Removes a connection. Its worker calls it before the socket is closed.
    func remove(_ entry: ConnectionEntry) {
        state.withLock { state in
            state.regular.remove(entry.id)
            state.reserve.remove(entry.id)
            guard state.entries.removeValue(forKey: entry.id) != nil else { return }
            state.open.add(-1, for: entry.client)
            state.countOfWorker[entry.worker] -= 1
        }
    }

    /// Whether there is a regular place for a client. Disconnects an idle connection if necessary.
    private func hasPlace(for client: Client, at second: Int, _ state: inout State) -> Bool {
        if state.regular.shares.hasRoom(for: client) { return true }
        let entries = state.entries
        let released = state.regular.release(for: client, unusedSince: second - 1) { id in
            entries[id].map { $0.isBusy || $0.hasUnread ? second : $0.lastUse.load(ordering: .relaxed) }
        }
        guard let id = released?.thing else { return false }
        state.entries[id].map { _ = Self.shutDown($0) }
        return true
    }

    /// Takes a place in the reserve. Disconnects the oldest connection there if necessary.
    private func takeReserve(_ id: ConnectionID, for client: Client, _ state: inout State) {
        let time = Int(id)
        if !state.reserve.shares.hasRoom(for: client),
            let former = state.reserve.release(for: client, unusedSince: time)
        {
            state.entries[former.thing].map { _ = Self.shutDown($0) }
        }
        state.reserve.insert(id, of: client, usedAt: time)
    }

    /// The time in seconds, by the monotonic clock.
    static var now: Int { Int(cloop_nanoseconds() / 1_000_000_000) }

    // MARK: Inspecting

    /// Whether a request on any connection is between its request line and the last byte of its answer.
    var isBusy: Bool { state.withLock { $0.entries.values.contains { $0.isBusy } } }

    /// Whether any request has been received whose answer is not completely sent.
    var isAnswering: Bool { state.withLock { $0.entries.values.contains { $0.isAnswering } } }

    /// Whether any answer is being prepared.
    var isWorkedFor: Bool { state.withLock { $0.entries.values.contains { $0.isWorkedFor } } }

    /// The number of connections, and of those whose request is between its line and the last byte of its response.
    var counts: (open: Int, busy: Int) {
        state.withLock { ($0.entries.count, $0.entries.values.count { $0.isBusy }) }
    }

    // MARK: Disconnecting

    /// Disconnects the clients of a stuck worker.
    ///
    /// - Parameter spared: A connection that stays; 0 for none.
    /// - Returns: The number of clients that were disconnected.
    func shutDown(servedBy worker: Int, except spared: ConnectionID) -> Int {
        state.withLock { state in
            state.entries.values.count { $0.worker == worker && $0.id != spared && Self.shutDown($0) }
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
