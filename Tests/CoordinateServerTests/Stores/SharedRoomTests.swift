import PostgreSQLCluster
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer
@testable import CoordinateTesting

/// Two servers on one PostgreSQL: the number, lifetime and app of sessions.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct SharedRoomTests {
    private let clock = ManualClock()

    @Test func anEndFreesAPlaceOnTheOtherServerAtOnce() async throws {
        try await withServers(
            [TestApp(), TestApp()], on: Store.Place(.postgreSQL), configuration: .make(maximumSessions: 1)
        ) { servers in
            let clients = [servers[0].client(), servers[1].client()]
            var last = try await clients[0].newSession()
            for number in 1...20 {
                let (here, there) = (clients[(number + 1) % 2], clients[number % 2])
                let journal = try await here.inSession(last).exportedJournal()
                #expect(try await there.post("/sessions").status == 429)
                #expect(try await here.delete("/sessions/\(last)").status == 204)
                let lines = ["Content-Type": "application/x-ndjson"]
                let answer =
                    number.isMultiple(of: 3)
                    ? try await there.request("POST", "/sessions", headers: lines, body: journal)
                    : try await there.post("/sessions")
                #expect(answer.status == 201)
                last = try answer.decode(Document.Session.self).id
            }
        }
    }

    @Test func aFollowedSessionDoesNotExpireOnTheOtherServer() async throws {
        let store = try await Store.Place(.postgreSQL)
        try await withServers(
            [TestApp(), TestApp()], on: store, clock: clock.clock, configuration: .make(sessionIdleTime: 1_000)
        ) { servers in
            let (here, there) = (servers[0].client(), servers[1].client())
            let (followed, idle) = (try await here.newSession(), try await here.newSession())
            let stream = try await here.follow(headers: ["Session": followed])
            #expect(await stream.next()?.id == 0)
            for _ in 0..<5 {
                let before = try await latestExpiry(in: store)
                clock.advance(by: 350)
                // Both servers check their sessions now, and one reports the followed session to the store.
                try await waitUntil("the store has no report") { try await latestExpiry(in: store) > before }
            }
            try await waitUntil("it has not left the store") {
                try await store.ask("SELECT count(*) FROM coordinate_sessions") == ["1"]
            }
            #expect(try await there.get("/route", headers: ["Session": idle]).status == 404)
            #expect(try await there.get("/sessions/\(idle)").status == 404)
            try await there.inSession(followed).emit("test.push", ["number": 1])
            #expect(await stream.next()?.id == 1)
        }
    }

    /// The latest expiry of any session in the store, in seconds.
    private func latestExpiry(in store: Store.Place) async throws -> Int {
        try await Int(store.ask("SELECT max(expires_at) FROM coordinate_sessions").first ?? "") ?? 0
    }

    @Test func sessionsOfOtherAppsAreInvisible() async throws {
        try await withServers([TestApp(), try RacingApp.make()], on: Store.Place(.postgreSQL)) { servers in
            let (here, there) = (servers[0].client(), servers[1].client())
            let id = try await here.newSession()
            let own = try await there.newSession()
            let other = there.inSession(id)
            for answer in try await [
                other.get("/route"), other.get(other.base), other.get("/events"), other.delete(other.base),
                other.get("/events", headers: ["Accept": "text/event-stream"]),
                other.post("/events", json: ["event": "navigation.back"]),
                other.post("\(other.base)/forks", json: ["version": 0]),
            ] {
                #expect(answer.isProblem("session-not-found", 404))
            }
            let listed = try await there.get("/sessions").decode(Document.SessionPage.self)
            #expect(listed.sessions.map(\.id) == [own])
            #expect(try await here.inSession(id).session().version == 0)
        }
    }
}
