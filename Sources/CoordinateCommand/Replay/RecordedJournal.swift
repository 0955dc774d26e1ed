internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

/// A recorded journal, wherever it is kept.
struct RecordedJournal {
    /// Its name in reports.
    let name: String
    /// Hands all of it to a replay, part by part. What the replay throws it passes on; a ``ServerError`` of its own says that
    /// the journal cannot be read, and what to do about that.
    let read: nonisolated(nonsending) (JournalReplay) async throws -> Void
}

/// A place with recorded journals, as it is named on the command line.
enum JournalSource {
    case file(String)
    /// The files of a folder.
    case folder([String])
    /// A store, whose sessions are journals each.
    case store(any Journal)

    /// Sees that there is something. The files of a folder are in the order of their names; folders in it are not looked
    /// into.
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

    /// Goes through the journals there, one after the other: of a store, those of an app.
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
    /// The size of what is read of a file at a time, in bytes.
    private static let partSize = 1024 * 1024

    /// An exported journal. However long it is, little of it is in memory at a time.
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
    /// A session of a store, as far as it had come when it was listed.
    init(_ head: SessionHead, in store: any Journal) {
        self.init(name: head.record.id.description) { replay in
            try replay.begin(head.record)
            try await store.forEachEntry(of: head) { try replay.read($0) }
        }
    }
}

extension Journal {
    /// The most entries that are in memory at a time.
    private static var pageSize: Int { 1_000 }

    /// Goes through a session's entries, up to a version.
    nonisolated(nonsending) func forEachEntry(
        of head: SessionHead, _ body: (JournalEntry) throws -> Void
    ) async throws {
        var version = 0
        while version < head.version {
            let limit = min(Self.pageSize, head.version - version)
            let entries = try await read(head.record.id, after: version, limit: limit).readable
            // Its session has ended meanwhile.
            guard let last = entries.last else { return }
            for entry in entries { try body(entry) }
            version = last.version
        }
    }
}

extension Future where Failure == JournalError {
    /// The answer of a store, which has to be readable.
    var readable: Value {
        get async throws(ServerError) {
            do throws(JournalError) {
                return try await value
            } catch {
                throw .configuration(
                    "The store cannot be read, or this session has ended meanwhile. Try again when it can be reached.")
            }
        }
    }
}
