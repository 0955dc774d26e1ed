import Coordinate
import CoordinateTesting
import Foundation
import Glibc
import SessionFixtures
import Testing

/// `coordinate-server erase`.
struct ErasureTests {
    @Test(arguments: CrashHouse.Store.durable)
    func anErasedSessionLeavesNoByteInTheFile(kind: CrashHouse.Store) async throws {
        try await CrashHouse.with(kind) { house in
            let (store, folder) = (house.journal, house.folder)
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
                if kind == .sqlite {
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
            if kind == .postgreSQL { #expect(outcome.output.contains("write-ahead log")) }
            try await Program.run(["serve", "--port", "0", "--journal", store]) { program in
                let client = SessionClient(url: try await program.url())
                #expect(try await client.get("/sessions/\(id)").status == 404)
                let outcome = try await client.inSession(fork).emit(
                    "navigation.selectTab", ["tab": "ProfileCoordinator"])
                #expect(outcome.version == 2)
            }
        }
    }
}
