import CoordinateSessions
import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A server that stops while events are in progress.
struct StoppingTests {
    @Test func streamsHaveEveryAcknowledgedEvent() async throws {
        let server = try Server(
            app: try RacingApp.make(), configuration: .make(workers: 4), logger: .silent, clock: .system,
            journal: MemoryJournal())
        try await withServer(server, over: .socket) { running in
            try await withThrowingTaskGroup(of: (acknowledged: Int, received: Int).self) { group in
                for _ in 0..<24 {
                    let client = running.client()
                    try await client.open("/main/teams")
                    let stream = try await client.follow()
                    group.addTask {
                        async let received = stream.reduce(0) { max($0, $1.id ?? 0) }
                        // The link was the first event.
                        var acknowledged = 1
                        while let answer = try? await client.post(
                            "/events", json: ["event": "navigation.selectTab", "payload": ["tab": "TeamsCoordinator"]]),
                            answer.status == 200
                        {
                            acknowledged = try answer.json["version"]?.int ?? .max
                        }
                        return (acknowledged, await received)
                    }
                }
                // By then some events are in progress.
                try await waitUntil("no event is accepted") {
                    try await running.client().metric("coordinate_events_total") > 500
                }
                await server.stopElsewhere()
                for try await (acknowledged, received) in group { #expect(received >= acknowledged) }
            }
        }
    }

    /// The journal may still store it, so the client must not take it for refused.
    @Test func anEventWithoutAnOutcomeAtTheDeadlineIsUncertain() async throws {
        let journal = FaultyJournal()
        let server = try Server(
            app: try RacingApp.make(), configuration: .make(workers: 1), logger: .silent, clock: .system,
            journal: journal)
        try await withServer(server, over: .socket) { running in
            let client = running.client()
            _ = try await client.route()
            journal.hold()
            async let outcome = client.post("/events", json: ["event": "splash.didFinish"])
            await journal.waitUntilHeld()
            await server.stopElsewhere(deadline: .zero)
            #expect(try await outcome.isProblem("outcome-unknown", 504))
            journal.release()
        }
    }
}
