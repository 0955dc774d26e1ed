import CoordinateSessions
import CoordinateTesting
import MicroHTTPD
import Racing
import RawClient
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateServer
@testable import CoordinateSessions

/// Requests that replay many events. They do not delay others.
struct LongHistoryTests {
    static let events = HistoryWalk.quickLimit + 2

    /// The first events, which lead nowhere.
    static let journal: [UInt8] = {
        let lines = (1...(events - 2)).map { version in
            """
            {"version":\(version),"time":"2026-11-21T09:30:00Z","event":"navigation.back","payload":{},\
            "at":"AppCoordinator/SplashCoordinator","handled":false,"handledBy":null,"path":"/splash"}\n
            """
        }
        let header =
            #"{"journal":2,"app":"Racing","appVersion":"1.0","options":{},"createdAt":"2026-11-21T09:30:00Z","#
            + #""seed":0,"path":"/splash"}\#n"#
        return Array(header.utf8) + lines.joined().utf8
    }()

    /// Runs the body with a session with a long history, on a server with one worker and a journal that can be paused.
    private nonisolated(nonsending) func withLongHistory(
        clock: SessionClock = ManualClock().clock,
        _ body: nonisolated(nonsending) (TestServer, SessionClient, FaultyJournal) async throws -> Void
    ) async throws {
        let journal = FaultyJournal()
        try await withRacing(clock: clock, journal: journal, configuration: .make(workers: 1), over: .socket) {
            server in
            let client = try await server.client(replaying: Self.journal)
            try await client.emit("splash.didFinish")
            try await client.emit("teams.didSelect", ["team": "haas"])
            try await body(server, client, journal)
        }
    }

    @Test func aWakingSessionDelaysNoOthers() async throws {
        let clock = ManualClock()
        try await withLongHistory(clock: clock.clock) { server, client, journal in
            let before = try await client.get("/route")
            let id = try #require(client.sessionID)
            clock.advance(by: 310)
            try await waitUntil("the session was not passivated") {
                try await client.metric("coordinate_sessions") == 0
            }
            journal.hold()
            let another = server.client(headers: ["Session": id])
            async let first = client.get("/route")
            await journal.waitUntilHeld()
            async let second = another.emit("navigation.back")
            #expect(try await server.client().get("/livez").status == 200)
            #expect(try await server.client().metric("coordinate_sessions") == 0)
            journal.release()
            let woken = try await first
            #expect(woken.text == before.text)
            #expect(woken.header("ETag") == before.header("ETag"))
            let outcome = try await second
            #expect(outcome.version == Self.events + 1)
            #expect(outcome.path == "/main/teams")
        }
    }

    /// Otherwise a client that repeats its request at once would keep the workers busy with refusals.
    @Test func aBusyServerDoesNotRefuseAtOnce() async throws {
        let server = try Server(app: TestApp(), configuration: .make(), logger: .silent)
        guard case .async(_, _, _, let respond) = server.api.answer(respond: { throw SessionError.tooBusy }) else {
            Issue.record("the answer is no function")
            return
        }
        let isRefused = Atomic(false)
        let refusal = Task.immediate {
            #expect(await respond().status == 503)
            isRefused.store(true, ordering: .relaxed)
        }
        let isRefusedAtOnce = isRefused.load(ordering: .relaxed)
        #expect(!isRefusedAtOnce)
        refusal.cancel()
        await refusal.value
    }
}
