import Foundation
import GRDB
import Glibc
import PostgreSQLCluster
import RawClient
import Testing

@testable import CoordinateTesting

/// A session whose event crashes the process twice in a row is quarantined, so that a supervisor's restarts come to an
/// end.
@Suite(.timeLimit(.minutes(5))) struct CrashTests {
    typealias Store = CrashHouse.Store

    static let stores = Store.durable

    private nonisolated(nonsending) func withHouse(
        on store: Store = .sqlite, _ body: nonisolated(nonsending) (CrashHouse) async throws -> Void
    ) async throws { try await CrashHouse.with(store, body) }

    /// Creates sessions with some events.
    private nonisolated(nonsending) func makeSessions(
        _ count: Int = 1, in house: CrashHouse, taking events: [String] = ["cancel"]
    ) async throws -> [String] {
        try await house.serve { _, client in
            var sessions: [String] = []
            for _ in 0..<count {
                let id = try #require(try await client.post("/sessions").json["id"]?.string)
                for event in events { try await client.inSession(id).emit("payment.\(event)") }
                sessions.append(id)
            }
            return sessions
        }
    }

    private nonisolated(nonsending) func expectQuarantine(
        of client: SessionClient, at version: Int, event: String = "payment.trap", times: Int = 2,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let route = try await client.get("/route")
        // Without a quarantine, the stream below would not end.
        try #require(route.status == 409, "\(route.text)", sourceLocation: location)
        let answers = [
            route, try await client.post("/events", json: ["event": "payment.cancel"]),
            try await client.get("/events", headers: ["Accept": "text/event-stream"]),
            try await client.get("/route?version=\(version)"),
        ]
        for answer in answers.dropLast() {
            #expect(answer.status == 409, sourceLocation: location)
            let problem = try answer.json
            #expect(problem["type"] == "/problems/app-changed", sourceLocation: location)
            #expect(problem["version"] == .int(version), sourceLocation: location)
            #expect(problem["recorded"] == .null && problem["now"] == .null, sourceLocation: location)
            #expect(problem["crash"] == ["event": .string(event), "times": .int(times)], sourceLocation: location)
            #expect(problem["detail"]?.string?.contains(event) == true, sourceLocation: location)
        }
        #expect([404, 409].contains(answers[3].status), sourceLocation: location)
        #expect(try await client.session().state == "quarantined", sourceLocation: location)
    }

    // MARK: Events

    @Test(arguments: stores)
    func aSessionThatCrashesTheProcessTwiceInARowIsQuarantined(store: Store) async throws {
        try await withHouse(on: store) { house in
            let sessions = try await makeSessions(2, in: house)
            try await house.crash(sessions[0])
            // A crash of another session does not count.
            try await house.crash(sessions[1])
            try await house.crash(sessions[0])
            try await house.serve { program, client in
                let passive = try await client.get("/sessions?state=quarantined").json
                #expect(passive["sessions"][0]["id"] == .string(sessions[0]))
                #expect(passive["sessions"][1] == nil)
                let left = client.inSession(sessions[0])
                #expect(try await left.session().state == "quarantined")
                try await expectQuarantine(of: left, at: 2)
                // Everything recorded is still there.
                #expect(try await left.route(at: 1).path == "/cart")
                #expect(try await left.journal().events.map(\.event) == ["payment.cancel"])
                #expect(try await !left.exportedJournal().isEmpty)
                let fork = try await left.fork(at: 1)
                #expect(try await fork.emit("payment.cancel").version == 2)
                let metrics = try await client.get("/metrics").text
                #expect(metrics.contains("coordinate_sessions_quarantined_total 1\n"))
                // The other session crashed once.
                #expect(try await client.inSession(sessions[1]).emit("payment.cancel").version == 2)
                #expect(try await client.delete("/sessions/\(sessions[0])").status == 204)
                #expect(try await client.get("/sessions/\(sessions[0])").status == 404)
                program.kill(SIGTERM)
                let lines = await program.remainingErrors()
                #expect(lines.contains("the server's process crashed 2 times in a row while the event payment.trap"))
                #expect(!lines.contains(sessions[0]))
            }
        }
    }

    @Test func twoTrapsAtOnceEndTheProcess() async throws {
        try await withHouse { house in
            let sessions = try await makeSessions(8, in: house)
            try await house.serve(["COORDINATE_WORKERS": "4"]) { program, client in
                await program.crashes {
                    await withTaskGroup { group in
                        for session in sessions {
                            group.addTask {
                                _ = try? await client.inSession(session).post(
                                    "/events", json: ["event": "payment.trap"])
                            }
                        }
                    }
                }
            }
            try await house.serve { _, client in
                for session in sessions {
                    let status = try await client.inSession(session).get("/route").status
                    #expect(status == 200)
                }
            }
        }
    }

    @Test func theProcessEndsEvenIfTheStoreCannotRecordTheCrash() async throws {
        try await withHouse { house in
            let session = try await makeSessions(in: house)[0]
            try await house.serve { program, client in
                var configuration = Configuration()
                configuration.allowsUnsafeTransactions = true
                configuration.busyMode = .timeout(5)
                let holder = try DatabaseQueue(
                    path: house.folder.appending(path: "sessions.sqlite").path, configuration: configuration)
                try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
                await program.crashes {
                    _ = try? await client.inSession(session).post("/events", json: ["event": "payment.trap"])
                }
                try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
                try holder.close()
            }
            // The crash was not recorded, so this is the first of two.
            try await house.crash(session)
            try await house.serve { _, client in
                let found = try await client.inSession(session).get("/route").status
                #expect(found == 200)
            }
            try await house.crash(session)
            try await house.serve { _, client in try await expectQuarantine(of: client.inSession(session), at: 2) }
        }
    }

    // MARK: Timers and endless turns

    private static let causes: [JSON] = [
        ["event": "payment.trapAfter", "payload": ["seconds": 1]], ["event": "payment.payAndTrap"],
    ]

    @Test(arguments: stores, causes)
    func aTrappingTimerOrOutcomeCrashesOnlyTwice(store: Store, cause: JSON) async throws {
        try await withHouse(on: store) { house in
            let session = try await makeSessions(in: house)[0]
            try await house.crash(session, by: cause)
            // The timer is due when the server starts.
            try await house.serve { program, _ in await program.crashes {} }
            try await house.serve { _, client in
                // The server has quarantined the session, and is running.
                while try await !client.get("/metrics").text.contains("coordinate_sessions_quarantined_total 1\n") {
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await expectQuarantine(of: client.inSession(session), at: 3)
                #expect(try await client.inSession(session).session().pending == 1)
            }
        }
    }

    @Test func aTurnThatBlocksTheLastWorkerCountsAsACrash() async throws {
        try await withHouse { house in
            let session = try await makeSessions(in: house)[0]
            for _ in 0..<2 {
                try await house.serve(["COORDINATE_WORKERS": "1"]) { program, client in
                    // When the session is in memory, the worker itself handles the event.
                    let version = try await client.inSession(session).route().version
                    #expect(version == 1)
                    _ = try? await client.inSession(session).post("/events", json: ["event": "payment.hang"])
                    #expect(await program.status() == 70)
                    let lines = await program.remainingErrors()
                    #expect(lines.contains("The app Payment 1 has blocked all workers"), "\(lines)")
                }
            }
            try await house.serve { _, client in
                try await expectQuarantine(of: client.inSession(session), at: 2, event: "payment.hang")
            }
        }
    }

    // MARK: Recorded crashes

    @Test(arguments: stores) func aSessionThatTrapsWhileWakingIsQuarantined(store: Store) async throws {
        try await withHouse(on: store) { house in
            let session = try await makeSessions(in: house, taking: ["cancel", "step", "cancel"])[0]
            house.layMine()
            for _ in 0..<2 {
                try await house.serve { program, client in
                    await program.crashes { _ = try? await client.inSession(session).get("/route") }
                }
            }
            try await house.serve { _, client in
                let left = client.inSession(session)
                try await expectQuarantine(of: left, at: 2, event: "payment.step")
                #expect(try await left.route(at: 1).path == "/cart")
                for (version, status) in [(1, 200), (2, 409), (3, 409), (4, 404)] {
                    #expect(try await left.get("/route?version=\(version)").status == status)
                    let fork = try await client.post("/sessions/\(session)/forks", json: ["version": .int(version)])
                    #expect(fork.status == (status == 200 ? 201 : status))
                }
                #expect(try await left.journal().events.count == 3)
            }
        }
    }

    // MARK: Releasing from quarantine

    @Test(arguments: [["APP_VERSION": "2"], ["COORDINATE_ON_CHANGE": "accept"]])
    func anotherAppVersionOrTheAcceptPolicyContinuesTheSession(environment: [String: String]) async throws {
        try await withHouse { house in
            let session = try await makeSessions(in: house)[0]
            for _ in 0..<2 { try await house.crash(session, by: ["event": "payment.recurse"]) }
            try await house.serve { _, client in
                try await expectQuarantine(of: client.inSession(session), at: 2, event: "payment.recurse")
            }
            try await house.serve(environment) { _, client in
                let session = client.inSession(session)
                let versions = [try await session.route().version, try await session.emit("payment.cancel").version]
                #expect(versions == [1, 2])
            }
            // Another event takes the place of the one that trapped.
            try await house.serve { _, client in
                let found = try await client.inSession(session).emit("payment.cancel").version
                #expect(found == 3)
            }
        }
    }

    @Test(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
    func aServerWithTheSessionInMemoryNoticesCrashesOfOthers() async throws {
        try await withHouse(on: .postgreSQL) { house in
            let session = try await makeSessions(in: house)[0]
            try await house.serve { _, client in
                let other = client.inSession(session)
                #expect(try await other.route().version == 1)
                for _ in 0..<2 { try await house.crash(session) }
                try await expectQuarantine(of: other, at: 2)
                // Another app version continues with the session, and so does every server of it.
                try await house.serve(["APP_VERSION": "2"]) { _, newer in
                    let found = try await newer.inSession(session).emit("payment.cancel").version
                    #expect(found == 2)
                }
                #expect(try await other.route().version == 2)
                #expect(try await other.emit("payment.cancel").version == 3)
            }
        }
    }
}
