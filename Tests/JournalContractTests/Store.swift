import CoordinateSessions
import Foundation
import MisbehavingJournal
import PostgreSQLCluster
import SessionFixtures
import Testing
import TextJournal

@testable import CoordinatePostgreSQL
@testable import CoordinateSQLite

/// The stores whose journals keep the same promises.
enum Store: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite
    /// A file that moves its entries out of its log after every few.
    case filingSQLite
    case postgreSQL
    /// The example of a store that is not ours.
    case text
    /// The model of a shared store that random histories use. It keeps the promises except for lists.
    case model

    static var available: [Store] { withModel.filter { $0 != .model } }

    static var withModel: [Store] {
        allCases.filter { $0 != .postgreSQL || PostgreSQLCluster.isAvailable }
    }

    /// The stores that outlive their process.
    static var durable: [Store] { available.filter { $0 != .memory } }

    /// The stores that also erase sessions, remember crashes, and can be opened only to be read.
    static var complete: [Store] { durable.filter { $0 != .text } }

    var testDescription: String { rawValue }

    /// Where one test has its sessions.
    enum Place {
        case memory(any Journal)
        case file(path: String, Compaction.Rhythm)
        case schema(address: String)
        case text(path: String)

        /// Opens the journal of a server. Leases do not expire during a test.
        func open() throws -> any Journal {
            switch self {
            case .memory(let journal): journal
            case .file(let path, let rhythm): try SQLiteJournal(path: path, logger: .silent, rhythm)
            case .schema(let address): try PostgreSQLJournal(address, logger: .silent, leaseTime: .seconds(3_600))
            case .text(let path): try TextJournal(path: path)
            }
        }

        /// Opens the journal of a tool that only reads.
        func openForReading() throws -> any Journal {
            switch self {
            case .memory(let journal): journal
            case .file(let path, _): try SQLiteJournal(reading: path, logger: .silent)
            case .schema(let address): try PostgreSQLJournal(address, access: .readOnly, logger: .silent)
            case .text(let path): try TextJournal(path: path)
            }
        }
    }

    /// Runs the body with an empty store of its own.
    nonisolated(nonsending) func withPlace(
        _ body: nonisolated(nonsending) (Place) async throws -> Void
    ) async throws {
        switch self {
        case .memory: try await body(.memory(MemoryJournal()))
        case .sqlite, .filingSQLite:
            let rhythm =
                self == .sqlite ? Compaction.Rhythm() : Compaction.Rhythm(bound: 8, least: 1, slice: 3)
            try await withFolder { folder in
                try await body(.file(path: folder.appending(path: "sessions.sqlite").path, rhythm))
            }
        case .text: try await withFolder { try await body(.text(path: $0.appending(path: "sessions.txt").path)) }
        case .postgreSQL: try await body(.schema(address: PostgreSQLCluster.shared.makeAddress()))
        case .model:
            let schedule = ThreadedSchedule(seed: 1)
            try await body(.memory(MisbehavingJournal(SharedStore(), seed: 1, rates: .none, on: schedule)))
        }
    }

    /// Runs the body with a journal that has no sessions.
    nonisolated(nonsending) func withJournal(
        _ body: nonisolated(nonsending) (any Journal) async throws -> Void
    ) async throws {
        try await withPlace { place in
            let journal = try place.open()
            defer { journal.close() }
            try await body(journal)
        }
    }
}
