import Foundation
import Glibc
import Testing

@testable import CoordinateTesting

/// A turn that never ends harms its own session, and nobody else's.
struct HangingSessionTests {
    @Test(arguments: ["memory", "sqlite:journal.sqlite"])
    func othersAreServedAndItsOwnRequestsAreRefused(journal: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hang-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let house = CrashHouse(journal: journal, folder: folder)
        try await house.serve(["COORDINATE_WORKERS": "2"]) { _, client in
            let hanging = try #require(try await client.post("/sessions", json: [:]).json["id"]?.string)
            let other = try #require(try await client.post("/sessions", json: [:]).json["id"]?.string)
            let first = Task { try? await client.inSession(hanging).post("/events", json: ["event": "payment.loop"]) }
            defer { first.cancel() }
            // Those behind it are refused once it is known to hang.
            var queued = try await client.inSession(hanging).post("/events", json: ["event": "payment.step"])
            while queued.status == 200 {
                queued = try await client.inSession(hanging).post("/events", json: ["event": "payment.step"])
            }
            #expect(queued.status == 503)
            let later = try await client.inSession(hanging).post("/events", json: ["event": "payment.step"])
            #expect(try later.json["type"] == "/problems/too-busy")
            for version in 1...20 {
                let answer = try await client.inSession(other).post("/events", json: ["event": "payment.step"])
                #expect(try answer.json["version"] == .int(version))
            }
        }
    }
}
