import Coordinate
import CoordinateSessions
import Foundation
import SessionFixtures
import Testing

@testable import CoordinateSQLite

/// A disk without room is an outage without loss. The test needs its own file system, which only root can create.
@Suite(.enabled(if: SmallDisk.isAvailable, "A small file system cannot be mounted here: a full disk is not tested."))
struct FullDiskTests {
    /// Appends entries until the disk is full, and returns the last version.
    private func fill(_ journal: SQLiteJournal, appendingTo session: SessionID) async throws -> Int {
        var version = 0
        await #expect(throws: JournalError.unavailable) {
            while version < 100_000 {
                try await journal.append(.make(version: version + 1), to: session)
                version += 1
            }
        }
        return version
    }

    @Test func aFullDiskLosesNothingAndTheJournalContinuesWhenThereIsRoom() async throws {
        let disk = try SmallDisk(kibibytes: 512)
        let journal = try SQLiteJournal(path: disk.folder + "/sessions.sqlite", logger: .silent)
        defer { journal.close() }
        let session = try await journal.add()
        let version = try await fill(journal, appendingTo: session)
        #expect(version > 10)
        await #expect(throws: JournalError.unavailable) { try await journal.check() }
        await #expect(throws: JournalError.unavailable) { try await journal.add() }
        #expect(journal.count == 1)
        #expect(try await journal.head(of: session)?.version == version)
        #expect(try await journal.entries(of: session).count == version)

        try disk.resize(kibibytes: 8_192)
        try await journal.check()
        try await journal.append(.make(version: version + 1), to: session)
        #expect(try await journal.entries(of: session).map(\.version) == Array(1...(version + 1)))
    }

    @Test func leasesEndedOnAFullDiskEndWhenThereIsRoom() async throws {
        let disk = try SmallDisk(kibibytes: 512)
        let journal = try SQLiteJournal(path: disk.folder + "/sessions.sqlite", logger: .silent)
        defer { journal.close() }
        let timer = try await journal.add(.make(timers: [10]))
        #expect(try await journal.due(by: 10) == [timer])
        _ = try await fill(journal, appendingTo: try await journal.add(.make()))
        journal.endLeases(of: [timer])
        // SQLite may have made room for a small change meanwhile, by moving its log into the file.
        _ = try? await journal.check()
        try disk.resize(kibibytes: 8_192)
        #expect(try await journal.due(by: 10) == [timer])
    }
}

/// A file system in memory, of a given size.
final class SmallDisk: Sendable {
    let folder: String

    /// Whether one can be created.
    static let isAvailable = (try? SmallDisk(kibibytes: 64)) != nil

    init(kibibytes: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "coordinate-disk-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            try Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", folder])
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    func resize(kibibytes: Int) throws {
        try Self.run("/bin/mount", ["-o", "remount,size=\(kibibytes)k", folder])
    }

    deinit {
        try? Self.run("/bin/umount", ["--lazy", folder])
        try? FileManager.default.removeItem(atPath: folder)
    }

    private struct Failure: Error {}

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
    }
}
