internal import CoordinatePostgreSQL
internal import CoordinateSQLite
package import CoordinateSessions
internal import Foundation
internal import GRDB
internal import MisbehavingJournal
internal import PostgreSQLCluster
internal import SessionFixtures
internal import Testing
internal import TextJournal

/// The stores whose journals keep the same promises.
package enum Store: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite
    /// A file that moves its entries out of its log after every few.
    case filingSQLite
    case postgreSQL
    /// The example of a store that is not ours.
    case text
    /// The model of a shared store that random histories use. It keeps the promises except for lists.
    case model

    package static var available: [Store] { withModel.filter { $0 != .model } }

    package static var withModel: [Store] {
        allCases.filter { $0 != .postgreSQL || PostgreSQLCluster.isAvailable }
    }

    /// The stores that outlive their process.
    package static var durable: [Store] { available.filter { $0 != .memory } }

    /// The stores that also erase sessions, remember crashes, and can be opened only to be read.
    package static var complete: [Store] { durable.filter { $0 != .text } }

    /// The stores that servers share.
    package static var shared: [Store] { withModel.filter { [.model, .postgreSQL].contains($0) } }

    package var testDescription: String { rawValue }

    /// Where one test has its sessions: initially empty, for servers one after the other or concurrently.
    package final class Place: Sendable {
        private enum Backing {
            case memory(MemoryJournal)
            case file(TemporaryFile, Compaction.Rhythm)
            case schema(address: String)
            case text(TemporaryFile)
            case model(SharedStore, ThreadedSchedule)
        }

        private let backing: Backing

        package init(_ store: Store) async throws {
            backing =
                switch store {
                case .memory: .memory(MemoryJournal())
                case .sqlite: .file(TemporaryFile(), Compaction.Rhythm())
                case .filingSQLite: .file(TemporaryFile(), Compaction.Rhythm(bound: 8, least: 1, slice: 3))
                case .postgreSQL: .schema(address: try await PostgreSQLCluster.shared.makeAddress())
                case .text: .text(TemporaryFile("sessions.txt"))
                case .model: .model(SharedStore(), ThreadedSchedule(seed: 1))
                }
        }

        /// Opens the journal of a server. Leases do not expire during a test.
        package func open() throws -> any Journal {
            switch backing {
            case .memory(let journal): journal
            case .file(let file, let rhythm): try SQLiteJournal(path: file.path, logger: .silent, rhythm)
            case .schema(let address): try PostgreSQLJournal(address, logger: .silent, leaseTime: .seconds(3_600))
            case .text(let file): try TextJournal(path: file.path)
            case .model(let store, let schedule):
                MisbehavingJournal(store, seed: .random(in: 0 ... .max), rates: .none, on: schedule)
            }
        }

        /// Opens the journal of a tool that only reads.
        package func openForReading() throws -> any Journal {
            switch backing {
            case .file(let file, _): try SQLiteJournal(reading: file.path, logger: .silent)
            case .schema(let address): try PostgreSQLJournal(address, access: .readOnly, logger: .silent)
            default: try open()
            }
        }

        /// Runs a query in PostgreSQL itself.
        package func ask(_ question: String) async throws -> [String] {
            guard case .schema(let address) = backing else { return [] }
            return try await PostgreSQLCluster.shared.execute(question, at: address)
        }

        /// Makes an entry unreadable, or, for version 0, the session's record. No journal may be open.
        package func damage(_ version: Int, of session: String) async throws {
            let table = version == 0 ? "sessions" : "entries"
            let row = version == 0 ? "id = '\(session)'" : "session = '\(session)' AND version = \(version)"
            _ = try await ask("UPDATE coordinate_\(table) SET content = '\\x7b' WHERE \(row)")
            guard case .file(let file, _) = backing else { return }
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { database in
                // Entries may still be in the log.
                for name in version == 0 ? [table] : [table, "log"] {
                    try database.execute(sql: "UPDATE \(name) SET content = x'7b' WHERE \(row)")
                }
            }
            try queue.close()
        }
    }

    /// Runs the body with a journal that has no sessions.
    package nonisolated(nonsending) func withJournal(
        _ body: nonisolated(nonsending) (any Journal) async throws -> Void
    ) async throws {
        let place = try await Place(self)
        let journal = try place.open()
        // The file exists as long as the place.
        defer { withExtendedLifetime(place) { journal.close() } }
        try await body(journal)
    }
}
