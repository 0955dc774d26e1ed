import CoordinateSessions
import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A server that has reached its memory limit.
struct MemoryTests {
    @Test(.serving(TestApp(), configuration: .make(maximumMemory: 200_000)))
    func aFullServerRefusesWhatNeedsMemoryAndTheRestWorks() async throws {
        try await client.emit("test.push", ["number": 1])
        let journal = try await client.exportedJournal()
        let fill: JSON = ["event": "test.say", "payload": ["a/b~c": .string(String(repeating: "x", count: 50_000))]]
        while try await client.post("/events", json: fill).status == 200 {}
        let lines = ["Content-Type": "application/x-ndjson"]
        for answer in try await [
            server.client().post("/sessions"), server.client().get("/route"),
            client.post("/events", json: fill), client.post("/events", json: ["event": "navigation.back"]),
            server.client().post("/events", json: ["event": "navigation.back"]),
            client.put("/route", json: ["path": "/stack"]),
            client.post("\(client.base)/forks", json: ["version": 1]),
            server.client().request("POST", "/sessions", headers: lines, body: journal),
            client.get("/events", headers: ["Accept": "application/x-ndjson"]),
            client.get("/events", headers: ["Accept": "text/event-stream"]),
        ] {
            #expect(answer.isProblem("memory-full", 503), "\(answer.text)")
            #expect(answer.header("Retry-After").flatMap(Int.init) != nil)
        }
        #expect(try await client.gauges() == [1, 0])
        #expect(try await client.get("/route").status == 200)
        #expect(try await client.get(client.base).status == 200)
        #expect(try await client.get("/events?limit=1").status == 200)
        for path in ["/livez", "/readyz", "/metrics", "/catalog"] {
            #expect(try await server.client().get(path).status == 200)
        }
        let held = try await client.metric("coordinate_memory_bytes{kind=\"histories\"}")
        #expect(held >= 100_000)
        #expect(try await client.metric("coordinate_memory_limit_bytes") == 200_000)
        #expect(try await client.delete(client.base).status == 204)
        #expect(try await client.metric("coordinate_memory_bytes{kind=\"histories\"}") == 0)
        #expect(try await server.client().post("/sessions").status == 201)
    }

    // MARK: Clients that do not read

    @Test func unreadStreamsDoNotAffectOthers() async throws {
        var configuration = ServerConfiguration.make(maximumMemory: 16 << 20)
        configuration.trustedProxies = ["127.0.0.1"]
        try await withApp(TestApp(), configuration: configuration, over: .socket) { server in
            let client = server.client()
            for number in 1...200 { try await client.emit("test.push", ["number": .int(number)]) }
            let id = try #require(client.sessionID)
            let readers = try (0..<40).map { _ in
                let reader = try RawClient(url: server.url)
                try reader.send(
                    "GET /events HTTP/1.1\r\nHost: localhost\r\nSession: \(id)\r\nAccept: text/event-stream\r\n"
                        + "X-Forwarded-For: 192.0.2.1\r\nLast-Event-ID: 150\r\n\r\n")
                return reader
            }
            for number in 1...60 {
                let answer = try await client.post(
                    "/events", json: ["event": "test.push", "payload": ["number": .int(number)]])
                #expect(answer.status == 200, "\(answer.text)")
                let waiting = try await client.metric("coordinate_memory_bytes{kind=\"streams\"}")
                #expect(waiting <= 8 << 20)
            }
            // Another client can still follow the session.
            let stream = try await client.follow()
            #expect(await stream.next()?.id == 260)
            withExtendedLifetime(readers) {}
        }
    }

    @Test(.serving(TestApp(), over: .socket)) func connectionsAndUnreadAnswersAreCounted() async throws {
        for number in 1...300 { try await client.emit("test.push", ["number": .int(number)]) }
        let id = try #require(client.sessionID)
        let kinds = ["connections", "answers"].map { "coordinate_memory_bytes{kind=\"\($0)\"}" }
        #expect(try await client.metric(kinds[0]) >= 20 * 1_024)
        #expect(try await client.metric(kinds[1]) == 0)
        let size = try await client.get("/route").body.count
        #expect(size > 64 * 1_024)
        do {
            let readers = try (0..<10).map { _ in
                let reader = try RawClient(url: server.url)
                try reader.send(
                    String(
                        repeating: "GET /route HTTP/1.1\r\nHost: localhost\r\nSession: \(id)\r\n\r\n", count: 50))
                return reader
            }
            // The answers share the document.
            try await waitUntil("no answer waits") { try await client.metric(kinds[1]) == size }
            #expect(try await client.metric(kinds[0]) >= 10 * 20 * 1_024)
            withExtendedLifetime(readers) {}
        }
        try await waitUntil("their memory is still counted") { try await client.metric(kinds[1]) == 0 }
    }

    @Test(.serving(TestApp(), over: .socket)) func anUnreadExportHoldsOnePieceInMemory() async throws {
        let text = JSON.string(String(repeating: "x", count: 20_000))
        for _ in 0..<600 { try await client.emit("test.say", ["a/b~c": text]) }
        let clients = try (0..<20).map { _ in try RawClient(url: server.url) }
        for raw in clients {
            try raw.send(
                "GET \(client.base)/events HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n")
            _ = try raw.answer(toHead: true)
        }
        #expect(try await client.metric("coordinate_memory_bytes{kind=\"exports\"}") < 20 * 200_000)
        withExtendedLifetime(clients) {}
    }
}
