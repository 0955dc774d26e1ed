import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The content of the log. It must not contain session ids, because an id gives control over its session.
struct LogTests {
    @Test func noLineContainsASessionID() async throws {
        let log = LogCapture()
        var sessions: [String] = []
        try await withApp(TestApp(), logger: log.logger, over: .socket) { server in
            for event in ["test.fail", "test.circle", "test.selectStranger", "test.echo", "test.fill", "no.such"] {
                let client = server.client()
                try await client.emit("test.push", ["number": 1])
                _ = try await client.post("/events", json: ["event": .string(event)])
                _ = try await client.get("/sessions/\(client.sessionID ?? "")/nowhere")
                sessions.append(try #require(client.sessionID))
            }
            _ = try RawClient.answer(of: server.url, to: "GET /route HTTP/1.1\r\nSession: \(sessions[0])\r\n\r\n")
        }
        #expect(sessions.count == 6)
        #expect(log.lines.contains { $0.contains("swordfish") }, "what went wrong is in the log")
        for session in sessions { #expect(!log.lines.contains { $0.contains(session) }) }
    }

    @Test func theSameDiagnosticIsLoggedOnce() async throws {
        let log = LogCapture()
        try await withClient(of: TestApp(), logger: log.logger) { client in
            _ = try await client.route()
            for _ in 0..<3 { _ = try await client.post("/events", json: ["event": "test.echo"]) }
        }
        #expect(log.lines.count { $0.hasPrefix("warning") && $0.contains("events go in circles") } == 1)
    }
}
