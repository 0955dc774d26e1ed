import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// JSON for people: indented, with the same content.
struct IndentedJSONTests {
    private static let browser = [
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
    ]

    @Test(arguments: ["/route", "/catalog", "/events", "/nowhere", "/livez", "/sessions", "/events?limit=0"])
    func browsersAndPrettyGetTheSameContentIndented(path: String) async throws {
        try await withRacingClient { client in
            try await client.start()
            let plain = try await client.get(path)
            let pretty = path.contains("?") ? path + "&pretty" : path + "?pretty"
            for answer in [try await client.get(path, headers: Self.browser), try await client.get(pretty)] {
                #expect(answer.status == plain.status)
                #expect(answer.text.hasPrefix("{\n  \""))
                #expect(try answer.json == plain.json)
                #expect(answer.header("Vary")?.contains("Accept") == true)
                #expect(answer.header("Content-Type") == plain.header("Content-Type"))
            }
            #expect(!plain.text.contains("\n"))
            #expect(plain.header("Vary")?.contains("Accept") == true)
        }
    }

    @Test(
        arguments: [
            "*/*", "application/json", "application/json, text/html, */*", "*/*, text/html",
            "text/html, application/json", "text/plain, */*",
        ])
    func programsGetTheUsualForm(accept: String) async throws {
        try await withRacing { server in
            let answer = try await server.client().get("/route", headers: ["Accept": accept])
            #expect(!answer.text.contains("\n"))
        }
    }

    @Test func eachFormHasItsTag() async throws {
        try await withRacingClient { client in
            let plain = try #require(try await client.get("/route").header("ETag"))
            let pretty = try #require(try await client.get("/route?pretty").header("ETag"))
            #expect(plain != pretty)
            func status(_ path: String, _ tag: String) async throws -> Int {
                try await client.get(path, headers: ["If-None-Match": tag]).status
            }
            #expect(try await status("/route", plain) == 304)
            #expect(try await status("/route?pretty", pretty) == 304)
            #expect(try await status("/route", pretty) == 200)
            #expect(try await status("/route?pretty", plain) == 200)
            #expect(try await status("/route?pretty", "\(plain), \(pretty)") == 304)
            let unchanged = try await client.get("/route?pretty", headers: ["If-None-Match": pretty])
            #expect(unchanged.header("ETag") == pretty)
            let navigation = Self.browser.merging(["If-None-Match": plain]) { $1 }
            #expect(try await client.get("/route", headers: navigation).status == 200)
        }
    }

    @Test func aChangeAcceptsEitherTag() async throws {
        try await withRacingClient { client in
            for path in ["/route", "/route?pretty"] {
                let tag = try #require(try await client.get(path).header("ETag"))
                let answer = try await client.put(
                    "/route?pretty", json: ["path": "/main/teams"], headers: ["If-Match": tag])
                #expect(answer.status == 200)
                #expect(answer.text.hasPrefix("{\n  \"version\": "))
                let late = try await client.put(
                    "/route", json: ["path": "/main/profile"], headers: ["If-Match": tag])
                #expect(late.status == 412)
            }
        }
    }

    @Test func onlyJSONIsIndented() async throws {
        try await withRacingClient { client in
            try await client.start()
            let lines = try await client.get("/events?pretty", headers: ["Accept": "application/x-ndjson"])
            #expect(lines.text.split(separator: "\n").count == 2)
            #expect(try await client.get("/metrics?pretty").text.hasPrefix("# HELP"))
        }
    }

    /// A long page of the journal is sent piece by piece.
    @Test func longDocumentsAreIndentedAsWell() async throws {
        try await withRacingClient { client in
            try await client.start()
            for _ in 0..<600 { try await client.emit("navigation.selectTab", ["tab": "TeamsCoordinator"]) }
            let plain = try await client.get("/events?limit=1000")
            let pretty = try await client.get("/events?limit=1000&pretty")
            #expect(pretty.text.hasPrefix("{\n  \"events\": [\n    {\n"))
            #expect(try pretty.json == plain.json)
        }
    }
}
