import Coordinate
import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateServer

/// The host's interface: events that it emits, and hooks for sessions.
struct HostEventTests {
    private let server: Server
    private let begun = Collected()
    private let ended = Collected()

    private final class Collected: Sendable {
        private let ids = Mutex<[String]>([])
        func add(_ id: SessionID) { ids.withLock { $0.append(id.description) } }
        var all: [String] { ids.withLock { $0 } }
    }

    init() throws {
        var hooks = SessionHooks()
        hooks.didBegin = { [begun] in begun.add($0) }
        hooks.didEnd = { [ended] in ended.add($0) }
        server = try Server(app: WorkApp(), configuration: .make(), hooks: hooks, logger: .silent)
    }

    @Test func aHostEventIsHandledRecordedAndStreamed() async throws {
        try await withServer(server) { test in
            let client = test.client()
            let before = try await client.get("/route")
            let id = try #require(client.sessionID.flatMap(SessionID.init))
            async let after = client.get(
                "/route", headers: ["If-None-Match": before.header("ETag") ?? "", "Prefer": "wait=60"])
            let outcome = try await server.emit(WorkEvents.didHear("news"), into: id)
            #expect(outcome.version == 1)
            #expect(outcome.path == "/work")
            #expect(outcome.dispatch.handledBy == "WorkCoordinator/WorkPageCoordinator")
            #expect(try await after.json["screen"]?["rows"]?[0]?["title"] == "heard news")
            let entry = try await client.get("/events").json["events"]?[0]
            #expect(entry?["origin"] == "host")
            #expect(entry?["pending"] == .null)
            #expect(
                server.emissions.load(ordering: .sequentiallyConsistent) == 0, "a stopping server would wait for it")
        }
    }

    @Test func aHostEventIsEmittedAtTheGivenCoordinator() async throws {
        try await withServer(server) { test in
            let client = test.client()
            _ = try await client.route()
            let id = try #require(client.sessionID.flatMap(SessionID.init))
            let outcome = try await server.emit(WorkEvents.push, into: id, at: "WorkCoordinator")
            #expect(outcome.dispatch.trace.count == 1)
        }
    }

    @Test func refusedHostEventsReportTheReason() async throws {
        try await withServer(server) { test in
            let client = test.client()
            _ = try await client.route()
            let id = try #require(client.sessionID.flatMap(SessionID.init))
            await #expect(throws: EmitError.noSuchSession) {
                try await server.emit(WorkEvents.look, into: .random())
            }
            await #expect(throws: EmitError.appFailed) {
                try await server.emit(WorkEvents.askAndFail("pay"), into: id)
            }
            let error = await #expect(throws: EmitError.self) {
                try await server.emit(WorkEvents.look, into: id, at: "Unknown")
            }
            #expect(error?.description.hasPrefix("There is no coordinator with this id.") == true)
            #expect(try await client.session().version == 0)
        }
    }

    @Test func theHooksReportBeginningsAndEndsOfSessions() async throws {
        try await withServer(server) { test in
            let client = test.client()
            _ = try await client.route()
            let fork = try await client.fork(at: 0)
            #expect(begun.all == [client.sessionID, fork.sessionID])
            _ = try await client.delete("/sessions/\(client.sessionID ?? "")")
            #expect(ended.all == [client.sessionID])
        }
    }

    @Test func aStoppedServerAcceptsNoHostEvents() async throws {
        try await withServer(server) { _ in }
        let error = await #expect(throws: EmitError.self) {
            try await server.emit(WorkEvents.look, into: .random())
        }
        guard case .unavailable = error else {
            Issue.record("it was \(String(describing: error))")
            return
        }
    }
}
