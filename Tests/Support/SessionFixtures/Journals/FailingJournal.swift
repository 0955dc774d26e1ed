package import Coordinate
package import CoordinateSessions
internal import Synchronization

/// A journal that fails while a test wants it to.
package final class FailingJournal: ForwardingJournal {
    package let journal: MemoryJournal
    private let errors = Mutex<(all: JournalError?, renewals: JournalError?)>((nil, nil))
    private let told = Atomic(0)
    private let renewed = Mutex<[SessionID]>([])

    package let isShared: Bool

    /// - Parameter isShared: Whether it reports that other servers write to it.
    package init(_ journal: MemoryJournal = MemoryJournal(), isShared: Bool = false) {
        self.journal = journal
        self.isShared = isShared
    }

    package func fail(with error: JournalError?) {
        errors.withLock { $0.all = error }
    }

    /// Lets only renewals of leases fail.
    package func failRenewals(with error: JournalError?) {
        errors.withLock { $0.renewals = error }
    }

    private func unlessFailing<Value: Sendable>(
        _ body: () -> Future<Value, JournalError>
    ) -> Future<Value, JournalError> {
        errors.withLock { $0.all }.map { .failed($0) } ?? body()
    }

    package func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError> {
        unlessFailing { journal.create(session, with: history, until: expiry, limit: limit) }
    }

    package func head(of session: SessionID) -> Future<SessionHead?, JournalError> {
        unlessFailing { journal.head(of: session) }
    }

    package func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        unlessFailing { journal.append(entry, to: session) }
    }

    package func read(_ session: SessionID, after version: Int, limit: Int) -> Future<[JournalEntry], JournalError> {
        unlessFailing { journal.read(session, after: version, limit: limit) }
    }

    package func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError> {
        unlessFailing { journal.end(session, at: version) }
    }

    package func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) -> Future<Void, JournalError> {
        unlessFailing { journal.update(session, replacing: former) }
    }

    package func keep(_ session: SessionID, until expiry: Timestamp) {
        told.wrappingAdd(1, ordering: .relaxed)
        journal.keep(session, until: expiry)
    }

    /// The number of calls of ``keep(_:until:)``.
    package var keeps: Int { told.load(ordering: .relaxed) }

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
        renewed.withLock { $0 += sessions }
        if let error = errors.withLock({ $0.renewals }) { return .failed(error) }
        return unlessFailing { journal.renewLeases(of: sessions) }
    }

    /// The sessions whose leases were to be renewed, once for each request.
    package var renewals: [SessionID] { renewed.withLock { $0 } }
}
