import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// JSON for people: indented, with the same content.
@Suite(.racing) struct IndentedJSONTests {
    private static let browser = [
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
    ]

    @Test(arguments: ["/route", "/catalog", "/events", "/nowhere", "/livez", "/sessions", "/events?limit=0"])
    func browsersAndPrettyGetTheSameContentIndented(path: String) async throws {
        try await client.start()
        let plain = try await client.get(path)
        let pretty = path.contains("?") ? path + "&pretty" : path + "?pretty"
        for answer in [try await client.get(path, headers: Self.browser), try await client.get(pretty)] {
            #expect(answer.status == plain.status)
            #expect(answer.text.hasPrefix("{\n  \""))
            #expect(try answer.json == plain.json)
            #expect(answer.header("ETag") == nil)
            #expect(answer.header("Content-Type") == plain.header("Content-Type"))
        }
        #expect(!plain.text.contains("\n"))
    }

    @Test(
        arguments: [
            "*/*", "application/json", "application/json, text/html, */*", "*/*, text/html",
            "text/html, application/json", "text/plain, */*",
        ])
    func programsGetTheUsualForm(accept: String) async throws {
        let answer = try await server.client().get("/route", headers: ["Accept": accept])
        #expect(!answer.text.contains("\n"))
    }

    @Test func onlyTheUsualFormHasATag() async throws {
        let tag = try #require(try await client.get("/route").header("ETag"))
        #expect(try await client.get("/route", headers: ["If-None-Match": tag]).status == 304)
        for (path, headers) in [("/route?pretty", ["Accept": "*/*"]), ("/route", Self.browser)] {
            let answer = try await client.get(path, headers: headers.merging(["If-None-Match": tag]) { $1 })
            #expect(answer.status == 200)
            #expect(answer.header("ETag") == nil)
        }
    }

    @Test func onlyJSONIsIndented() async throws {
        try await client.start()
        let lines = try await client.get("/events?pretty", headers: ["Accept": "application/x-ndjson"])
        #expect(lines.text.split(separator: "\n").count == 2)
        #expect(try await client.get("/metrics?pretty").text.hasPrefix("# HELP"))
    }

    /// A page of large entries ends early, so that it can be indented at once.
    @Test func aPageOfLargeEntriesEndsEarlier() async throws {
        try await client.start()
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<30 {
            _ = try await client.post(
                "/events",
                json: ["event": "navigation.open", "payload": ["path": .string("/main/teams?q=\(text)")]])
        }
        var (count, next) = (0, 0)
        while true {
            let page = try await client.get("/events?limit=1000&after=\(next)&pretty")
            #expect(page.body.count < 4_000_000)
            #expect(page.text.hasPrefix("{\n  \"events\": [\n    {\n"))
            count += try page.json["events"]?.array.count ?? 0
            guard let more = try page.json["next"]?.int else { break }
            next = more
        }
        #expect(count == (try await client.session().version))
    }
}
