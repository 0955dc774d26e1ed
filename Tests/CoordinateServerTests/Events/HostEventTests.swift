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
    private let begun = Collected<SessionID>()
    private let ended = Collected<SessionID>()
    private let committed = Collected<CommittedEvent>()

    private final class Collected<Value: Sendable>: Sendable {
        private let values = Mutex<[Value]>([])
        func add(_ value: Value) { values.withLock { $0.append(value) } }
        var all: [Value] { values.withLock { $0 } }
    }

    init() throws {
        var hooks = SessionHooks()
        hooks.didBegin = { [begun] in begun.add($0) }
        hooks.didEnd = { [ended] in ended.add($0) }
        hooks.didCommit = { [committed] in committed.add($0) }
        // On a busy machine, the work of a fork would reach its deadline before a test has looked.
        server = try Server(
            app: WorkApp(), configuration: .make(), hooks: hooks, logger: .silent, clock: ManualClock().clock,
            journal: MemoryJournal())
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
            let outcome = try await server.emit(WorkEvents.push, into: id, at: "WorkCoordinator")
            #expect(outcome.dispatch.trace.map(\.coordinator) == ["WorkCoordinator"])
        }
    }

    @Test func theHooksReportBeginningsAndEndsOfSessions() async throws {
        try await withServer(server) { test in
            let client = test.client()
            _ = try await client.route()
            let fork = try await client.fork(at: 0)
            #expect(begun.all.map(\.description) == [client.sessionID, fork.sessionID])
            _ = try await client.delete("/sessions/\(client.sessionID ?? "")")
            #expect(ended.all.map(\.description) == [client.sessionID])
        }
    }

    @Test func theHooksReportEachCommittedEventInOrder() async throws {
        try await withServer(server) { test in
            let client = test.client()
            // The first event creates the session.
            try await client.emit("work.login", ["password": "swordfish"])
            try await client.emit("work.push")
            _ = try await client.post("/events", json: ["event": "work.askAndFail", "payload": ["name": "pay"]])
            let id = try #require(client.sessionID.flatMap(SessionID.init))
            try await server.emit(WorkEvents.didHear("news"), into: id)
            _ = try await client.fork(at: 2)
            let reference = committed.all.first?.reference
            let events = committed.all.filter { $0.reference == reference }
            // The fork reports what its work emits, and nothing of the past.
            #expect(committed.all.allSatisfy { $0.reference == reference || $0.version > 2 })
            #expect(events.map(\.event) == ["work.login", "work.push", "work.didHear"])
            #expect(events.map(\.version) == [1, 2, 3])
            #expect(events.map(\.origin) == [.client, .client, .host])
            #expect(events.map(\.path) == ["/work", "/work/page/1", "/work/page/1"])
            #expect(Set(events.map(\.screen)) == ["WorkPage"])
            #expect(events.last?.handledBy == "WorkCoordinator/WorkPageCoordinator-2")
            #expect(events.allSatisfy { $0.turnTime ?? .zero > .zero })
            #expect(events.allSatisfy { !$0.reference.isEmpty && $0.reference != client.sessionID })
            #expect(!"\(events)".contains("swordfish"))
        }
    }

    @Test func theHooksKnowTheNamesOfASession() async throws {
        try await withServer(server) { test in
            let keeper = test.client()
            let events: JSON = [["event": "work.push"], ["event": "work.look"]]
            let made = try await keeper.put(
                "/sessions/by-key/customer-7", json: ["attributes": ["plan": "free"], "events": events])
            let id = try #require(try made.json["id"]?.string)
            _ = try await keeper.request(
                "PATCH", "/sessions/\(id)", headers: ["Content-Type": "application/json"],
                body: (["attributes": ["plan": "pro"]] as JSON).encoded)
            try await test.client(headers: ["Session": id]).emit("work.draw")
            #expect(committed.all.map(\.event) == ["work.push", "work.look", "work.draw"])
            #expect(committed.all.map(\.version) == [1, 2, 3])
            #expect(Set(committed.all.map(\.key)) == ["customer-7"])
            #expect(committed.all.map(\.attributes) == [["plan": "free"], ["plan": "free"], ["plan": "pro"]])
            #expect(Set(committed.all.map(\.screen)) == ["WorkPage"])
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
