import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `GET /events` with `Accept: application/x-ndjson`: the whole journal, one entry per line.
struct JournalExportTests {
    @Test func aJournalHasAHeaderAndOneEntryPerLine() async throws {
        try await withRacingClient(clock: ManualClock().clock) { client in
            try await client.walk(steps: 15, seed: 31)
            let answer = try await client.get("/events", headers: ["Accept": "application/x-ndjson"])
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/x-ndjson")
            #expect(answer.header("Cache-Control") == "private, no-cache")
            #expect(answer.text.hasSuffix("}\n"))
            let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            try expectHeader(lines.first)
            let page = try await client.get("/events").text
            #expect(page == #"{"events":["# + lines.dropFirst().joined(separator: ",") + #"],"next":null}"#)
            #expect(!answer.text.contains(try #require(client.sessionID)))
        }
    }

    @Test(.racing, arguments: ["", "?after=3&limit=1"])
    func theExportIgnoresPaging(query: String) async throws {
        for _ in 0..<5 { try await client.emit("navigation.back") }
        let answer = try await client.get("/events\(query)", headers: ["Accept": "application/x-ndjson"])
        #expect(answer.text.split(separator: "\n").count == 6)
    }

    @Test func aNewSessionsJournalIsItsHeader() async throws {
        try await withRacingClient(clock: ManualClock().clock) { client in
            let answer = try await client.get("/events", headers: ["Accept": "application/x-ndjson"])
            #expect(answer.text.hasSuffix("\n"))
            try expectHeader(answer.text.dropLast())
            #expect(answer.header("Session") == client.sessionID)
            #expect(answer.header("Cache-Control") == "no-store")
        }
    }

    /// Checks that a line is the first line of a session created at the clock's first moment.
    private func expectHeader(_ line: Substring?) throws {
        let line = try #require(line)
        let beginning =
            #"{"journal":2,"app":"Racing","appVersion":"1.0","options":{},"createdAt":"2026-11-21T09:30:00Z","seed":"#
        #expect(line.hasPrefix(beginning), "\(line)")
        let rest = line.dropFirst(beginning.count)
        let match = try #require(try /(\d+),"path":"\/splash","reference":"([A-Za-z0-9_-]{22})"}/.wholeMatch(in: rest))
        // The seed, as every JSON parser reads it.
        let seed = try #require(Int(match.1))
        #expect((0..<1 << 53).contains(seed))
    }

    /// The types that a client accepts, and whether it gets lines.
    static let preferences: [(accept: [String], isLines: Bool)] = [
        ([], false), (["application/json"], false), (["application/x-ndjson"], true), (["Application/X-NDJSON"], true),
        (["*/*"], false), (["application/*"], false), (["application/x-ndjson, */*"], true),
        (["*/*, application/x-ndjson"], true), (["application/x-ndjson, application/json"], false),
        (["application/json, application/x-ndjson"], false),
        (["application/json;q=0.5, application/x-ndjson"], true),
        (["application/json, application/x-ndjson;q=0.5"], false),
        (["application/x-ndjson;q=0.5, application/json;q=0.4"], true),
        (["application/x-ndjson ; q=0.2 ,application/json ; q=0.1"], true),
        (["application/x-ndjson;q=0.1, */*;q=0.5"], false), (["*/*;q=0.1, application/x-ndjson;q=0.2"], true),
        (["application/json;q=0, */*"], true), (["application/x-ndjson;q=0, */*"], false),
        (["application/x-ndjson;q=0.000, application/json;q=0.001"], false),
        (["application/*;q=0.3, application/json;q=0.2"], true),
        (["text/html"], false), (["text/html, application/x-ndjson"], true), (["application/x-ndjsonp"], false),
        ([""], false), ([",;=,q"], false), (["garbage"], false), (["text/html;q=high, application/x-ndjson"], true),
        (["application/json;q=0.5", "application/x-ndjson"], true), (["text/html", "application/json"], false),
        (["application/x-ndjson;charset=utf-8"], true), (["application/x-ndjson;q=0"], false),
        (["application/x-ndjson;q=0, text/html"], false), (["application/json, application/x-ndjson;q=7"], false),
        (["application/x-ndjson;q=inf, application/json;q=0.1"], false), (["application/x-ndjson;q=-1"], false),
    ]

    @Test(.racing(over: .socket), arguments: preferences)
    func theClientChoosesTheForm(accept: [String], isLines: Bool) async throws {
        try await client.start()
        let headers = accept.map { "Accept: \($0)\r\n" }.joined()
        for method in ["GET", "HEAD"] {
            let answer = try RawClient.answer(
                of: server.url,
                to: "\(method) \(client.base)/events HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
            #expect(answer.status == 200)
            let type = isLines ? "application/x-ndjson" : "application/json"
            #expect(answer.head.contains("\r\nContent-Type: \(type)\r\n"))
            if method == "GET" { #expect(answer.body.hasPrefix(#"{"journal":2,"#) == isLines) }
        }
    }
}
