import Coordinate
import CoordinateSQLite
import CoordinateSessions
import Foundation
import SessionFixtures
import Testing

/// The write-ahead log, which is copied into the file while entries are appended.
struct LogCopierTests {
    private let file = TemporaryFile()

    @Test func theLogStaysShortWhileEntriesAreAppended() async throws {
        let journal = try SQLiteJournal(path: file.path, logger: .silent)
        defer { journal.close() }
        let path = "/" + String(repeating: "x", count: 16_000)
        // Each of 8 clients appends 400 entries to its own session: 51 MB.
        let sessions = try await withThrowingTaskGroup(of: SessionID.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let session = try await journal.add()
                    for version in 1...400 {
                        try await journal.append(.make(version: version, path: path), to: session)
                    }
                    return session
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let size = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int
        #expect(try #require(size) < 32 << 20)
        let reader = try SQLiteJournal(reading: file.path, logger: .silent)
        defer { reader.close() }
        for session in sessions {
            #expect(try await reader.read(session, after: 0, limit: .max).map(\.version) == Array(1...400))
        }
    }
}
