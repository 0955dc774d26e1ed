import CoordinateServer
import CoordinateSessions
import Foundation

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

    /// Sees that there is something. The files of a folder are in the order of their names; folders in it are not looked
    /// into.
    init(_ place: String) throws(ServerError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
            guard FileManager.default.fileExists(atPath: place) else {
                throw .configuration("There is no journal \(place). Name an exported one, or a folder with some.")
            }
            self = .file(place)
            return
        }
        let files = names.filter { $0.hasSuffix(".ndjson") }.sorted()
        guard !files.isEmpty else {
            throw .configuration(
                "There is no journal in the folder \(place): no file whose name ends in .ndjson. Name another one.")
        }
        self = .folder(files.map { place.hasSuffix("/") ? place + $0 : "\(place)/\($0)" })
    }

    /// Goes through the journals there, one after the other.
    nonisolated(nonsending) func forEachJournal(
        _ body: nonisolated(nonsending) (RecordedJournal) async throws -> Void
    ) async throws {
        switch self {
        case .file(let path): try await body(RecordedJournal(file: path))
        case .folder(let paths): for path in paths { try await body(RecordedJournal(file: path)) }
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
