internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

/// A recorded journal, in a file or a store.
struct RecordedJournal {
    /// The name of the journal in reports.
    let name: String
    /// Gives the whole journal to a replay, part by part. It rethrows the errors of the replay; its own is a
    /// ``ServerError`` with the reason why the journal cannot be read, and what to do about that.
    let read: nonisolated(nonsending) (JournalReplay) async throws -> Void
}

/// A place with recorded journals, named on the command line.
enum JournalSource {
    case file(String)
    /// The files of a folder.
    case folder([String])
    /// A store, in which each session is a journal.
    case store(any Journal)

    /// Finds the journals at a place. The files of a folder are in the order of their names; its subfolders are
    /// ignored.
    init(_ place: String, in stores: Stores) throws {
        if stores.isStore(place) {
            self = .store(try stores.address(place).openForReading())
            return
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
            guard FileManager.default.fileExists(atPath: place) else {
                throw ServerError.configuration(
                    "There is no journal \(place). Name an exported one, or a folder with some.")
            }
            self = .file(place)
            return
        }
        let files = names.filter { $0.hasSuffix(".ndjson") }.sorted()
        guard !files.isEmpty else {
            throw ServerError.configuration(
                "There is no journal in the folder \(place): no file whose name ends in .ndjson. Name another one.")
        }
        self = .folder(files.map { place.hasSuffix("/") ? place + $0 : "\(place)/\($0)" })
    }

    /// Calls a body with each journal there, one after the other; of a store, with those of an app.
    nonisolated(nonsending) func forEachJournal(
        of app: String, _ body: nonisolated(nonsending) (RecordedJournal) async throws -> Void
    ) async throws {
        switch self {
        case .file(let path): try await body(RecordedJournal(file: path))
        case .folder(let paths): for path in paths { try await body(RecordedJournal(file: path)) }
        case .store(let store):
            var query = SessionQuery(app: app, limit: 1_000)
            repeat {
                let page = try await store.list(query).readable
                for head in page.sessions { try await body(RecordedJournal(head, in: store)) }
                query.after = page.next
            } while query.after != nil
        }
    }
}

extension RecordedJournal {
    /// The number of bytes that are read of a file at a time.
    private static let partSize = 1024 * 1024

    /// Makes a journal of an exported file. However long it is, only a part of it is in memory at a time.
    init(file path: String) {
        self.init(name: path) { replay in
            let unreadable = ServerError.configuration("The journal \(path) cannot be read. Name an exported one.")
            guard let file = FileHandle(forReadingAtPath: path) else { throw unreadable }
            defer { try? file.close() }
            func nextPart() throws(ServerError) -> Data? {
                do {
                    return try file.read(upToCount: Self.partSize)
                } catch {
                    throw unreadable
                }
            }
            while let part = try nextPart(), !part.isEmpty { try replay.read(Array(part)) }
        }
    }
}

extension RecordedJournal {
    /// Makes a journal of a session in a store, up to its version when it was listed.
    init(_ head: SessionHead, in store: any Journal) {
        self.init(name: head.record.id.description) { replay in
            if head.damage == 0 { throw ServerError.damaged(version: 0) }
            try replay.begin(head.record)
            try await store.forEachEntry(of: head) { try replay.read($0) }
        }
    }
}

extension Journal {
    /// The most entries that are in memory at a time.
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
                entries = try await read(head.record.id, after: version, limit: limit).value
            } catch .damaged(let damaged) where damaged > version + 1 {
                // Those before it can be read.
                entries = try await read(head.record.id, after: version, limit: damaged - version - 1).readable
            } catch {
                throw ServerError(reading: error)
            }
            // Its session has ended meanwhile.
            guard let last = entries.last else { return }
            for entry in entries { try body(entry) }
            version = last.version
        }
    }
}

extension Future where Failure == JournalError {
    /// The result of a store, which has to be readable.
    var readable: Value {
        get async throws(ServerError) {
            do throws(JournalError) {
                return try await value
            } catch {
                throw ServerError(reading: error)
            }
        }
    }
}

extension ServerError {
    /// The error for a session of which a store cannot read an entry, or, for version 0, the record.
    static func damaged(version: Int) -> ServerError {
        .configuration(SessionError.damaged(version: version).description)
    }

    fileprivate init(reading error: JournalError) {
        if case .damaged(let version) = error {
            self = .damaged(version: version)
        } else {
            self = .configuration(
                "The store cannot be read, or this session has ended meanwhile. Try again when it can be reached.")
        }
    }
}
