package import Coordinate
package import CoordinateSessions
internal import Dispatch
internal import Synchronization

/// A journal in memory whose calls a test lets fail, holds back, or interrupts with a change.
package final class FaultyJournal: ForwardingJournal {
    package typealias Call = JournalCall

    private struct State {
        var error: JournalError?
        var renewalError: JournalError?
        var isHeld = false
        /// The calls to continue when they are released, in the order in which they arrived.
        var held: [CheckedContinuation<Void, Never>] = []
        var interruption: (call: Call, body: @Sendable (MemoryJournal) async -> Void)?
        var reads = 0
        var keeps = 0
        var renewals: [SessionID] = []
    }

    package let journal: MemoryJournal
    private let isSharedWithOthers: Bool
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "held journal")
    private let arrivals = AsyncStream<Void>.makeStream()

    /// - Parameter isShared: Whether it reports that other servers write to it.
    package init(_ journal: MemoryJournal = MemoryJournal(), isShared: Bool = false) {
        self.journal = journal
        isSharedWithOthers = isShared
    }

    // MARK: Control by tests

    /// Lets all calls fail, or with `nil` none.
    package func fail(with error: JournalError?) { state.withLock { $0.error = error } }

    /// Lets only renewals of leases fail.
    package func failRenewals(with error: JournalError?) { state.withLock { $0.renewalError = error } }

    /// Holds appends and reads back. Their results come later, from another thread.
    package func hold() { state.withLock { $0.isHeld = true } }

    package func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for call in held { queue.async { call.resume() } }
    }

    /// Returns once another call is held.
    package func waitUntilHeld() async {
        _ = await arrivals.stream.first { true }
    }

    /// Runs a body right before the next call or result, once. It must not wait.
    package func before(_ call: Call, _ body: @escaping @Sendable (MemoryJournal) async -> Void) {
        state.withLock { $0.interruption = (call, body) }
    }

    /// The number of reads of entries.
    package var reads: Int { state.withLock { $0.reads } }

    /// The number of calls of ``keep(_:until:)``.
    package var keeps: Int { state.withLock { $0.keeps } }

    /// The sessions whose leases were to be renewed, once for each request.
    package var renewals: [SessionID] { state.withLock { $0.renewals } }

    private func interrupt(_ call: Call) {
        let body = state.withLock { state -> (@Sendable (MemoryJournal) async -> Void)? in
            guard let (expected, body) = state.interruption, expected == call else { return nil }
            state.interruption = nil
            return body
        }
        if let body { Task.immediate { [journal] in await body(journal) } }
    }

    private func failIfWanted() throws(JournalError) {
        if let error = state.withLock({ $0.error }) { throw error }
    }

    /// Waits while calls are held. Those that are released do not fail.
    private func pass(_ call: Call) async throws(JournalError) {
        interrupt(call)
        guard state.withLock({ $0.isHeld }) else { return try failIfWanted() }
        await withCheckedContinuation { call in
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(call) }
                return state.isHeld
            }
            if isHeld { arrivals.continuation.yield() } else { call.resume() }
        }
    }

    // MARK: Journal

    package var isShared: Bool {
        interrupt(.isShared)
        return isSharedWithOthers
    }

    package func willCall(_ call: Call) throws(JournalError) {
        interrupt(call)
        try failIfWanted()
    }

    package func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        defer { interrupt(.headAnswer) }
        try willCall(.head)
        return try await journal.head(of: session)
    }

    package func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        try await pass(.append)
        try await journal.append(entry, to: session)
    }

    package func read(
        _ session: SessionID, after version: Int, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        state.withLock { $0.reads += 1 }
        try await pass(.read)
        return try await journal.read(session, after: version, limit: limit)
    }

    package func keep(_ session: SessionID, until expiry: Timestamp) {
        interrupt(.keep)
        state.withLock { $0.keeps += 1 }
        journal.keep(session, until: expiry)
    }

    package func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] {
        let error = state.withLock { state in
            state.renewals += sessions
            return state.renewalError
        }
        if let error { throw error }
        try willCall(.lease)
        return try await journal.renewLeases(of: sessions)
    }
}
