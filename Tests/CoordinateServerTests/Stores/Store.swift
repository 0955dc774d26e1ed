import Coordinate
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateSessions
import CoordinateTesting
import GRDB
import PostgreSQLCluster
import SessionFixtures

@testable import CoordinateServer

/// A store for one test, initially empty, which servers use one after the other or concurrently.
final class Store: Sendable {
    enum Kind: CaseIterable {
        case memory, sqlite, postgreSQL

        /// The kinds available on this machine.
        static var available: [Kind] { allCases.filter { $0 != .postgreSQL || PostgreSQLCluster.isAvailable } }
    }

    private enum Place {
        case memory(MemoryJournal)
        case sqlite(TemporaryFile)
        case postgreSQL(address: String)
    }

    private let place: Place

    init(_ kind: Kind) async throws {
        switch kind {
        case .memory: place = .memory(MemoryJournal())
        case .sqlite: place = .sqlite(TemporaryFile())
        case .postgreSQL: place = .postgreSQL(address: try await PostgreSQLCluster.shared.makeAddress())
        }
    }

    func open() throws(JournalOpeningError) -> any Journal {
        switch place {
        case .memory(let journal): journal
        case .sqlite(let file): try SQLiteJournal(path: file.path, logger: .silent)
        case .postgreSQL(let address): try PostgreSQLJournal(address, logger: .silent)
        }
    }

    /// Runs a query in PostgreSQL itself.
    func ask(_ question: String) async throws -> [String] {
        guard case .postgreSQL(let address) = place else { return [] }
        return try await PostgreSQLCluster.shared.execute(question, at: address)
    }

    /// Makes an entry in the store unreadable, or, for version 0, the session's record. No server may be running.
    func damage(_ version: Int, of session: String) async throws {
        let table = version == 0 ? "sessions" : "entries"
        let row = version == 0 ? "id = '\(session)'" : "session = '\(session)' AND version = \(version)"
        switch self.place {
        case .memory: break
        case .sqlite(let file):
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { database in
                // Entries may still be in the log.
                for name in table == "entries" ? ["entries", "log"] : [table] {
                    try database.execute(sql: "UPDATE \(name) SET content = x'7b' WHERE \(row)")
                }
            }
            try queue.close()
        case .postgreSQL(let address):
            _ = try await PostgreSQLCluster.shared.execute(
                "UPDATE coordinate_\(table) SET content = '\\x7b' WHERE \(row)", at: address)
        }
    }
}

/// Runs the body with an app on a new server, with its own journal, which is closed at the end.
nonisolated(nonsending) func withApp<Result>(
    _ app: any CoordinatedApp, on store: Store, clock: SessionClock = .system,
    configuration: ServerConfiguration = .make(), _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    let journal = try store.open()
    defer { journal.close() }
    return try await withApp(app, clock: clock, journal: journal, configuration: configuration, body)
}

/// Runs the body with servers on one store, one per app.
nonisolated(nonsending) func withServers<Result>(
    _ apps: [any CoordinatedApp], on store: Store, clock: SessionClock = .system,
    configuration: ServerConfiguration = .make(), running: [TestServer] = [],
    _ body: nonisolated(nonsending) ([TestServer]) async throws -> Result
) async throws -> Result {
    guard running.count < apps.count else { return try await body(running) }
    return try await withApp(apps[running.count], on: store, clock: clock, configuration: configuration) { server in
        try await withServers(
            apps, on: store, clock: clock, configuration: configuration, running: running + [server], body)
    }
}
