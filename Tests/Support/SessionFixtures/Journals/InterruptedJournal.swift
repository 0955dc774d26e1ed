package import Coordinate
package import CoordinateSessions
internal import Synchronization

/// A journal in which a test can make changes right before a call, or before its result.
package final class InterruptedJournal: ForwardingJournal {
    /// A call; with `headAnswer`, the moment before the head is returned.
    package enum Call: Sendable {
        case create, head, headAnswer, append, read, end, keep, isShared
    }

    package let journal: MemoryJournal
    private let interruption = Mutex<(call: Call, body: @Sendable (MemoryJournal) -> Void)?>(nil)

    package init(_ journal: MemoryJournal = MemoryJournal()) {
        self.journal = journal
    }

    /// Runs a body right before the next call or result, once.
    package func before(_ call: Call, _ body: @escaping @Sendable (MemoryJournal) -> Void) {
        interruption.withLock { $0 = (call, body) }
    }

    private func interrupt(_ call: Call) {
        let body = interruption.withLock { interruption -> (@Sendable (MemoryJournal) -> Void)? in
            guard let (expected, body) = interruption, expected == call else { return nil }
            interruption = nil
            return body
        }
        body?(journal)
    }

    package func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError> {
        interrupt(.create)
        return journal.create(session, with: history, until: expiry, limit: limit)
    }

    package func head(of session: SessionID) -> Future<SessionHead?, JournalError> {
        interrupt(.head)
        defer { interrupt(.headAnswer) }
        return journal.head(of: session)
    }

    package func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        interrupt(.append)
        return journal.append(entry, to: session)
    }

    package func read(
        _ session: SessionID, after version: Int, limit: Int
    ) -> Future<[JournalEntry], JournalError> {
        interrupt(.read)
        return journal.read(session, after: version, limit: limit)
    }

    package func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError> {
        interrupt(.end)
        return journal.end(session, at: version)
    }

    package func keep(_ session: SessionID, until expiry: Timestamp) {
        interrupt(.keep)
        journal.keep(session, until: expiry)
    }

    package var isShared: Bool {
        interrupt(.isShared)
        return false
    }
}
