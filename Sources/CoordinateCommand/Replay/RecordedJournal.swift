internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

/// A recorded journal, in a file or a store.
struct RecordedJournal {
    /// The name of the journal in reports.
    let name: String
    /// Passes the whole journal to a replay, part by part. It rethrows the replay's errors. Its own error is a
    /// ``ServerError`` with the reason why the journal cannot be read, and what to do about it.
    let read: nonisolated(nonsending) (JournalReplay) async throws -> Void
}

/// A place with recorded journals, as named on the command line.
enum JournalSource {
    case file(String)
    /// The files of a folder.
    case folder([String])
    /// A store, in which each session is a journal.
    case store(any Journal)

    /// Finds the journals at a place. The files of a folder are sorted by name. Subfolders are ignored.
    init(_ place: String, in stores: Stores) throws {
        if stores.isStore(place) {
            self = .store(try stores.address(place).openForReading())
            return
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
            guard FileManager.default.fileExists(atPath: place) else {
                throw ServerError.configuration(
                    "The journal \(place) does not exist. Name an exported journal, or a folder with some.")
            }
            if let store = stores.store(inFile: place) {
                throw ServerError.configuration(
                    "\(place) is a SQLite database, not an exported journal. If it is a store, name it \(store).")
            }
            self = .file(place)
            return
        }
        let files = names.filter { $0.hasSuffix(".ndjson") }.sorted()
        guard !files.isEmpty else {
            throw ServerError.configuration(
                "The folder \(place) has no journals (.ndjson files). Name another one.")
        }
        self = .folder(files.map { place.hasSuffix("/") ? place + $0 : "\(place)/\($0)" })
    }

    /// Calls a body with each journal, one after the other. Of a store, only the app's journals are included.
    nonisolated(nonsending) func forEachJournal(
        of app: String, _ body: nonisolated(nonsending) (RecordedJournal) async throws -> Void
    ) async throws {
        switch self {
        case .file(let path): try await body(RecordedJournal(file: path))
        case .folder(let paths): for path in paths { try await body(RecordedJournal(file: path)) }
        case .store(let store):
            var query = SessionQuery(app: app, limit: 1_000)
            repeat {
                let page = try await reading { try await store.list(query) }
                for head in page.sessions { try await body(RecordedJournal(head, in: store)) }
                query.after = page.next
            } while query.after != nil
        }
    }
}

extension RecordedJournal {
    /// Creates a journal from an exported file.
    init(file path: String) {
        self.init(name: path) { replay in
            guard let content = FileManager.default.contents(atPath: path) else {
                throw ServerError.configuration("The journal \(path) cannot be read. Name an exported journal.")
            }
            try replay.read(Array(content))
        }
    }

    /// Creates a journal from a session in a store, up to its listed version.
    init(_ head: SessionHead, in store: any Journal) {
        self.init(name: head.record.id.description) { replay in
            if head.damage == 0 { throw ServerError.damaged(version: 0) }
            try replay.begin(head.record)
            try await store.forEachEntry(of: head) { try replay.read($0) }
        }
    }
}

extension Journal {
    /// The most entries in memory at a time.
    private static var pageSize: Int { 1_000 }

    /// Calls a body with a session's entries, up to a version.
    nonisolated(nonsending) func forEachEntry(
        of head: SessionHead, _ body: (JournalEntry) throws -> Void
    ) async throws {
        var version = 0
        while version < head.version {
            let limit = min(Self.pageSize, head.version - version)
            let entries: [JournalEntry]
            do throws(JournalError) {
                entries = try await read(head.record.id, after: version, limit: limit)
            } catch .damaged(let damaged) where damaged > version + 1 {
                // The entries before it can be read.
                entries = try await reading {
                    try await read(head.record.id, after: version, limit: damaged - version - 1)
                }
            } catch {
                throw ServerError(reading: error)
            }
            // The session has ended in the meantime.
            guard let last = entries.last else { return }
            for entry in entries { try body(entry) }
            version = last.version
        }
    }
}

/// Calls a store, which must be readable.
nonisolated(nonsending) func reading<Value>(
    _ call: nonisolated(nonsending) () async throws -> Value
) async throws -> Value {
    do {
        return try await call()
    } catch let error as JournalError {
        throw ServerError(reading: error)
    }
}

extension ServerError {
    /// The error for a session with an unreadable entry, or, for version 0, an unreadable record.
    static func damaged(version: Int) -> ServerError {
        .configuration(SessionError.damaged(version: version).description)
    }

    init(reading error: JournalError) {
        self =
            switch error {
            case .damaged(let version): .damaged(version: version)
            case .noSuchSession: .configuration("The session has just ended.")
            default: .unavailable("The store cannot be reached. Retry later.")
            }
    }
}
