import Coordinate
import CoordinateSQLite
import CoordinateSessions
import CoordinateTesting
import Foundation
import GRDB
import Glibc
import SessionFixtures
import Testing

/// `coordinate-server replay`, `export` and others on a store that may be in use.
struct StoreToolTests {
    /// A recorded session, with what the tools need of it.
    private struct Recorded {
        let id: String
        let journal: String
    }

    /// A history whose first event was recorded otherwise.
    private static func history(_ count: Int) -> [JournalEntry] {
        (1...count).map { version in
            JournalEntry(
                version: version, time: Timestamp(seconds: 1), appVersion: "1.0", event: "splash.didFinish",
                payload: .object([]), at: "AppCoordinator/SplashCoordinator", isHandled: true,
                handledBy: "AppCoordinator", path: "/main/garage")
        }
    }

    private func record(_ url: String, team: String) async throws -> Recorded {
        let client = SessionClient(url: url)
        _ = try await client.emit("splash.didFinish")
        _ = try await client.emit("teams.didSelect", ["team": JSON.string(team)])
        return Recorded(
            id: try await client.session().id,
            journal: String(decoding: try await client.exportedJournal(), as: UTF8.self))
    }

    @Test func sessionsAreReplayedAndExportedWhileTheStoreIsInUse() async throws {
        try await withFolder { folder in
            let store = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
            try await Program.run(["serve", "--port", "0", "--journal", store]) { program in
                let url = try await program.url()
                let first = try await record(url, team: "ferrari")
                let second = try await record(url, team: "haas")

                let replay = try await Program.wholeOutcome(of: ["replay", store])
                #expect(replay.status == 0)
                #expect(replay.errors == "")
                let lines = replay.output.split(separator: "\n").map(String.init)
                #expect(lines.count == 3)
                #expect(lines.contains("ok          \(first.id)  /main/teams/team/ferrari"))
                #expect(lines.contains("ok          \(second.id)  /main/teams/team/haas"))
                #expect(lines.last == "2 journals: 2 ok")

                for session in [first, second] {
                    let export = try await Program.wholeOutcome(of: ["export", session.id, "--journal", store])
                    #expect(export.status == 0)
                    #expect(export.output == session.journal)
                }
                program.kill(SIGTERM)
                #expect(await program.status() == 0)
            }
            // The same when no server uses the store.
            #expect(try await Program.wholeOutcome(of: ["replay", store]).status == 0)
        }
    }

    /// As with a backup that is mounted read-only.
    @Test(arguments: [false, true]) func aStoreInAReadOnlyFolderIsRead(isKilled: Bool) async throws {
        try await withFolder { folder in
            let store = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
            try await Program.run(["serve", "--port", "0", "--journal", store]) { program in
                _ = try await record(try await program.url(), team: "ferrari")
                // If it is killed, its last writes stay in SQLite's log.
                program.kill(isKilled ? SIGKILL : SIGTERM)
                _ = await program.status()
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let path = folder.appending(path: name).path
                if name.hasSuffix("-shm") {
                    try FileManager.default.removeItem(atPath: path)
                } else {
                    chmod(path, 0o444)
                }
            }
            chmod(folder.path, 0o555)
            defer { chmod(folder.path, 0o755) }
            // Root can write to any folder.
            let isRoot = geteuid() == 0
            let command = try [Program.executable("coordinate-server").path, "replay", store]
            let asOther = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
            // Another user may not have access to the build folder.
            let needed = ["-x", command[0], "-a", "-r", folder.path, "-a", "-r", Program.shipped.path]
            if isRoot {
                let outcome = try await Program.wholeOutcome(
                    of: asOther + ["/usr/bin/test"] + needed, of: "/usr/bin/setpriv")
                guard outcome.status == 0 else { return }
            }
            let replay = try await Program.wholeOutcome(
                of: isRoot ? asOther + command : Array(command.dropFirst()),
                of: isRoot ? "/usr/bin/setpriv" : command[0]
            )
            #expect(replay.output.contains("/main/teams/team/ferrari"), "\(replay.errors)")
            #expect(replay.status == 0)
        }
    }

    @Test func sessionsThatWouldDifferAreNamed() async throws {
        try await withStore([Self.history(1)], others: 1) { path, records in
            let outcome = try await Program.wholeOutcome(of: ["replay", "sqlite:\(path)"])
            #expect(outcome.status == 1)
            #expect(outcome.output == "differs     \(records[0].id)  line 2\n1 journal: 1 differs\n")
            #expect(outcome.errors.contains("\(records[0].id): Line 2: "))
            #expect(outcome.errors.contains("/main/garage"))
        }
    }

    @Test func entriesBeforeADamagedOneAreRead() async throws {
        try await withStore([Self.history(2)]) { path, records in
            let database = try DatabaseQueue(path: path)
            try await database.write { database in
                for table in ["entries", "log"] {
                    try database.execute(sql: "UPDATE \(table) SET content = x'7b' WHERE version = 2")
                }
            }
            try database.close()
            let outcome = try await Program.wholeOutcome(of: ["replay", "sqlite:\(path)"])
            #expect(outcome.status == 1)
            #expect(outcome.output == "differs     \(records[0].id)  line 2\n1 journal: 1 differs\n")
        }
    }

    /// The tools read sessions and entries in pages of up to a thousand.
    @Test func aStoreOfSeveralPagesIsReadToItsEnd() async throws {
        let history = (1...1_200).map { version in
            JournalEntry(
                version: version, time: Timestamp(seconds: 1), appVersion: "1.0", event: "navigation.back",
                payload: .object([]), at: "AppCoordinator/SplashCoordinator", isHandled: false, handledBy: nil,
                path: "/splash")
        }
        try await withStore(Array(repeating: [], count: 1_000) + [history]) { path, records in
            let last = records[1_000].id.description
            let replay = try await Program.wholeOutcome(of: ["replay", "sqlite:\(path)"])
            #expect(replay.output.hasSuffix("\n1001 journals: 1001 ok\n"), "\(replay.errors.prefix(500))")
            let check = try await Program.wholeOutcome(of: ["deploy-check", "sqlite:\(path)"])
            #expect(check.output == "1001 sessions: 1001 ok\n", "\(check.errors.prefix(500))")
            let export = try await Program.wholeOutcome(of: ["export", last, "--journal", "sqlite:\(path)"])
            #expect(export.output.split(separator: "\n").count == 1_201)
        }
    }

    @Test func missingStoresAndSessionsAreReported() async throws {
        try await withFolder(["notes.sqlite": String(repeating: "These are notes.", count: 100)]) { folder in
            let path = folder.appending(path: "sessions.sqlite").path
            let id = SessionID.random().description
            let dashed = "-\(id.dropFirst())"
            for arguments in [
                ["replay", "sqlite:\(path)"], ["export", id, "--journal", "sqlite:\(path)"],
                ["export", dashed, "--journal", "sqlite:\(path)"], ["export", "--journal", "sqlite:\(path)", dashed],
                ["erase", id, "sqlite:\(path)"], ["erase", dashed, "sqlite:\(path)"],
            ] {
                let outcome = try await Program.wholeOutcome(of: arguments)
                #expect(outcome.status == 69, "\(outcome)")
                #expect(outcome.errors.contains("There is no journal"))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            let notes = folder.appending(path: "notes.sqlite").path
            #expect(try await Program.wholeOutcome(of: ["replay", "sqlite:\(notes)"]).status == 78)

            try SQLiteJournal(path: path, logger: .silent).close()
            for arguments in [["export", id, "--journal", "sqlite:\(path)"], ["erase", dashed, "sqlite:\(path)"]] {
                let outcome = try await Program.wholeOutcome(of: arguments)
                #expect(outcome.status == 78)
                #expect(outcome.errors.contains("The session is not in the store."))
            }
            #expect(try await Program.wholeOutcome(of: ["replay", "sqlite:\(path)"]).output == "0 journals\n")
            #expect(try await Program.wholeOutcome(of: ["deploy-check", "sqlite:\(path)"]).output == "0 sessions\n")
        }
    }

    @Test func aStoreThatIsNamedLikeAFileIsExplained() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "sessions.sqlite").path
            try SQLiteJournal(path: path, logger: .silent).close()
            let replay = try await Program.wholeOutcome(of: ["replay", path])
            #expect(replay.status == 78)
            #expect(replay.errors.hasSuffix("If it is a store, name it sqlite:\(path).\n"), "\(replay.errors)")
            let check = try await Program.wholeOutcome(of: ["deploy-check", path])
            #expect(check.status == 64)
            #expect(check.errors.contains("Did you mean sqlite:\(path)?"), "\(check.errors)")
        }
    }
}

/// Runs the body with a store of sessions with these histories, and their records.
///
/// - Parameter others: The number of sessions of another app.
nonisolated(nonsending) func withStore(
    _ histories: [[JournalEntry]], app: String = "Racing", others: Int = 0,
    _ body: nonisolated(nonsending) (_ path: String, [SessionRecord]) async throws -> Void
) async throws {
    try await withFolder([:]) { folder in
        let path = folder.appending(path: "sessions.sqlite").path
        let journal = try SQLiteJournal(path: path, logger: .silent)
        let records = histories.map { _ in SessionRecord.make(app: app) }
        let other = (0..<others).map { _ in (SessionRecord.make(app: "Notes"), [JournalEntry]()) }
        for (record, history) in Array(zip(records, histories)) + other {
            try await journal.create(record, with: history, until: Timestamp(seconds: 4_000_000_000), limit: 2_000)
        }
        journal.close()
        try await body(path, records)
    }
}
