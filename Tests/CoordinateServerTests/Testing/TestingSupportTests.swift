import CoordinateServer
import CoordinateTesting
import Racing
import RawClient
import SessionFixtures
import Testing

/// The promises of `CoordinateTesting` to tests of other apps.
struct TestingSupportTests {
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

    @Test func anErrorContainsTheServersRefusal() async throws {
        try await withServer(app: RacingApp.make()) { server in
            let client = server.client()
            let error = await #expect(throws: UnexpectedAnswer.self) { try await client.emit("teams.didSelct") }
            #expect(error?.answer.status == 422)
            #expect(error?.description.contains("Did you mean teams.didSelect?") == true)
            #expect(error?.expected == "200")
            await #expect(throws: UnexpectedAnswer.self) { try await client.session() }
            let page = try await client.get("/metrics")
            #expect(throws: UnexpectedAnswer.self) { try page.json }
        }
    }

    @Test func aRequestsHeadersOverrideTheClients() async throws {
        try await withServer(app: RacingApp.make()) { server in
            let first = server.client()
            _ = try await first.route()
            let id = try #require(first.sessionID)
            let follower = server.client(headers: ["Session": id])
            #expect(try await follower.route().session == id)
            #expect(follower.sessionID == id)
            #expect(follower.cookies.isEmpty)
            #expect(try await follower.get("/route", headers: ["Session": "x"]).status == 404)
            #expect(first.cookies == ["session": id])
        }
    }

    @Test(arguments: TestTransport.allCases)
    func aStreamEndsWithItsSession(over transport: TestTransport) async throws {
        try await withServer(app: RacingApp.make(), over: transport) { server in
            let client = server.client()
            let stream = try await client.follow()
            let first = try #require(await stream.next())
            #expect(try first.route.path == "/splash")
            try await client.start()
            try await client.open("/main/profile")
            #expect(try await client.delete(client.session().links.session).status == 204)
            var paths: [String] = []
            for await message in stream where message.event == "route" { paths.append(try message.route.path) }
            #expect(paths == ["/main/teams", "/main/profile"])
            await #expect(throws: UnexpectedAnswer.self) { _ = try await client.follow() }
        }
    }

    @Test func theLastMessageOfAStreamHasNoRoute() async throws {
        try await withServer(app: RacingApp.make()) { server in
            let client = server.client()
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
    }

    @Test func aMessageWithoutARouteShowsItsData() {
        let message = LiveStream.Message(id: nil, event: "news", data: "{}")
        let error = #expect(throws: UnexpectedMessage.self) { try message.route }
        #expect(error?.callSite.line == #line - 2)
        #expect(error?.message.hasPrefix(#"The message "news" has no route: its data is {}. "#) == true)
    }

    @Test func jsonIsReadAndWrittenUnchanged() throws {
        let json: JSON = ["a": [1, 2.5, "x", true, .null, [:]], "b": ["c": []]]
        #expect(String(decoding: json.encoded, as: UTF8.self) == #"{"a":[1,2.5,"x",true,null,{}],"b":{"c":[]}}"#)
        #expect(json["a"][0]?.int == 1)
        #expect(json["a"][9] == nil)
        #expect(json["b"]["c"] == [])
        #expect(json["nothing"]["below"] == nil)
    }
}
