import CoordinateTesting
import MicroHTTPD
import SessionFixtures
import Testing

@testable import CoordinateServer
@testable import CoordinateSessions

/// A followed session is in use. It is idle when it is no longer followed.
struct FollowedSessionTests {
    private let clock = ManualClock()
    private let app = TestApp()

    private nonisolated(nonsending) func withServer(
        _ body: nonisolated(nonsending) (TestServer) async throws -> Void
    ) async throws {
        let configuration = ServerConfiguration.make(sessionIdleTime: 100, sessionPassivationTime: 10)
        try await withApp(app, clock: clock.clock, configuration: configuration, body)
    }

    /// Waits until the server has checked for idle sessions: until another session has expired.
    private nonisolated(nonsending) func letIdleSessionsExpire(_ server: TestServer) async throws {
        let client = server.client()
        let other = try await client.newSession()
        clock.advance(by: 1_000)
        try await waitUntil("idle sessions are still there") { try await client.gauges() == [1, 0] }
        #expect(try await client.get("/sessions/\(other)").status == 404)
    }

    @Test(arguments: [1, 2, 5, 9])
    func aFollowedSessionDoesNotExpireWithAShortIdleTime(idleTime: Int) async throws {
        let clock = TestClock()
        let configuration = ServerConfiguration.make(sessionIdleTime: idleTime)
        // Only a server with sockets counts the requests in progress.
        try await CoordinateTesting.withServer(
            app: app, configuration: configuration, clock: clock, over: .socket
        ) { server in
            let client = server.client()
            let stream = try await client.follow()
            let waiter = server.client()
            let tag = try #require(try await waiter.get("/route").header("ETag"))
            async let answer = waiter.get("/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
            try await waitUntil("no request waits") {
                try await client.metric("coordinate_http_requests_in_flight") >= 3
            }
            for second in 1...3 * idleTime + 3 {
                clock.advance(by: .seconds(1))
                #expect(try await client.metric("coordinate_sessions") == 2, "after \(second) s")
            }
            try await client.emit("test.push", ["number": 1])
            #expect(await stream.next()?.id == 0)
            #expect(await stream.next()?.id == 1)
            try await server.client(headers: ["Session": try #require(waiter.sessionID)]).emit(
                "test.push", ["number": 1])
            #expect(try await answer.status == 200)
            clock.advance(by: .seconds(idleTime))
            #expect(try await waiter.get("/route").status == 404)
        }
    }

    @Test func aFollowerWakesAPassiveSession() async throws {
        try await withServer { server in
            let client = server.client()
            for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
            let route = try await client.get("/route")
            for (lastSeen, version) in [(nil, 3), (2, 3)] {
                clock.advance(by: 11)
                try await waitUntil("it is not passive") { try await client.gauges() == [0, 1] }
                #expect(app.lives.living == 0)
                var stream: LiveStream? = try await client.follow(after: lastSeen)
                #expect(await stream?.next() == .init(id: version, event: "route", data: route.text))
                #expect(try await client.gauges() == [1, 0])
                try await letIdleSessionsExpire(server)
                stream = nil
                try await waitUntil("it is still followed") { try await client.metric("coordinate_streams") == 0 }
            }
            clock.advance(by: 111)
            try await waitUntil("it has not expired") { try await client.gauges() == [0, 0] }
        }
    }

    // MARK: Cleaning up

    @Test func aStreamThatIsNeverAnsweredIsForgotten() async throws {
        let registry = SessionRegistry(host)
        let session = try await registry.begin().session
        let metrics = Metrics(of: [])
        var answer: HTTPResponse? = HTTPResponse.events(try await follow(session, metrics))
        #expect(session.isFollowed)
        answer = nil
        #expect(answer == nil)
        try await waitUntil("it is not forgotten") { !session.isFollowed }
        let current = metrics.current(registry, memory: host.budget, droppedLines: 0)
        #expect(metrics.text(of: current).split(separator: "\n").contains("coordinate_streams 0"))
    }

    @Test func aStreamThatEndedBeforeItFollowedIsForgotten() async throws {
        let registry = SessionRegistry(host)
        let session = try await registry.begin().session
        let following = Following(session, Metrics(of: []))
        let follower = follower(following)
        let id = try #require(try await session.follow(follower) { _, route in follower.join(at: route.published) })
        following.end()
        following.begin(as: id)
        try await waitUntil("it is not forgotten") { !session.isFollowed }
    }

    @Test func aSessionThatEndsWhileAStreamCatchesUpEndsTheStream() async throws {
        let registry = SessionRegistry(host)
        let session = try await registry.begin().session
        let follower = follower(Following(session, Metrics(of: [])))
        _ = try await session.follow(follower) { _, route in follower.join(at: route.published) }
        follower.didEnd()
        #expect(!follower.stream.isOver)
        try await follower.catchUp(with: session, after: nil, for: .host)
        #expect(follower.stream.isOver)
    }

    @Test func anEndedSessionThatWasFollowedIsFreed() async throws {
        weak var remains: Session?
        do {
            let registry = SessionRegistry(host)
            let session = try await registry.begin().session
            remains = session
            let streams = [
                try await follow(session, Metrics(of: [])), try await follow(session, Metrics(of: [])),
            ]
            try await registry.end(session)
            for stream in streams { #expect(stream.isOver) }
        }
        try await waitUntil("it is not freed") { remains == nil }
        #expect(app.lives.living == 0)
    }

    private var host: SessionHost {
        let app = HostedApp(app, logger: .silent)
        return SessionHost(
            app: app, journal: MemoryJournal(), limits: .make(), executor: InlineExecutor.shared,
            encode: app.routeEncoder)
    }

    private func follower(_ following: Following) -> StreamFollower {
        StreamFollower(following, sharing: MemoryQuota(bytes: 1 << 20), HTTPReaders(limit: 1 << 20), as: [])
    }

    private func follow(_ session: Session, _ metrics: Metrics) async throws -> HTTPStream {
        let following = Following(session, metrics)
        let follower = follower(following)
        let id = try #require(try await session.follow(follower) { _, route in follower.join(at: route.published) })
        following.begin(as: id)
        try await follower.catchUp(with: session, after: nil, for: .host)
        return follower.stream
    }
}
