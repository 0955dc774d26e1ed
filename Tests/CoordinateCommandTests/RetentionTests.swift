import Coordinate
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateSessions
import CoordinateTesting
import Foundation
import Glibc
import PostgreSQLCluster
import SessionFixtures
import Testing

/// `serve --keep-ended`, `coordinate-server archive` and `coordinate-server erase`.
struct RetentionTests {
    private nonisolated(nonsending) func withStores(
        _ body: nonisolated(nonsending) (_ store: String, _ folder: URL) async throws -> Void
    ) async throws {
        try await withFolder([:]) { folder in
            try await body("sqlite:\(folder.appending(path: "sessions.sqlite").path)", folder)
        }
        guard PostgreSQLCluster.isAvailable else { return }
        try await withFolder([:]) { folder in
            try await body(try await PostgreSQLCluster.shared.makeAddress(), folder)
        }
    }

    private nonisolated(nonsending) func serve(
        _ store: String, _ options: [String] = [],
        _ body: nonisolated(nonsending) (SessionClient) async throws -> Void
    ) async throws {
        try await Program.run(["serve", "--port", "0", "--journal", store] + options) { program in
            try await body(SessionClient(url: try await program.url()))
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
        }
    }

    /// A session with two events, and its exported journal.
    private func record(_ client: SessionClient, team: String = "haas") async throws -> (id: String, journal: [UInt8]) {
        let id = try #require(try await client.post("/sessions").json["id"]?.string)
        let session = client.inSession(id)
        _ = try await session.emit("splash.didFinish")
        _ = try await session.emit("teams.didSelect", ["team": JSON.string(team)])
        return (id, try await session.exportedJournal())
    }

    @Test func endedSessionsBecomeFilesAndLeaveTheStore() async throws {
        try await withStores { store, folder in
            let archive = folder.appending(path: "archive").path
            var recorded: (id: String, journal: [UInt8]) = ("", [])
            var kept = ""
            try await serve(store, ["--keep-ended", "1d"]) { client in
                recorded = try await record(client)
                kept = try await record(client, team: "ferrari").id
                #expect(try await client.delete("/sessions/\(recorded.id)").status == 204)
                // As ever for clients.
                #expect(try await client.get("/sessions/\(recorded.id)").status == 404)
                #expect(try await client.delete("/sessions/\(recorded.id)").status == 404)
                let list = try await client.get("/sessions").json["sessions"]?.array
                #expect(list?.map { $0["id"]?.string } == [kept])
                if !store.hasPrefix("sqlite:") {
                    // Servers may use the store meanwhile.
                    let outcome = try await Program.wholeOutcome(of: ["archive", "--to", archive, store])
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
            }
            if store.hasPrefix("sqlite:") {
                let outcome = try await Program.wholeOutcome(of: ["archive", "--to", archive, store])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output == "1 session archived to \(archive)\n")
            }
            let file = "\(archive)/\(recorded.id).ndjson"
            #expect(try FileManager.default.contentsOfDirectory(atPath: archive) == ["\(recorded.id).ndjson"])
            #expect(try Array(Data(contentsOf: URL(filePath: file))) == recorded.journal)
            let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
            #expect(try await Program.wholeOutcome(of: ["replay", archive]).status == 0)
            let again = try await Program.wholeOutcome(of: ["archive", "--to", archive, store])
            #expect(again.status == 0)
            #expect(again.output == "0 sessions archived to \(archive)\n")
            try await serve(store) { client in
                let answer = try await Web().post(client.url + "/sessions", recorded.journal, "application/x-ndjson")
                #expect(answer.status == 201)
                #expect(try await client.inSession(kept).route().path == "/main/teams/team/ferrari")
            }
        }
    }

    @Test func withoutTheSettingNothingIsKept() async throws {
        try await withStores { store, folder in
            try await serve(store) { client in
                let id = try await record(client).id
                #expect(try await client.delete("/sessions/\(id)").status == 204)
            }
            let outcome = try await Program.wholeOutcome(of: ["archive", "--to", folder.path, store])
            #expect(outcome.output == "0 sessions archived to \(folder.path)\n")
        }
    }

    /// Servers that share a store end a session that has just expired themselves.
    @Test func anExpiredSessionIsArchivedWithoutAServer() async throws {
        try await withStores { store, folder in
            let isShared = !store.hasPrefix("sqlite:")
            let journal: any Journal =
                isShared
                ? try PostgreSQLJournal(store, logger: .silent)
                : try SQLiteJournal(path: String(store.dropFirst("sqlite:".count)), logger: .silent)
            let (old, new) = (SessionRecord.make(), SessionRecord.make())
            for (record, expiry) in [(old, 1), (new, Int(Date().timeIntervalSince1970))] {
                try await journal.create(
                    record, with: [.make(version: 1)], until: Timestamp(seconds: expiry), limit: 10
                ).value
            }
            journal.close()
            let archive = folder.appending(path: "archive").path
            let outcome = try await Program.wholeOutcome(of: ["archive", "--to", archive, store])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let names = (isShared ? [old] : [old, new]).map { "\($0.id).ndjson" }
            #expect(outcome.output == "\(isShared ? "1 session" : "2 sessions") archived to \(archive)\n")
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: archive)) == Set(names))
        }
    }

    @Test func aJournalInMemoryKeepsNoneAndSaysSo() async throws {
        try await Program.run(["serve", "--port", "0", "--keep-ended", "1h"]) { program in
            _ = try await program.url()
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
            let log = await program.remainingErrors()
            #expect(log.contains("Ended sessions are not kept: a journal in memory ends with the server."), "\(log)")
        }
    }

    /// After an interruption each session is in the store or in a complete file, and the next run moves the rest.
    @Test func anInterruptedArchiveLosesNothing() async throws {
        try await withFolder([:]) { folder in
            let path = folder.appending(path: "sessions.sqlite").path
            let journal = try SQLiteJournal(path: path, logger: .silent)
            var names: [String: Int] = [:]
            // More sessions than a page, and one with several pages of entries.
            for number in 0..<200 {
                let record = SessionRecord.make()
                let history = (1...(number == 0 ? 600 : 20)).map { JournalEntry.make(version: $0) }
                names["\(record.id).ndjson"] = history.count
                try await journal.create(record, with: history, until: Timestamp(seconds: 1), limit: 1_000).value
            }
            journal.close()
            let archive = folder.appending(path: "archive").path
            func files() -> [String] {
                let all = (try? FileManager.default.contentsOfDirectory(atPath: archive)) ?? []
                return all.filter { $0.hasSuffix(".ndjson") }
            }
            try await Program.runFromShell(["archive", "--to", archive, "sqlite:\(path)"]) { program in
                while files().count < 3 { try await Task.sleep(for: .milliseconds(2)) }
                program.kill(SIGINT)
                #expect(await program.status() == 128 + SIGINT)
            }
            #expect(files().count < names.count, "the signal came too late")
            for file in files() {
                let text = try String(contentsOfFile: "\(archive)/\(file)", encoding: .utf8)
                #expect(text.split(separator: "\n").count - 1 == names[file])
                #expect(text.hasSuffix("\n"))
            }
            let outcome = try await Program.wholeOutcome(of: ["archive", "--to", archive, "sqlite:\(path)"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(Set(files()) == Set(names.keys))
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: archive)) == Set(names.keys))
            for (file, count) in names {
                let text = try String(contentsOfFile: "\(archive)/\(file)", encoding: .utf8)
                try #require(text.split(separator: "\n").count - 1 == count, "\(file)")
            }
        }
    }

    @Test func noFileIsOverwritten() async throws {
        try await withFolder([:]) { folder in
            let store = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
            var recorded: (id: String, journal: [UInt8]) = ("", [])
            try await serve(store, ["--keep-ended", "3600"]) { client in
                recorded = try await record(client)
                #expect(try await client.delete("/sessions/\(recorded.id)").status == 204)
            }
            let file = folder.appending(path: "\(recorded.id).ndjson")
            try Data("mine".utf8).write(to: file)
            let refused = try await Program.wholeOutcome(of: ["archive", "--to", folder.path, store])
            #expect(refused.status == 78)
            #expect(refused.errors.contains("another content"))
            #expect(try Data(contentsOf: file) == Data("mine".utf8))

            // As after an interruption: the file is complete, or only begun.
            try Data(recorded.journal).write(to: file)
            try Data("half".utf8).write(to: folder.appending(path: ".\(recorded.id).ndjson.partial"))
            let outcome = try await Program.wholeOutcome(of: ["archive", "--to", folder.path, store])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("1 session archived"))
            #expect(try Array(Data(contentsOf: file)) == recorded.journal)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasSuffix(".partial") })
        }
    }

    @Test func anErasedSessionLeavesNoByteInTheFile() async throws {
        try await withStores { store, folder in
            var (id, fork) = ("", "")
            try await Program.run(["serve", "--port", "0", "--journal", store]) { program in
                let client = SessionClient(url: try await program.url())
                id = try #require(try await client.post("/sessions").json["id"]?.string)
                let session = client.inSession(id)
                _ = try await session.emit("splash.didFinish")
                fork = try #require(try await session.fork(at: 1).sessionID)
                _ = try await session.emit("navigation.selectTab", ["tab": "ProfileCoordinator"])
                _ = try await session.emit("profile.edit")
                _ = try await session.emit("profile.rename", ["name": "Marker 3017"])
                if store.hasPrefix("sqlite:") {
                    let refused = try await Program.wholeOutcome(of: ["erase", id, store])
                    #expect(refused.status == 78)
                    #expect(refused.errors.contains("in use"))
                }
                // Its last writes stay in SQLite's log.
                program.kill(SIGKILL)
                _ = await program.status()
            }
            let outcome = try await Program.wholeOutcome(of: ["erase", id, store])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("The session is erased.\nIts fork \(fork) has event 1 of it"))
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let data = try Data(contentsOf: folder.appending(path: name))
                #expect(data.range(of: Data("Marker 3017".utf8)) == nil, "\(name)")
            }
            if !store.hasPrefix("sqlite:") { #expect(outcome.output.contains("write-ahead log")) }
            try await serve(store) { client in
                #expect(try await client.get("/sessions/\(id)").status == 404)
                let outcome = try await client.inSession(fork).emit(
                    "navigation.selectTab", ["tab": "ProfileCoordinator"])
                #expect(outcome.version == 2)
            }
        }
    }

    @Test func unknownSessionsAndStoresAreReported() async throws {
        try await withFolder([:]) { folder in
            let path = folder.appending(path: "sessions.sqlite").path
            let (id, dashed) = ("AAAAAAAAAAAAAAAAAAAAAA", "-AAAAAAAAAAAAAAAAAAAAA")
            for arguments in [["erase", id], ["erase", dashed], ["archive", "--to", folder.path]] {
                let outcome = try await Program.wholeOutcome(of: arguments + ["sqlite:\(path)"])
                #expect(outcome.status == 69, "\(outcome)")
                #expect(outcome.errors.contains("There is no journal"))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            let unused = folder.appending(path: "unused").path
            let missing = try await Program.wholeOutcome(of: ["archive", "--to", unused, "sqlite:\(path)"])
            #expect(missing.status == 69)
            #expect(!FileManager.default.fileExists(atPath: unused))
            try await serve("sqlite:\(path)") { _ in }
            for session in [id, dashed] {
                let outcome = try await Program.wholeOutcome(of: ["erase", session, "sqlite:\(path)"])
                #expect(outcome.status == 78)
                #expect(outcome.errors.contains("The session is not in the store."))
            }
            let outcome = try await Program.wholeOutcome(of: ["archive", "--to", path, "sqlite:\(path)"])
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("cannot be"))
        }
    }
}
