import ArgumentParser
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateSessions

/// Where the sessions are: `memory`, `sqlite:PATH`, or PostgreSQL's own URIs.
enum JournalAddress {
    case memory
    case sqlite(path: String)
    case postgreSQL(uri: String)

    static let forms = "memory, sqlite:PATH or postgres://USER@HOST/DATABASE"

    /// Whether a text means a store rather than a file.
    static func isStore(_ text: String) -> Bool {
        ["sqlite:", "postgres://", "postgresql://"].contains { text.hasPrefix($0) }
    }

    init(_ text: String) throws(JournalOpeningError) {
        if text == "memory" {
            self = .memory
        } else if text.hasPrefix("sqlite:"), text != "sqlite:" {
            self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgreSQL(uri: text)
        } else {
            // There may be a password in it.
            let kind = text.prefix { $0 != ":" }
            throw .badAddress("The journal \"\(kind)\" is unknown. It is one of: \(Self.forms).")
        }
    }

    /// Refuses an option that is no address.
    static func validate(_ option: String) throws {
        do throws(JournalOpeningError) {
            _ = try JournalAddress(option)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Opens it for a server.
    func open() throws(JournalOpeningError) -> any Journal {
        switch self {
        case .memory: MemoryJournal()
        case .sqlite(let path): try SQLiteJournal(path: path)
        case .postgreSQL(let uri): try PostgreSQLJournal(uri)
        }
    }

    /// Opens it to be read only. There is nothing to read in one that ends with its process.
    func openForReading() throws(JournalOpeningError) -> any Journal {
        switch self {
        case .memory: throw .badAddress("There is nothing in a journal in memory. Name another one: \(Self.forms).")
        case .sqlite(let path): try SQLiteJournal(reading: path)
        case .postgreSQL(let uri): try PostgreSQLJournal(uri, access: .readOnly)
        }
    }
}
