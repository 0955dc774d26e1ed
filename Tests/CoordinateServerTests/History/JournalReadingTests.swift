import CoordinateTesting
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `GET /events`: pages of the journal, and with `Accept: application/x-ndjson` the whole, one entry per line.
struct JournalReadingTests {
    // MARK: Pages

    /// The version and limit of a query, and the versions and the next one of its page.
    private static let pages: [(after: Int, limit: Int, versions: [Int], next: Int?)] = [
        (0, 2, [1, 2], 2), (2, 2, [3, 4], 4), (4, 2, [5], nil), (3, 2, [4, 5], nil), (0, 5, [1, 2, 3, 4, 5], nil),
        (0, 1_000, [1, 2, 3, 4, 5], nil), (5, 1, [], nil), (99, 1, [], nil), (.max, 1_000, [], nil),
    ]

    @Test(.racing) func aPageHasItsLimitOfEntriesAfterAVersion() async throws {
        for _ in 0..<5 { try await client.emit("navigation.back") }
        for page in Self.pages {
            let answer = try await client.journal(after: page.after, limit: page.limit)
            #expect(answer.events.map(\.version) == page.versions)
            #expect(answer.next == page.next)
        }
    }

    @Test(.racing) func aPageHasAHundredEntriesByDefault() async throws {
        for _ in 0..<101 { try await client.emit("navigation.back") }
        let page = try await client.get("/events").decode(Document.Journal.self)
        #expect(page.events.map(\.version) == Array(1...100))
        #expect(page.next == 100)
    }

    // MARK: Exports

    @Test(.racing(time: .manual)) func aJournalHasAHeaderAndOneEntryPerLine() async throws {
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

    @Test(.racing, arguments: ["", "?after=3&limit=1"])
    func theExportIgnoresPaging(query: String) async throws {
        for _ in 0..<5 { try await client.emit("navigation.back") }
        let answer = try await client.get("/events\(query)", headers: ["Accept": "application/x-ndjson"])
        #expect(answer.text.split(separator: "\n").count == 6)
    }

    @Test(.racing(time: .manual)) func aNewSessionsJournalIsItsHeader() async throws {
        let answer = try await client.get("/events", headers: ["Accept": "application/x-ndjson"])
        #expect(answer.text.hasSuffix("\n"))
        try expectHeader(answer.text.dropLast())
        #expect(answer.header("Session") == client.sessionID)
        #expect(answer.header("Cache-Control") == "no-store")
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

    /// The types that a client accepts, and whether it gets lines. The fuzz target `headers` checks more of them.
    private static let preferences: [(accept: [String], isLines: Bool)] = [
        ([], false), (["Application/X-NDJSON"], true), (["application/*"], false),
        (["application/x-ndjson, */*"], true),
        (["application/json, application/x-ndjson"], false), (["application/x-ndjson, application/json"], false),
        (["application/x-ndjson ; q=0.2 ,application/json ; q=0.1"], true), (["application/json;q=0, */*"], true),
        (["application/x-ndjson;q=0, text/html"], false), (["application/*;q=0.3, application/json;q=0.2"], true),
        (["text/html;q=high, application/x-ndjson"], true), ([",;=,q"], false), (["application/x-ndjsonp"], false),
        (["application/json;q=0.5", "application/x-ndjson"], true), (["application/x-ndjson;charset=utf-8"], true),
    ]

    @Test(.racing(over: .socket), arguments: preferences)
    func theClientChoosesTheForm(accept: [String], isLines: Bool) async throws {
        try await client.start()
        let headers = ["Host: localhost"] + accept.map { "Accept: \($0)" }
        for method in ["GET", "HEAD"] {
            let answer = try server.answer(to: "\(method) \(client.base)/events", headers)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == (isLines ? "application/x-ndjson" : "application/json"))
            if method == "GET" { #expect(answer.body.hasPrefix(#"{"journal":2,"#) == isLines) }
        }
    }
}
