import Coordinate
import CoordinateSessions
import Foundation
import SessionFixtures
import Testing

@testable import CoordinateSQLite

/// An erased session leaves no byte in the file, its free pages and its log; sessions that share its events do not
/// notice.
struct ErasureTests {
    private let file = TemporaryFile()
    private let marker = "MARKER-\(UUID())"

    /// An entry with the marker in its payload.
    private func marked(_ version: Int, size: Int = 0) -> JournalEntry {
        JournalEntry(
            version: version, time: Timestamp(seconds: 1), appVersion: "1.0", event: "profile.rename",
            payload: .object([PlainField("name", .string(marker + String(repeating: "x", count: size)))]),
            at: "AppCoordinator", isHandled: true, handledBy: "AppCoordinator", path: "/main/profile")
    }

    private func open(_ rhythm: Compaction.Rhythm = Compaction.Rhythm()) throws -> SQLiteJournal {
        try SQLiteJournal(path: file.path, logger: .silent, rhythm)
    }

    /// Whether any file in the folder has the bytes of a text.
    private func isFound(_ text: String, in folder: URL? = nil) throws -> Bool {
        let folder = folder ?? file.folder
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
            try Data(contentsOf: folder.appending(path: name)).range(of: Data(text.utf8)) != nil
        }
    }

    /// Its entries are in the log alone, or filed after many moves, with pages that others have freed.
    @Test(arguments: [Compaction.Rhythm(bound: .max, least: .max), .init(bound: 8, least: 1, slice: 3)])
    func noByteOfASessionIsLeft(rhythm: Compaction.Rhythm) async throws {
        let journal = try open(rhythm)
        let record = SessionRecord.make(key: "key of \(marker)", attributes: ["owner": marker])
        let session = try await journal.add(record)
        let (other, former) = (try await journal.add(), try await journal.add())
        for version in 1...200 {
            try await journal.append(marked(version, size: version * 7), to: session)
            try await journal.append(.make(version: version), to: other)
            try await journal.append(.make(version: version), to: former)
        }
        try await journal.end(former, at: nil)
        #expect(try isFound(marker))

        #expect(try await journal.erase(session).holders == [])
        // The journal is still open, so that its write-ahead log is searched as well.
        #expect(try !isFound(marker))
        #expect(try !isFound(session.description))
        #expect(try await journal.head(of: session) == nil)
        #expect(try await journal.read(other, after: 0, limit: .max).count == 200)
        try await journal.append(.make(version: 201), to: other)
        #expect(journal.count == 1)
        await #expect(throws: JournalError.noSuchSession) { try await journal.erase(session) }
        journal.close()
        #expect(try !isFound(marker))
    }

    @Test func theLastSessionThatSharesAnEventTakesItAway() async throws {
        let journal = try open()
        defer { journal.close() }
        let session = try await journal.add()
        try await journal.append(.make(version: 1), to: session)
        try await journal.append(marked(2), to: session)
        let before = try await journal.fork(session, at: 1)
        let after = try await journal.fork(session, at: 2)
        let grandchild = try await journal.fork(after, at: 2)
        for session in [session, after] {
            _ = try await journal.erase(session)
            #expect(try isFound(marker))
        }
        _ = try await journal.erase(grandchild)
        #expect(try !isFound(marker))
        #expect(try await journal.entries(of: before).count == 1)
    }

    /// The log of a server that was killed has the session's bytes as well.
    @Test func theLogOfAKilledServerIsEmptied() async throws {
        let first = try open()
        let session = try await first.add()
        for version in 1...50 { try await first.append(marked(version), to: session) }
        // As a killed server leaves it.
        let copy = TemporaryFile()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
        }
        first.close()
        #expect(try isFound(marker, in: copy.folder))
        let second = try SQLiteJournal(path: copy.path, logger: .silent)
        _ = try await second.erase(session)
        second.close()
        #expect(try !isFound(marker, in: copy.folder))
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "A small file system cannot be mounted here."))
    func anErasureThatTheDiskHasNoRoomForIsFinishedLater() async throws {
        let disk = try SmallDisk(kibibytes: 6_144)
        let folder = URL(filePath: disk.folder)
        let journal = try SQLiteJournal(path: disk.folder + "/sessions.sqlite", logger: .silent)
        defer { journal.close() }
        let (session, other) = (try await journal.add(), try await journal.add())
        for version in 1...10 { try await journal.append(marked(version), to: session) }
        for version in 1...35 {
            let large = JournalEntry.make(version: version, path: String(repeating: "/teams", count: 16_000))
            try await journal.append(large, to: other)
        }
        await #expect(throws: JournalError.outcomeUnknown) { try await journal.erase(session) }
        try disk.resize(kibibytes: 32_768)
        let erasure = try await journal.erase(session)
        #expect(erasure.isContinuation)
        #expect(try !isFound(marker, in: folder))
        #expect(try await journal.head(of: other)?.version == 35)
        await #expect(throws: JournalError.noSuchSession) { try await journal.erase(session) }
    }
}
