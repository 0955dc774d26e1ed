package import Coordinate
package import CoordinateSessions
internal import Dispatch
internal import Synchronization

/// A journal in memory whose calls a test lets fail, holds back, or interrupts with a change.
package final class FaultyJournal: ForwardingJournal {
    /// A call that can be interrupted; with `headAnswer`, the moment before the head is returned.
    package enum Call: Sendable {
        case create, head, headAnswer, append, read, end, keep, isShared
    }

    private struct State {
        var error: JournalError?
        var renewalError: JournalError?
        var isHeld = false
        /// The calls to run when they are released, in the order in which they arrived.
        var held: [@Sendable () -> Void] = []
        var interruption: (call: Call, body: @Sendable (MemoryJournal) -> Void)?
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
        for work in held { queue.async(execute: work) }
    }

    /// Returns once another call is held.
    package func waitUntilHeld() async {
        _ = await arrivals.stream.first { true }
    }

    /// Runs a body right before the next call or result, once.
    package func before(_ call: Call, _ body: @escaping @Sendable (MemoryJournal) -> Void) {
        state.withLock { $0.interruption = (call, body) }
    }

    /// The number of reads of entries.
    package var reads: Int { state.withLock { $0.reads } }

    /// The number of calls of ``keep(_:until:)``.
    package var keeps: Int { state.withLock { $0.keeps } }

    /// The sessions whose leases were to be renewed, once for each request.
    package var renewals: [SessionID] { state.withLock { $0.renewals } }

    private func interrupt(_ call: Call) {
        let body = state.withLock { state -> (@Sendable (MemoryJournal) -> Void)? in
            guard let (expected, body) = state.interruption, expected == call else { return nil }
            state.interruption = nil
            return body
        }
        body?(journal)
    }

    private func unlessFailing<Value: Sendable>(
        _ body: () -> Future<Value, JournalError>
    ) -> Future<Value, JournalError> {
        state.withLock { $0.error }.map { .failed($0) } ?? body()
    }

    private func whenReleased<Value: Sendable>(
        _ body: @escaping @Sendable () -> Future<Value, JournalError>
    ) -> Future<Value, JournalError> {
        let promise = state.withLock { state -> Promise<Value, JournalError>? in
            guard state.isHeld else { return nil }
            let promise = Promise<Value, JournalError>()
            state.held.append { body().whenDelivered { promise.fulfil($0) } }
            return promise
        }
        guard let promise else { return unlessFailing(body) }
        arrivals.continuation.yield()
        return .later(promise)
    }

    // MARK: Journal

    package var isShared: Bool {
        interrupt(.isShared)
        return isSharedWithOthers
    }

    package func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError> {
        interrupt(.create)
        return unlessFailing { journal.create(session, with: history, until: expiry, limit: limit) }
    }

    package func head(of session: SessionID) -> Future<SessionHead?, JournalError> {
        interrupt(.head)
        defer { interrupt(.headAnswer) }
        return unlessFailing { journal.head(of: session) }
    }

    package func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        interrupt(.append)
        return whenReleased { [journal] in journal.append(entry, to: session) }
    }

    package func read(_ session: SessionID, after version: Int, limit: Int) -> Future<[JournalEntry], JournalError> {
        interrupt(.read)
        state.withLock { $0.reads += 1 }
        return whenReleased { [journal] in journal.read(session, after: version, limit: limit) }
    }

    package func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError> {
        interrupt(.end)
        return unlessFailing { journal.end(session, at: version) }
    }

    package func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) -> Future<Void, JournalError> {
        unlessFailing { journal.update(session, replacing: former) }
    }

    package func keep(_ session: SessionID, until expiry: Timestamp) {
        interrupt(.keep)
        state.withLock { $0.keeps += 1 }
        journal.keep(session, until: expiry)
    }

    package func list(_ query: SessionQuery) -> Future<SessionPage, JournalError> {
        unlessFailing { journal.list(query) }
    }

    package func check() -> Future<Void, JournalError> {
        unlessFailing { journal.check() }
    }

    package func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError> {
        unlessFailing { journal.leaseDue(by: now, of: app, limit: limit) }
    }

    package func lease(_ session: SessionID) -> Future<Bool, JournalError> {
        unlessFailing { journal.lease(session) }
    }

    package func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError> {
        let error = state.withLock { state in
            state.renewals += sessions
            return state.renewalError
        }
        return error.map { .failed($0) } ?? unlessFailing { journal.renewLeases(of: sessions) }
    }
}
