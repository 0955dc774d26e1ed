import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A server answers a direct call like a request over a socket.
struct TransportTests {
    /// The requests of a session's life, valid and invalid. A body is JSON unless a header says otherwise.
    private static let requests: [(method: String, path: String, body: String?, headers: [String: String])] = [
        ("GET", "/route", nil, [:]), ("HEAD", "/route", nil, [:]),
        ("POST", "/events", #"{"event": "splash.didFinish"}"#, [:]),
        (
            "POST", "/events", #"{"event": "teams.didSelect", "payload": {"team": "ferrari"}}"#,
            ["Prefer": "return=minimal"]
        ),
        ("GET", "/route?version=1", nil, [:]), ("GET", "/route?version=9", nil, [:]),
        ("GET", "/route?version=1&version=2", nil, [:]), ("GET", "/events", nil, [:]),
        ("GET", "/events", nil, ["Accept": "application/x-ndjson"]), ("POST", "/events", "{", [:]),
        ("POST", "/events", #"{"event": "teams.none"}"#, [:]), ("POST", "/events", #"{"event": 1, "x": 2}"#, [:]),
        ("POST", "/events", "{}", ["Content-Type": "text/plain"]),
        ("PUT", "/route", #"{"path": "/main/nowhere"}"#, [:]), ("PUT", "/route", #"{"path": "/main/profile"}"#, [:]),
        ("PATCH", "/route", nil, [:]), ("GET", "/nowhere", nil, [:]), ("GET", "/sessions/none", nil, [:]),
        ("GET", "/catalog", nil, [:]), ("GET", "/livez", nil, ["Host": "elsewhere.example"]),
        ("GET", "/livez", nil, ["Origin": "https://elsewhere.example"]), ("GET", "/route", nil, ["Session": "none"]),
        ("POST", "/sessions", #"{"options": {"none": 1}}"#, [:]),
        ("POST", "/events", #"{"event": "\(String(repeating: "a", count: 70_000))"}"#, [:]),
    ]

    /// The parts that are equal on every server: not ids and times.
    private static func shape(_ answer: ServerAnswer, in session: String?) -> String {
        let headers = answer.headers.filter {
            !["date", "set-cookie", "session", "etag", "location", "connection"].contains($0.key)
        }
        let body = session.map { answer.text.replacing($0, with: "ID") } ?? answer.text
        let times = body.replacing(/"[0-9-]{10}T[0-9:.]+Z"/, with: "TIME").replacing(/"id":"[^"]{22}"/, with: "ID")
            .replacing(/"seed":\d+/, with: "SEED").replacing(/"reference":"[^"]{22}"/, with: "REFERENCE")
        let lengths = headers.filter { $0.key != "content-length" }.sorted { $0.key < $1.key }
        return "\(answer.status) \(lengths) \(times)"
    }

    private static func answers(over transport: TestTransport) async throws -> [String] {
        try await withRacing(over: transport) { server in
            let client = server.client()
            var answers: [String] = []
            for request in requests {
                let type = request.body == nil ? [:] : ["Content-Type": "application/json"]
                let answer = try await client.request(
                    request.method, request.path, headers: type.merging(request.headers) { $1 },
                    body: request.body.map { Array($0.utf8) })
                answers.append("\(request.method) \(request.path): \(shape(answer, in: client.sessionID))")
            }
            return answers
        }
    }

    @Test func bothTransportsGiveTheSameAnswers() async throws {
        let (bySocket, byCall) = try await (Self.answers(over: .socket), Self.answers(over: .memory))
        #expect(bySocket.count == Self.requests.count)
        for (one, other) in zip(bySocket, byCall) { #expect(one == other) }
    }

    @Test(arguments: TestTransport.allCases)
    func aLongJournalIsReadToItsEnd(over transport: TestTransport) async throws {
        try await withRacing(over: transport) { server in
            let client = server.client()
            try await client.start()
            for _ in 0..<600 { try await client.emit("navigation.back") }
            for (path, type) in [("/events?limit=1000", "application/json"), ("/events", "application/x-ndjson")] {
                let answer = try await client.get(path, headers: ["Accept": type])
                #expect(answer.header("Content-Length") == nil, "sent in pieces")
                #expect(answer.text.ranges(of: "\"event\":\"navigation.back\"").count == 600)
            }
            let head = try await client.request("HEAD", "/events", headers: ["Accept": "application/x-ndjson"])
            #expect((head.status, head.text) == (200, ""))
        }
    }

    @Test(arguments: TestTransport.allCases)
    func aStreamThatIsReleasedEnds(over transport: TestTransport) async throws {
        try await withRacing(over: transport) { server in
            let client = server.client()
            var stream: LiveStream? = try await client.follow()
            #expect(try await stream?.next()?.route.path == "/splash")
            #expect(try await client.metric("coordinate_streams") == 1)
            stream = nil
            try await waitUntil("the server has released the stream") {
                try await client.metric("coordinate_streams") == 0
            }
            _ = try await client.request("HEAD", "/events", headers: ["Accept": "text/event-stream"])
            try await waitUntil("a stream without a body has ended") {
                try await client.metric("coordinate_streams") == 0
            }
        }
    }

    @Test(.racing(over: .memory)) func noPortIsOpened() async throws {
        #expect(server.url == "http://localhost")
        let answer = try await server.client().get("/livez")
        #expect(answer.status == 200)
    }
}
