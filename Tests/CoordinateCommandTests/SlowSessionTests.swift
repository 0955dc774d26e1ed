import Foundation
import RawClient
import Synchronization
import Testing

@testable import CoordinateTesting

/// A session whose turns are long or endless does not delay other sessions.
@Suite(.serialized) struct SlowSessionTests {
    private static let step: JSON = ["event": "payment.step"]

    private static func linger(_ milliseconds: Int) -> JSON {
        ["event": "payment.linger", "payload": ["milliseconds": .int(milliseconds)]]
    }

    @Test(arguments: CrashHouse.Store.all)
    func otherSessionsAreServedDuringSlowTurns(store: CrashHouse.Store) async throws {
        try await serve(store) { _, client in
            let slow = try await makeSession(client)
            let others = try await [makeSession(client), makeSession(client)]
            let turns = 6
            let answered = Counter()
            let posts = try await withThrowingTaskGroup(of: Posts.self) { group in
                for _ in 0..<turns {
                    group.addTask {
                        let answer = try await slow.post("/events", json: Self.linger(700))
                        // On a busy machine it may last so long that waiting requests are refused.
                        #expect([200, 503].contains(answer.status))
                        answered.add()
                        return Posts()
                    }
                }
                for other in others {
                    for headers in [[:], ["Connection": "close"]] {
                        group.addTask {
                            try await self.post(to: other, headers, beside: slow) { answered.count < turns }
                        }
                    }
                }
                return try await group.reduce(Posts(), +)
            }
            // If they waited for the slow turns, none would be answered before the turn during which it began is over.
            #expect(posts.withinATurn > 0, "\(posts)")
        }
    }

    /// The number of events sent, and of those answered before a slow turn of another session was over.
    private struct Posts {
        var all = 0
        var withinATurn = 0

        static func + (one: Posts, other: Posts) -> Posts {
            Posts(all: one.all + other.all, withinATurn: one.withinATurn + other.withinATurn)
        }
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)

        var count: Int { value.load(ordering: .relaxed) }

        func add() { value.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Sends events while another session is working.
    private func post(
        to session: SessionClient, _ headers: [String: String], beside slow: SessionClient, while isAtWork: () -> Bool
    ) async throws -> Posts {
        var posts = Posts()
        var version = try await slow.session().version
        while isAtWork() {
            let answer = try await session.post("/events", json: Self.step, headers: headers)
            #expect(answer.status == 200)
            let next = try await slow.session().version
            posts.all += 1
            if next == version { posts.withinATurn += 1 }
            version = next
        }
        return posts
    }

    @Test(arguments: CrashHouse.Store.all)
    func otherSessionsAreServedDuringAnEndlessTurn(store: CrashHouse.Store) async throws {
        try await serve(store) { _, client in
            let (hanging, other) = try await (makeSession(client), makeSession(client))
            let loop = try beginLoop(in: hanging)
            // Waiting requests are refused when the session is known to hang.
            while await status(of: Self.step, in: hanging) != 503 {}
            let refused = try await hanging.post("/events", json: Self.step)
            #expect(try refused.json["type"] == "/problems/too-busy")
            // A machine that is busy with the loop may sometimes delay a store.
            var statuses: [Int] = []
            while statuses.count(where: { $0 == 200 }) < 20, statuses.count < 60 {
                statuses.append(try await other.post("/events", json: Self.step).status)
            }
            #expect(statuses.count(where: { $0 == 200 }) == 20, "\(statuses)")
            withExtendedLifetime(loop) {}
        }
    }

    @Test func theProcessEndsWhenAllLanesAreBlocked() async throws {
        try await serve(.memory) { program, client in
            let lanes = 4
            var loops: [RawClient] = []
            for _ in 0..<lanes {
                let session = try await makeSession(client)
                // After a slow turn, the next ones run on a lane.
                #expect(await status(of: Self.linger(60), in: session) == 200)
                loops.append(try beginLoop(in: session))
            }
            #expect(await program.status() == 70)
            let lines = await program.remainingErrors()
            #expect(lines.contains("The app Payment 1 has blocked all lanes"), "\(lines)")
            withExtendedLifetime(loops) {}
        }
    }

    /// Sends an event whose turn never ends.
    private func beginLoop(in session: SessionClient) throws -> RawClient {
        let client = try RawClient(url: session.url)
        let body = #"{"event": "payment.loop"}"#
        try client.send(
            "POST /events HTTP/1.1\r\nHost: localhost\r\nSession: \(session.sessionID ?? "")\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return client
    }

    /// The status of the answer to an event; `nil` if the connection was closed because it belonged to the stuck
    /// worker.
    private func status(of event: JSON, in session: SessionClient) async -> Int? {
        try? await session.post("/events", json: event).status
    }

    /// Runs the body with a server that has two workers.
    private nonisolated(nonsending) func serve(
        _ store: CrashHouse.Store, _ body: nonisolated(nonsending) (Program, SessionClient) async throws -> Void
    ) async throws {
        try await CrashHouse.with(store) { house in try await house.serve(["COORDINATE_WORKERS": "2"], body) }
    }

    private func makeSession(_ client: SessionClient) async throws -> SessionClient {
        client.inSession(try #require(try await client.post("/sessions", json: [:]).json["id"]?.string))
    }
}
