import Foundation
import GRDB
import Hummingbird

/// Sessions whose events are rows of an SQLite file. Each event is a durable commit.
final class StoredSessions: SessionStore {
    private let season: Season
    private let database: DatabasePool
    /// The current states, so that reads need no query.
    private let current: MemorySessions

    init(path: String, season: Season) throws {
        self.season = season
        current = MemorySessions(season: season)
        database = try DatabasePool(path: path)
        // GRDB opens a write-ahead log with NORMAL, which can lose the last commits when the machine stops.
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let settings = try database.writeWithoutTransaction { database in
            (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            )
        }
        guard settings == ("wal", 2) else { fatalError("The file is not durable: \(settings)") }
        try database.write { database in
            try database.create(table: "session", options: .ifNotExists) { $0.primaryKey("id", .text) }
            try database.create(table: "event", options: .ifNotExists) { table in
                table.primaryKey {
                    table.column("session", .text).references("session")
                    table.column("version", .integer)
                }
                table.column("event", .text).notNull()
                table.column("payload", .jsonText)
            }
        }
        try restore()
    }

    /// Applies all stored events.
    private func restore() throws {
        let (ids, rows) = try database.read { database in
            (
                try String.fetchAll(database, sql: "SELECT id FROM session"),
                try StoredEvent.order(Column("session"), Column("version")).fetchAll(database)
            )
        }
        for id in ids { current.replace(Session(id: id)) }
        for row in rows { _ = try current.apply(Event(event: row.event, payload: row.payload), to: row.session) }
    }

    func create() async throws -> Session {
        let session = Session(id: UUID().uuidString)
        try await database.write { try $0.execute(sql: "INSERT INTO session (id) VALUES (?)", arguments: [session.id]) }
        current.replace(session)
        return session
    }

    func session(_ id: String) throws -> Session { try current.session(id) }

    func apply(_ event: Event, to id: String) async throws -> (before: Session, after: Session) {
        // GRDB runs one writer at a time, so no other event can come between.
        try await database.writeWithoutTransaction { [current, season] database in
            let before = try current.session(id)
            var after = before
            try after.apply(event, in: season)
            let row = StoredEvent(session: id, version: after.version, event: event.event, payload: event.payload)
            try database.inTransaction {
                try row.insert(database)
                return .commit
            }
            current.replace(after)
            return (before, after)
        }
    }
}

/// A row of the table of events.
private struct StoredEvent: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "event"

    let session: String
    let version: Int
    let event: String
    let payload: [String: String]?
}
