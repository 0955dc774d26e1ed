import Foundation
import Logging
import Racing
import Testing

@testable import CoordinateServer
@testable import CoordinateTesting

/// The same events make the same documents, whichever process they are replayed in.
struct DeterminismTests {
    /// How many there are over all sessions; a million before anything is merged.
    static let events = ProcessInfo.processInfo.environment["DETERMINISM_EVENTS"].flatMap(Int.init) ?? 20_000
    private static let eventsOfASession = 10_000

    @Test func whatIsRecordedHereIsReplayedTheSameElsewhere() async throws {
        let season = try JSONDecoder().decode(
            Season.self, from: Data(contentsOf: Program.shipped.appending(path: "config/racing.json")))
        let host = AppHost(
            app: RacingApp(season: season), logger: Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() })
        try await Program.run(["serve", "--port", "0"]) { program in
            let server = TestServer(url: try await program.url())
            let handled = try await withThrowingTaskGroup(of: Int.self) { group in
                var handled = 0
                for seed in 1...max(1, Self.events / Self.eventsOfASession) {
                    // As many at a time as there are processors on a small machine.
                    if seed > 2 { handled += try await group.next() ?? 0 }
                    group.addTask { try await check(UInt64(seed), on: host, server) }
                }
                return try await group.reduce(handled, +)
            }
            #expect(handled > Self.events / 3, "random events lead nowhere")
        }
    }

    /// - Returns: how many events of one session somebody handled.
    private func check(_ seed: UInt64, on host: AppHost, _ server: TestServer) async throws -> Int {
        let recording = try Recording(seed: seed, events: Self.eventsOfASession, host: host)
        let client = try await server.client(replaying: recording.journal)
        let session = try #require(client.sessionID)
        #expect(try await client.exportedJournal() == recording.journal)
        for (version, route) in recording.routes {
            let replayed = try await client.get("/route?version=\(version)").text
            #expect(replayed.replacing(session, with: recording.session) == route, "seed \(seed), version \(version)")
        }
        #expect(try await client.delete("/sessions/\(session)").status == 204)
        return recording.handled
    }
}
