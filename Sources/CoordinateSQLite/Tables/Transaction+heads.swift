internal import Coordinate
internal import CoordinateSessions
internal import Foundation
internal import GRDB

/// The heads of sessions in the tables.
extension Transaction {
    private static let heads = """
        SELECT id, app, sessions.content, expires_at, base, base_pending, entries.version, entries.pending,
            entries.mark, entries.content,
            crash_version, crash_is_repeated, crash_event, crash_app_version, crash_times, work_withheld
        FROM sessions LEFT JOIN entries
        ON entries.session = id AND entries.version = (SELECT max(version) FROM entries WHERE session = id)
        """

    func head(of session: SessionID) throws -> SessionHead? {
        let row = try Row.fetchOne(
            statement("\(Self.heads) WHERE id = ?"), arguments: [session.description])
        return try row.map(head)
    }

    // MARK: Finding

    func session(withKey key: String, of app: String) throws -> SessionID? {
        try String.fetchOne(
            statement("SELECT id FROM sessions WHERE app = ? AND key = ?"), arguments: [app, key]
        ).map(session)
    }

    func session(withReference reference: String, of app: String) throws -> SessionID? {
        try String.fetchOne(
            statement("SELECT id FROM sessions WHERE reference = ? AND app = ?"), arguments: [reference, app]
        ).map(session)
    }

    /// Returns that attribute of a query which the fewest sessions have, as far as a look at some shows; `nil` if it
    /// has none.
    func rarestAttribute(of query: SessionQuery) throws -> (name: String, value: String)? {
        guard query.attributes.count > 1 else { return query.attributes.first.map { ($0.key, $0.value) } }
        let counts = try query.attributes.map { name, value in
            try Int.fetchOne(
                statement(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM attributes WHERE app = ? AND name = ? AND value = ? LIMIT 1000)
                    """), arguments: [query.app, name, Data(value.utf8)]) ?? 0
        }
        return zip(query.attributes, counts).min { $0.1 < $1.1 }.map { ($0.0.key, $0.0.value) }
    }

    /// Returns sessions of an app, in the order of a query, or a part of them that includes all that match.
    ///
    /// - Parameter attribute: An attribute that the sessions have, if they are listed by their last use.
    func heads(
        of query: SessionQuery, with attribute: (name: String, value: String)?, after position: ListPosition?,
        limit: Int
    ) throws -> [(position: ListPosition, head: SessionHead?)] {
        let app = query.app
        if case .id = query.order {
            return try Row.fetchAll(
                database, sql: "\(Self.heads) WHERE app = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
                arguments: [app, position?.id ?? "", limit]
            ).map { row in (ListPosition(expiresAt: 0, id: row[0]), try head(row)) }
        }
        if let (name, value) = attribute {
            let places = try Row.fetchAll(
                statement(
                    """
                    SELECT expires_at, session FROM attributes
                    WHERE app = ?1 AND name = ?2 AND value = ?3 AND (expires_at, session) < (?4, ?5)
                    ORDER BY expires_at DESC, session DESC LIMIT ?6
                    """),
                arguments: [app, name, Data(value.utf8), position?.expiresAt ?? .max, position?.id ?? "", limit])
            return try places.map { row in
                (ListPosition(expiresAt: row[0], id: row[1]), try head(of: session(row[1])))
            }
        }
        let rows = try Row.fetchAll(
            database,
            sql: """
                \(Self.heads) WHERE app = ?1 AND (expires_at, id) < (?2, ?3)
                ORDER BY expires_at DESC, id DESC LIMIT ?4
                """, arguments: [app, position?.expiresAt ?? .max, position?.id ?? "", limit])
        return try rows.map { row in (ListPosition(expiresAt: row[3], id: row[0]), try head(row)) }
    }

    /// Returns the head of a row's session, whose last entry may be in the log.
    private func head(_ row: Row) throws -> SessionHead {
        let session = try session(row[0])
        let (app, base) = (row[1] as String, row[4] as Int)
        let record = Data.fromDatabaseValue(row[2]).flatMap { content in
            try? SessionRecord(id: session, app: app, stored: Array(content), isWorkWithheld: row[15])
        }
        var (version, pending): (Int, Int) = (base, row[5])
        var last: JournalEntry?
        let place = unfiled(of: session).last
        if let own = try place.map({ try logged(at: $0) }) ?? StoredEntry(row, at: 6) {
            (version, pending, last) = (own.version, own.pending, try? own.entry)
        } else if base > 0 {
            do {
                last = try inherited(by: session, after: base - 1, limit: 1).first
            } catch is UnreadableEntry {}
        }
        return SessionHead(
            session, app: app, record: record, version: version, last: last,
            expiresAt: Timestamp(seconds: row[3]), pending: pending, crash: CrashNote(row, at: 10))
    }

    /// Records a crash of a session, following the last one.
    func record(_ crash: CrashNote, of session: SessionID) throws {
        let former = try Row.fetchOne(
            statement(
                """
                SELECT crash_version, crash_is_repeated, crash_event, crash_app_version, crash_times
                FROM sessions WHERE id = ?
                """), arguments: [session.description])
        guard let former else { throw JournalError.noSuchSession }
        let crash = crash.following(CrashNote(former, at: 0))
        try execute(
            """
            UPDATE sessions SET crash_version = ?, crash_is_repeated = ?, crash_event = ?, crash_app_version = ?,
                crash_times = ?
            WHERE id = ?
            """,
            [
                crash.version, crash.isRepeated, Data(crash.event.utf8), Data(crash.appVersion.utf8), crash.times,
                session.description,
            ])
    }
}

extension CrashNote {
    /// Reads a crash; `nil` if none was recorded.
    ///
    /// - Parameter column: The first of the columns of a session's last crash.
    fileprivate init?(_ row: Row, at column: Int) {
        guard let version = row[column] as Int? else { return nil }
        self.init(
            version: version, isRepeated: row[column + 1],
            event: String(decoding: row[column + 2] as Data, as: UTF8.self),
            appVersion: String(decoding: row[column + 3] as Data, as: UTF8.self), times: row[column + 4])
    }
}
