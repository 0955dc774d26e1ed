import CoordinateSessions
import Foundation
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer
@testable import CoordinateTesting

/// The same events make the same documents, whichever process they are replayed in.
struct DeterminismTests {
    /// How many there are over all sessions; a million before anything is merged.
    static let events = ProcessInfo.processInfo.environment["DETERMINISM_EVENTS"].flatMap(Int.init) ?? 20_000
    /// A busy machine takes long to import so many, and a request is answered within a minute.
    private static let eventsOfASession = 1_000

    @Test func whatIsRecordedHereIsReplayedTheSameElsewhere() async throws {
        let app = HostedApp(try RacingApp.make(), logger: .silent)
        let registry = SessionRegistry(
            SessionHost(
                app: app, journal: MemoryJournal(), limits: .make(), executor: InlineExecutor.shared,
                encode: app.routeEncoder))
        try await Program.run(["serve", "--port", "0"]) { program in
            let server = TestServer(url: try await program.url())
            let handled = try await withThrowingTaskGroup(of: Int.self) { group in
                var handled = 0
                for seed in 1...max(1, Self.events / Self.eventsOfASession) {
                    // As many at a time as there are processors on a small machine.
                    if seed > 2 { handled += try await group.next() ?? 0 }
                    group.addTask { try await check(UInt64(seed), in: registry, server) }
                }
                return try await group.reduce(handled, +)
            }
            #expect(handled > Self.events / 3, "random events lead nowhere")
        }
    }

    /// - Returns: how many events of one session somebody handled.
    private func check(_ seed: UInt64, in registry: SessionRegistry, _ server: TestServer) async throws -> Int {
        let recording = try await Recording(seed: seed, events: Self.eventsOfASession, registry: registry)
        let client = try await server.client(replaying: recording.journal)
        let session = try #require(client.sessionID)
        #expect(recording.isSame(as: try await client.exportedJournal()), "seed \(seed)")
        for (version, route) in recording.routes {
            let replayed = try await client.get("/route?version=\(version)").text
            #expect(replayed.replacing(session, with: recording.session) == route, "seed \(seed), version \(version)")
        }
        #expect(try await client.delete("/sessions/\(session)").status == 204)
        return recording.handled
    }
}
