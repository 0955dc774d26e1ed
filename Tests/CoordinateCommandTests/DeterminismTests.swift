import CoordinateSessions
import Foundation
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer
@testable import CoordinateTesting

/// The same events lead to the same documents, in whichever process they are replayed.
struct DeterminismTests {
    /// The number of events over all sessions, which `DETERMINISM_EVENTS` sets.
    static let events = ProcessInfo.processInfo.environment["DETERMINISM_EVENTS"].flatMap(Int.init) ?? 2_000
    /// A busy machine needs long to import that many, and a request must be answered within a minute.
    private static let eventsOfASession = 1_000

    @Test func anotherProcessReplaysTheSameDocuments() async throws {
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
                    // As many at a time as a small machine has processors.
                    if seed > 2 { handled += try await group.next() ?? 0 }
                    group.addTask { try await check(UInt64(seed), in: registry, server) }
                }
                return try await group.reduce(handled, +)
            }
            #expect(handled > Self.events / 3, "random events lead nowhere")
        }
    }

    /// - Returns: The number of handled events of one session.
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
