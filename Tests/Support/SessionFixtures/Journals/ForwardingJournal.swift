package import Coordinate
package import CoordinateSessions

/// A journal that passes all calls to a journal in memory, except those that a test's journal changes.
package protocol ForwardingJournal: Journal {
    var journal: MemoryJournal { get }

    /// Called before most calls are passed on. If it throws, the call fails.
    func willCall(_ call: JournalCall) throws(JournalError)
}

/// A call of a journal; with `headAnswer`, the moment before the head is returned.
package enum JournalCall: Sendable {
    case create, head, headAnswer, append, read, end, update, keep, list, isShared, check, lease
}

extension ForwardingJournal {
    package func willCall(_ call: JournalCall) throws(JournalError) {}

    package func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) async throws(JournalError) {
        try willCall(.create)
        try await journal.create(session, with: history, until: expiry, limit: limit)
    }

    package func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        try await journal.head(of: session)
    }

    package var findsSessions: Bool { journal.findsSessions }

    package func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID? {
        try await journal.session(withKey: key, of: app)
    }

    package func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID? {
        try await journal.session(withReference: reference, of: app)
    }

    package func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        try await journal.append(entry, to: session)
    }

    package func read(
        _ session: SessionID, after version: Int, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        try await journal.read(session, after: version, limit: limit)
    }

    package func end(_ session: SessionID, at version: Int?) async throws(JournalError) {
        try willCall(.end)
        try await journal.end(session, at: version)
    }

    package func update(_ session: SessionRecord, replacing former: SessionRecord) async throws(JournalError) {
        try willCall(.update)
        try await journal.update(session, replacing: former)
    }

    package func keep(_ session: SessionID, until expiry: Timestamp) { journal.keep(session, until: expiry) }

    package func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, String) -> Void) {
        journal.expire(by: now, ended)
    }

    package var count: Int { journal.count }

    package func list(_ query: SessionQuery) async throws(JournalError) -> SessionPage {
        try willCall(.list)
        return try await journal.list(query)
    }

    package func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] {
        try willCall(.lease)
        return try await journal.leaseDue(by: now, of: app, limit: limit)
    }

    package func lease(_ session: SessionID) async throws(JournalError) -> Bool {
        try willCall(.lease)
        return try await journal.lease(session)
    }

    package func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] {
        try await journal.renewLeases(of: sessions)
    }

    package func check() async throws(JournalError) { try willCall(.check) }

    package func endLeases(of sessions: [SessionID]) { journal.endLeases(of: sessions) }
}
