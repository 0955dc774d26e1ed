import Coordinate
import CoordinateSessions
import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Following a session: the messages, their form, and the end of the stream.
struct LiveStreamTests {
    @Test(.serving(TestApp())) func everyFollowerGetsEveryEventInOrder() async throws {
        var streams: [LiveStream] = []
        for _ in 0..<4 { streams.append(try await client.follow()) }
        var expected = [try await client.get("/route").text]
        for number in 1...100 {
            try await client.emit("test.push", ["number": .int(number)])
            expected.append(try await client.get("/route").text)
            try await client.emit("navigation.back")
            expected.append(try await client.get("/route").text)
        }
        for stream in streams {
            for (version, route) in expected.enumerated() {
                try #require(await stream.next() == .init(id: version, event: "route", data: route))
            }
        }
    }

    @Test(.racing) func aFollowerGetsNoOtherSession() async throws {
        let (client, other) = (server.client(), server.client())
        let stream = try await client.follow()
        #expect(await stream.next()?.id == 0)
        try await other.showTeam()
        try await client.start()
        let message = try #require(await stream.next())
        #expect(message.id == 1)
        #expect(try message.route.session == client.sessionID)
    }

    @Test(.racing) func refusedAndRepeatedEventsAreNotStreamed() async throws {
        try await client.start()
        let stream = try await client.follow()
        #expect(await stream.next()?.id == 1)
        let event: JSON = ["event": "teams.didSelect", "payload": ["team": "ferrari"]]
        let once = ["Idempotency-Key": "once"]
        for (body, headers, status) in [
            (["event": "unknown.event"], [:], 422), (["event": "teams.didSelect"], [:], 422), ([:], [:], 400),
            (event, ["If-Match": "\"stale\""], 412), (event, once, 200), (event, once, 200),
            (["event": "navigation.back"], once, 422),
        ] as [(JSON, [String: String], Int)] {
            #expect(try await client.post("/events", json: body, headers: headers).status == status)
        }
        #expect(try await client.put("/route", json: ["path": "/nowhere"]).status == 422)
        try await client.open("/main/drivers")
        #expect(try await stream.next()?.route.path == "/main/teams/team/ferrari")
        let message = try #require(await stream.next())
        #expect(message.id == 3)
        let route = try await client.route()
        #expect(try message.route == route)
    }

    @Test(.serving(TestApp())) func aFailedTurnIsNotStreamedAndTheStreamContinues() async throws {
        let stream = try await client.follow()
        #expect(await stream.next()?.id == 0)
        for event in ["test.fail", "test.circle", "test.selectStranger"] as [JSON] {
            #expect(try await client.post("/events", json: ["event": event]).status >= 400)
        }
        try await client.emit("test.push", ["number": 7])
        let message = try #require(await stream.next())
        #expect(message.id == 1)
        #expect(try message.route.path == "/stack/page/7")
    }

    @Test(
        .serving(EchoApp()), arguments: ["a\nb", "\r\n\r\nid: 9\n\n", "\n\ndata: {}\n\n", "\u{2028}\u{85}\u{B}\u{0}"])
    func aRouteIsAlwaysOneLine(text: String) async throws {
        let stream = try await client.follow()
        #expect(await stream.next()?.id == 0)
        try await client.emit("test.say", ["a/b~c": .string(text)])
        let message = try #require(await stream.next())
        let route = try await client.get("/route")
        #expect(message == .init(id: 1, event: "route", data: route.text))
        #expect(try message.route.screen.title == text)
        #expect(!route.body.contains { $0 == 0x0A || $0 == 0x0D })
    }

    // MARK: The response

    @Test(
        .racing(over: .socket),
        arguments: ["text/event-stream", "text/event-stream, */*;q=0.1", "TEXT/event-stream;q=0.5"])
    func theHeadersDescribeTheStream(accept: String) async throws {
        try await client.start()
        for path in ["/events", "\(client.base)/events"] {
            for method in ["GET", "HEAD"] {
                let raw = try RawClient(url: server.url)
                try raw.send(
                    "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nSession: \(client.sessionID ?? "")\r\n"
                        + "Accept: \(accept)\r\n\r\n")
                let head = try raw.receive(until: "\r\n\r\n")
                #expect(head.hasPrefix("HTTP/1.1 200 "))
                for line in ["Content-Type: text/event-stream", "Cache-Control: no-store"] {
                    #expect(head.contains("\r\n\(line)\r\n"), "\(method)")
                }
                for name in ["Content-Length", "Set-Cookie", "Session"] { #expect(!head.contains("\r\n\(name):")) }
                if method == "GET" {
                    #expect(try raw.receive(until: "\n\n").hasSuffix("}\n\n"))
                } else {
                    #expect(throws: RawClient.Failure.self) { try raw.receive(until: "\n") }
                }
            }
        }
        try await waitUntil("streams are still open") { try await client.metric("coordinate_streams") == 0 }
    }

    @Test(.racing) func aFollowerWithoutASessionGetsOne() async throws {
        let stream = try await client.follow()
        let id = try #require(client.sessionID)
        #expect(stream.answer.header("Session") == id)
        #expect(stream.answer.header("Set-Cookie") == "session=\(id); Path=/; HttpOnly; SameSite=Strict")
        #expect(stream.answer.header("Cache-Control") == "no-store")
        let first = try #require(await stream.next())
        #expect(first.id == 0)
        let route = try await client.route()
        #expect(try first.route == route)
        try await client.start()
        #expect(await stream.next()?.id == 1)
        #expect(try await client.gauges() == [1, 0])
    }

    @Test(.racing(configuration: .make(apiKey: "key"))) func followingNeedsTheKeyAndASession() async throws {
        let key = ["Authorization": "Bearer key"]
        let client = server.client(headers: key)
        _ = try await client.route()
        let id = try #require(client.sessionID)
        for (headers, type, status) in [
            (key.merging(["Session": "x"]) { $1 }, "session-not-found", 404),
            (["Session": id], "unauthorized", 401), ([:], "unauthorized", 401),
        ] {
            let error = await #expect(throws: UnexpectedAnswer.self) {
                _ = try await server.client(headers: headers).follow()
            }
            #expect(error?.answer.isProblem(type, status) == true)
        }
        #expect(try await client.metric("coordinate_streams") == 0)
        #expect(try await client.gauges() == [1, 0])
    }

    @Test(.racing) func aClientThatAcceptsAnythingGetsThePage() async throws {
        for accept in ["*/*", "application/json, text/event-stream", "text/event-stream;q=0"] {
            let answer = try await server.client().get("/events", headers: ["Accept": accept])
            #expect(answer.header("Content-Type") == "application/json")
        }
    }

    // MARK: The end

    @Test func endingTheSessionEndsTheStreamWithAMessage() async throws {
        let app = TestApp()
        try await withClient(of: app) { client in
            let streams = [try await client.follow(), try await client.follow()]
            try await client.emit("test.push", ["number": 1])
            #expect(try await client.delete(client.base).status == 204)
            for stream in streams {
                #expect(await stream.next()?.id == 0)
                #expect(await stream.next()?.id == 1)
                #expect(await stream.next() == .init(id: nil, event: "end", data: "{}"))
                #expect(await stream.next() == nil)
            }
            try await waitUntil("streams are still open") { try await client.metric("coordinate_streams") == 0 }
            #expect(app.lives.living == 0)
        }
    }

    @Test(.serving(TestApp(), over: .socket)) func onlyTheFollowerThatDoesNotReadIsDisconnected() async throws {
        _ = try await client.route()
        let lazy = try RawClient(url: server.url)
        try lazy.send(
            "GET \(client.base)/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        _ = try lazy.receive(until: "\r\n\r\n")
        let stream = try await client.follow()
        #expect(try await client.metric("coordinate_streams") == 2)
        var version = 0
        // A deep stack gives a long document, so that few events are needed.
        while try await client.metric("coordinate_streams") == 2 {
            version += 1
            let event: JSON = ["event": "test.push", "payload": ["number": .int(version)]]
            let answer = try await client.post("/events", json: event, headers: ["Prefer": "return=minimal"])
            try #require(answer.status == 200)
            // A client that reads gets each version.
            try #require(await stream.next()?.id == version - 1)
        }
        #expect(await stream.next()?.id == version)
        #expect(try await client.metric("coordinate_streams") == 1)
        try await client.emit("navigation.back")
        #expect(await stream.next()?.id == version + 1)
    }
}

/// An app that shows the text of its last event.
private struct EchoApp: CoordinatedApp {
    let name = "Echo"
    let version = "1.0"
    let events = EventCatalog(TestEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { EchoCoordinator() }
}

private final class EchoCoordinator: Coordinator<ViewController> {
    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case TestEvents.say(let text) = event else { return false }
        rootViewController.title = text
        return true
    }
}
