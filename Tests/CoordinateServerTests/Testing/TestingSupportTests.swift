import CoordinateServer
import CoordinateTesting
import Racing
import RawClient
import SessionFixtures
import Testing

/// The promises of `CoordinateTesting` to tests of other apps.
struct TestingSupportTests {
    private let app = TestApp()

    @Test func aServerRunsWhileTheBodyRuns() async throws {
        let url = try await withServer(app: RacingApp.make(), over: .socket) { server in
            try await server.client().start()
            return server.url
        }
        #expect(throws: (any Error).self) { try RawClient(url: url) }
    }

    @Test func thePortOfAConfigurationIsIgnored() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumSessions = 1
        try await withServer(app: RacingApp.make(), configuration: configuration, over: .socket) { server in
            #expect(!server.url.hasSuffix(":8080"))
            try await server.client().emit("splash.didFinish")
            let answer = try await server.client().get("/route")
            #expect(answer.status == 429)
        }
    }

    @Test(.racing) func theLastMessageOfAStreamHasNoRoute() async throws {
        let line = #line + 1
        let stream = try await client.follow()
        #expect(try await client.delete(client.session().links.session).status == 204)
        var last: LiveStream.Message?
        for await message in stream { last = message }
        let error = #expect(throws: UnexpectedMessage.self) { try last?.route }
        #expect(error?.callSite.line == line)
        #expect(
            error?.message == """
                The message "end" has no route: the session has ended. \
                Check a message's `event` before you read its route.
                """)
    }

    @Test func stoppingTheServerFreesEverySession() async throws {
        try await withApp(app) { server in
            for _ in 0..<10 { try await server.client().emit("test.push", ["number": 1]) }
            #expect(app.lives.living == 50)
        }
        #expect(app.lives.living == 0)
    }

    @Test func aServerStopsIfTheBodyThrows() async throws {
        struct Interruption: Error {}
        await #expect(throws: Interruption.self) {
            try await withApp(app) { server in
                _ = try await server.client().route()
                throw Interruption()
            }
        }
        #expect(app.lives.born > 0)
        #expect(app.lives.living == 0)
    }
}
