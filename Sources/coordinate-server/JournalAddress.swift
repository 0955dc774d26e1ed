import CoordinateSQLite
import CoordinateSessions

/// Where the sessions are: `memory`, `sqlite:PATH`, or PostgreSQL's own URIs.
enum JournalAddress {
    case memory
    case sqlite(path: String)

    static let forms = "memory, sqlite:PATH or postgres://USER@HOST/DATABASE"

    init(_ text: String) throws(JournalOpeningError) {
        let path = text.hasPrefix("sqlite:") ? text.dropFirst("sqlite:".count) : ""
        if text == "memory" {
            self = .memory
        } else if !path.isEmpty {
            self = .sqlite(path: String(path))
        } else {
            throw .badAddress("The journal \"\(text)\" is unknown. It is one of: \(Self.forms).")
        }
    }

    /// Opens it for a server.
    func open() throws(JournalOpeningError) -> any Journal {
        switch self {
        case .memory: MemoryJournal()
        case .sqlite(let path): try SQLiteJournal(path: path)
        }
    }

    /// Opens it to be read only. There is nothing to read in one that ends with its process.
    func openForReading() throws(JournalOpeningError) -> any Journal {
        switch self {
        case .memory: throw .badAddress("There is nothing in a journal in memory. Name another one: \(Self.forms).")
        case .sqlite(let path): try SQLiteJournal(reading: path)
        }
    }
}
