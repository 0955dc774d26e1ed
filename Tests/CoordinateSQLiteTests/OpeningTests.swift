import Coordinate
import CoordinateSessions
import Foundation
import GRDB
import SessionFixtures
import Testing

@testable import CoordinateSQLite

/// The files that a journal refuses to open, and the reasons.
struct OpeningTests {
    private let file = TemporaryFile()

    private func open(_ path: String? = nil) throws(JournalOpeningError) -> SQLiteJournal {
        try SQLiteJournal(path: path ?? file.path, logger: .silent)
    }

    private func refusal(of path: String? = nil, reading: Bool = false) -> JournalOpeningError? {
        do throws(JournalOpeningError) {
            if reading { _ = try SQLiteJournal(reading: path ?? file.path) } else { _ = try open(path) }
            return nil
        } catch {
            return error
        }
    }

    /// A journal with a session of many entries, closed.
    private func fill() async throws {
        let journal = try open()
        defer { journal.close() }
        let history = (1...2_000).map { JournalEntry.make(version: $0) }
        try await journal.create(.make(), with: history, until: Timestamp(seconds: 100), limit: 10)
    }

    @Test func aFileInUseIsRefusedAndItsOwnerNamed() throws {
        let journal = try open()
        let message = try #require(refusal()?.unusable)
        #expect(message.contains("process \(ProcessInfo.processInfo.processIdentifier) "))
        journal.close()
        withExtendedLifetime(journal) {}
    }

    /// Names that lead to the journal's file.
    @Test(arguments: ["symbolic link", "hard link", "folder"])
    func aFileInUseIsRefusedUnderEveryName(name: String) async throws {
        let manager = FileManager.default
        let journal = try open()
        defer { journal.close() }
        let other = file.folder.appending(path: "other.sqlite").path
        switch name {
        case "symbolic link": try manager.createSymbolicLink(atPath: other, withDestinationPath: file.path)
        case "hard link": try manager.linkItem(atPath: file.path, toPath: other)
        default:
            let folder = file.folder.appending(path: "link").path
            try manager.createSymbolicLink(atPath: folder, withDestinationPath: file.folder.path)
            #expect(refusal(of: "\(folder)/sessions.sqlite")?.unusable != nil)
            return
        }
        #expect(refusal(of: other)?.unusable != nil)
        // The first journal still owns it.
        #expect(refusal()?.unusable != nil)
        try await journal.create(.make(), with: [], until: Timestamp(seconds: 100), limit: 10)
    }

    @Test func entriesWrittenUnderOneNameAreReadUnderAnother() async throws {
        let link = file.folder.appending(path: "link.sqlite").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        let record = SessionRecord.make()
        let journal = try open(link)
        try await journal.create(record, with: [], until: Timestamp(seconds: 100), limit: 10)
        journal.close()
        let again = try open()
        defer { again.close() }
        #expect(try await again.head(of: record.id)?.record == record)
    }

    @Test func aFileThatIsNotADatabaseIsRefusedAndUnchanged() throws {
        let content = Data(String(repeating: "These are notes, not a database. ", count: 100).utf8)
        try content.write(to: URL(filePath: file.path))
        let message = try #require(refusal()?.unusable)
        #expect(message.contains("is not a journal"))
        #expect(try Data(contentsOf: URL(filePath: file.path)) == content)
    }

    @Test func theDatabaseOfAnotherProgramIsRefusedAndUnchanged() throws {
        let other = try DatabaseQueue(path: file.path)
        try other.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
        try other.close()
        let content = try Data(contentsOf: URL(filePath: file.path))
        let message = try #require(refusal()?.unusable)
        #expect(message.contains("another program"))
        #expect(try Data(contentsOf: URL(filePath: file.path)) == content)
    }

    @Test func aNewerFileIsRefused() async throws {
        try await fill()
        let newer = try DatabaseQueue(path: file.path)
        try await newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')") }
        try newer.close()
        for reading in [false, true] {
            let message = try #require(refusal(reading: reading)?.unusable)
            #expect(message.contains("newer version"))
        }
    }

    /// A page somewhere in the file has other bytes, or with `nil` the second half is missing.
    @Test(arguments: [0.2, 0.5, 0.8, nil]) func aDamagedFileIsRefused(place: Double?) async throws {
        try await fill()
        var content = try Data(contentsOf: URL(filePath: file.path))
        if let place {
            let start = Int(Double(content.count) * place) / 4_096 * 4_096
            content.replaceSubrange(start..<(start + 4_096), with: Data(repeating: 0xA5, count: 4_096))
        } else {
            content.removeLast(content.count / 2)
        }
        try content.write(to: URL(filePath: file.path))
        let message = try #require(refusal()?.unusable)
        #expect(message.contains("damaged"))
        #expect(message.contains("backup"))
    }

    @Test func aMissingFolderIsReported() {
        guard case .unreachable(let message) = refusal(of: file.path + "/nowhere/sessions.sqlite") else {
            return #expect(Bool(false), "opened")
        }
        #expect(message.contains("folder"))
    }

    @Test(arguments: [false, true]) func aFolderIsRefused(reading: Bool) throws {
        try FileManager.default.createDirectory(at: file.folder, withIntermediateDirectories: true)
        let message = try #require(refusal(of: file.folder.path, reading: reading)?.unusable)
        #expect(message.contains("is a folder"))
    }

    // MARK: Reading only

    @Test func onlyAnExistingJournalCanBeRead() {
        guard case .unreachable = refusal(reading: true) else { return #expect(Bool(false), "opened") }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

extension JournalOpeningError {
    fileprivate var unusable: String? { if case .unusable(let message) = self { message } else { nil } }
}
