import Foundation
import Glibc
import RawClient
import Testing

@testable import CoordinateTesting

/// A session whose turns are long or endless does not delay other sessions.
@Suite(.serialized) struct SlowSessionTests {
    private static let step: JSON = ["event": "payment.step"]

    private static func linger(_ milliseconds: Int) -> JSON {
        ["event": "payment.linger", "payload": ["milliseconds": .int(milliseconds)]]
    }

    @Test(arguments: CrashHouse.Store.all)
    func otherSessionsAreServedDuringASlowTurn(store: CrashHouse.Store) async throws {
        try await CrashHouse.with(store) { house in
            let till = TestTill(folder: house.folder)
            try await house.serve(["COORDINATE_WORKERS": "2"]) { _, client in
                let (slow, other) = try await (makeSession(client), makeSession(client))
                // After a slow turn, the next ones run on a lane.
                #expect(await status(of: Self.linger(60), in: slow) == 200)
                till.put("stall")
                let turn = try begin("stall", in: slow)
                try await till.has(1, "stalled")
                // New connections reach both workers.
                for headers in [[:], ["Connection": "close"]] {
                    for _ in 0..<10 {
                        let answer = try await other.post("/events", json: Self.step, headers: headers)
                        #expect(answer.status == 200)
                    }
                }
                till.remove("stall")
                #expect(try turn.answer().status == 200)
            }
        }
    }

    @Test(arguments: CrashHouse.Store.all)
    func otherSessionsAreServedDuringAnEndlessTurn(store: CrashHouse.Store) async throws {
        try await serve(store) { program, client in
            let (hanging, other) = try await (makeSession(client), makeSession(client))
            // Once, the endless turn also uses a processor.
            let loop = try begin(store == .memory ? "loop" : "hang", in: hanging)
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
            // The turn does not prevent the end.
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
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
                loops.append(try begin("hang", in: session))
            }
            #expect(await program.status() == 70)
            let lines = await program.remainingErrors()
            #expect(lines.contains("The app Payment 1 has blocked all lanes"), "\(lines)")
            withExtendedLifetime(loops) {}
        }
    }

    /// Sends an event without waiting for the answer.
    private func begin(_ event: String, in session: SessionClient) throws -> RawClient {
        let client = try RawClient(url: session.url)
        try client.send(EndingTests.post(event, to: session.sessionID))
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
