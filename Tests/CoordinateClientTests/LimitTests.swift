import CoordinateClient
import CoordinateServer
import CoordinateTesting
import Racing
import ServerFixtures
import SessionFixtures
import Testing

/// A client waits for a limited time, and takes a limited amount.
struct LimitTests {
    private func limits(_ change: (inout SessionClient.Limits) -> Void) -> SessionClient.Limits {
        var limits = SessionClient.Limits()
        change(&limits)
        return limits
    }

    private func failure(
        _ reason: RequestFailure.Reason, of request: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: () async throws -> Void
    ) async {
        let error = await #expect(throws: RequestFailure.self, sourceLocation: sourceLocation) { try await call() }
        #expect(error?.reason == reason, sourceLocation: sourceLocation)
        #expect(error?.request == request, sourceLocation: sourceLocation)
    }

    @Test(.racing(over: .socket)) func aSlowAnswerIsCancelled() async throws {
        let limit = Duration.milliseconds(50)
        let client = SessionClient(url: server.url, limits: limits { $0.requestTime = limit })
        let patient = server.client()
        let route = try await patient.get("/route")
        let session = try #require(patient.sessionID)
        let tag = try #require(route.header("ETag"))
        await failure(.timedOut(after: limit), of: "GET \(server.url)/route") {
            _ = try await client.get(
                "/route", headers: ["If-None-Match": tag, "Prefer": "wait=60", "Session": session])
        }
    }

    @Test(.racing(over: .socket)) func aTooLargeAnswerIsCancelled() async throws {
        let client = SessionClient(url: server.url, limits: limits { $0.answerSize = 200 })
        await failure(.tooLarge(limit: 200), of: "GET \(server.url)/route") { _ = try await client.route() }
        let stream = try await client.follow()
        #expect(await stream.next() == nil)
        #expect(stream.failure?.reason == .tooLarge(limit: 200))
        let other = try await client.get("/livez")
        #expect(other.status == 200)
    }

    @Test func aServerThatIsGoneIsNamed() async throws {
        let url = try await withServer(app: RacingApp.make(), over: .socket) { $0.url }
        let client = SessionClient(url: url)
        for call in [{ _ = try await client.route() }, { _ = try await client.follow() }] as [() async throws -> Void] {
            let error = await #expect(throws: RequestFailure.self) { try await call() }
            guard case .disconnected = error?.reason else {
                Issue.record("\(error as Any)")
                continue
            }
            #expect(error?.message.hasPrefix("GET \(url)/") == true)
            #expect(error?.message.hasSuffix("Check that the server runs at this address.") == true)
        }
    }

    @Test func anInvalidAddressIsNamed() async throws {
        let client = SessionClient(url: "http://[")
        await failure(.malformed, of: "GET http://[/route") { _ = try await client.route() }
        await failure(.malformed, of: "GET http://[/events") { _ = try await client.follow() }
    }

    @Test(.racing(over: .socket), arguments: [true, false])
    func aCancelledTaskDoesNotWait(isStream: Bool) async throws {
        _ = try await client.route()
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            if isStream { _ = try await client.follow() } else { try await client.wait { _ in false } }
        }
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    // MARK: Streams

    @Test(.racing(over: .socket)) func anUnreadStreamIsClosedAndCanBeFollowedAgain() async throws {
        let client = SessionClient(url: server.url, limits: limits { $0.unreadMessages = 3 })
        let stream = try await client.follow()
        for _ in 1...5 { try await client.emit("splash.didFinish") }
        while stream.failure == nil { await Task.yield() }
        #expect(stream.failure?.reason == .unread(limit: 3))
        var versions: [Int?] = []
        for await message in stream { versions.append(message.id) }
        #expect(versions == [0, 1, 2])
        let later = try await client.follow(after: 2)
        #expect(await later.next()?.id == 3)
        #expect(later.failure == nil)
    }

    @Test(arguments: TestTransport.allCases)
    func aStreamThatTheServerEndsHasNoFailure(over transport: TestTransport) async throws {
        try await withServer(app: RacingApp.make(), over: transport) { server in
            let client = server.client()
            let stream = try await client.follow()
            #expect(try await client.delete(client.session().links.session).status == 204)
            for await _ in stream {}
            #expect(stream.failure == nil)
        }
    }
}
