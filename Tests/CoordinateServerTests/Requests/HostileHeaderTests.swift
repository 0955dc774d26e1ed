import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

/// Malformed header values. All of them are answered, and the server continues.
struct HostileHeaderTests {
    private static let names = [
        "Prefer", "Accept", "Content-Type", "If-Match", "If-None-Match", "Cookie", "Session", "Authorization",
        "Idempotency-Key", "Last-Event-ID",
    ]

    private static let values = [
        "", ";", ",", "=", ";;=", "=;", "*", "\"", "W/", "/", "q=", ";q=", "a;q=;", "wait=", "wait=;", "wait=-1", "-",
        "99999999999999999999", "*/*;q=2", "Bearer", "Bearer ", "session=", "=session", "\u{E9}",
    ]

    @Test(arguments: names) func oddValuesAreAnswered(name: String) async throws {
        try await withServer(app: TestApp(), over: .socket) { server in
            for value in Self.values { try expectAnswers(from: server.url, to: [(name, value)]) }
        }
    }

    private func expectAnswers(from url: String, to headers: [(String, String)]) throws {
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined() + "Host: localhost\r\nConnection: close\r\n"
        for request in [
            "GET /route HTTP/1.1\r\n\(lines)\r\n", "GET /events HTTP/1.1\r\n\(lines)\r\n",
            "POST /sessions HTTP/1.1\r\n\(lines)Content-Length: 2\r\n\r\n{}",
            "POST /events HTTP/1.1\r\n\(lines)Content-Length: 27\r\n\r\n{\"event\":\"navigation.back\"}",
        ] {
            let answer = try RawClient.answer(of: url, to: request)
            #expect((200..<500).contains(answer.status), "\(answer.status) to \(request)")
        }
    }
}
