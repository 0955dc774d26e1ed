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

    // MARK: The response

    @Test(
        .racing(over: .socket),
        arguments: ["text/event-stream", "TEXT/event-stream;q=0.5, */*;q=0.1"])
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
}
