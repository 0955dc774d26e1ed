import Coordinate
import CoordinateSessions
import CoordinateTesting
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Refusals of requests by people: each is a page that says in plain words what to do, with a way to continue.
struct WebRefusalTests {
    /// A whole request, and what its page says.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let status: Int
        let heading: String
        /// The page's links, by their texts.
        let links: [String]
        let beginsAnew: Bool

        init(
            _ name: String, _ line: String, headers: [String] = [], body: String? = nil, _ status: Int,
            _ heading: String, links: [String] = ["Continue in the app"], beginsAnew: Bool = false
        ) {
            testDescription = name
            let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
            let host = headers.contains { $0.hasPrefix("Host: ") } ? [] : ["Host: localhost"]
            let lines = ["\(line) HTTP/1.1"] + host + ["Accept: text/html"] + headers + length
            request = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
            self.status = status
            self.heading = heading
            self.links = links
            self.beginsAnew = beginsAnew
        }
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded"

    static let cases = [
        Case("an unknown path", "GET /app/nowhere", 404, "Page not found", beginsAnew: true),
        Case(
            "a path like a known one", "GET /app/main/teams/team/ferari", 404, "Page not found",
            links: ["/main/teams/team/ferrari", "Continue in the app"], beginsAnew: true),
        Case("no moment and no path", "GET /app?at=x", 404, "Page not found", beginsAnew: true),
        Case(
            "an unknown session", "GET /app/main/teams", headers: ["Session: AAAAAAAAAAAAAAAAAAAAAA"], 404,
            "Session not found",
            links: [], beginsAnew: true),
        Case(
            "a form that is too large", "POST /app", headers: [form], body: String(repeating: "x", count: 1_100_000),
            413, "Too long"),
        Case(
            "a form whose length is too large", "POST /app", headers: [form, "Content-Length: 999999999999"], 413,
            "Too long"),
        Case("a long address", "GET /app/\(String(repeating: "x", count: 9_000))", 414, "Address too long"),
        Case("many query items", "GET /app/main?\(String(repeating: "a&", count: 300))", 414, "Address too long"),
        Case(
            "large cookies", "GET /app/main", headers: ["Cookie: a=" + String(repeating: "b", count: 17_000)], 431,
            "Too many cookies", links: ["Try again"]),
        Case(
            "many headers", "GET /app/main",
            headers: (0..<18).map { "X-\($0): " + String(repeating: "b", count: 1_000) }, 431,
            "Too many cookies", links: ["Try again"]),
        Case("a malformed header", "GET /app/main", headers: ["A b: c"], 400, "Not understood"),
        Case("a malformed address", "GET /app/%zz", 400, "Not understood"),
        Case("a malformed query", "GET /app/main?a=%zz", 400, "Not understood"),
        Case("an item that is sent twice", "GET /app/main?a=1&a=2", 400, "Not understood"),
        Case(
            "two sessions", "GET /app", headers: ["Session: AAAAAAAAAAAAAAAAAAAAAA", "Session: a"], 400,
            "Not understood"),
        Case("a form that is none of a page", "POST /app", headers: [form], body: "a=b", 400, "Not understood"),
        Case(
            "a body that is no form", "POST /app", headers: ["Content-Type: text/plain"], body: "a", 415,
            "Not understood"),
        Case("another method", "PUT /app", body: "", 405, "Not understood"),
        Case("another host", "GET /app/main", headers: ["Host: evil.example"], 421, "Unknown host", links: []),
        Case(
            "another site", "POST /app", headers: [form, "Origin: https://evil.example"], body: "a=b", 403,
            "Page of another site"),
    ]

    @Test(.racing(over: .socket), arguments: cases)
    func aRefusalIsAPageWithAWayOut(refused: Case) async throws {
        let answer = try RawClient.answer(of: server.url, to: refused.request)
        #expect(answer.status == refused.status)
        #expect(answer.head.contains("Content-Type: text/html; charset=utf-8\r\n"))
        #expect(answer.head.contains("Content-Security-Policy: default-src 'none'"))
        #expect(answer.body.contains(">\(refused.heading)</h1>"))
        #expect(answer.body.matches(of: #/<a [^>]*>([^<]*)</a>/#).map { String($0.1) } == refused.links)
        #expect(answer.body.contains(">Begin anew</button>") == refused.beginsAnew)
    }

    /// Pages that a busy server answers with: when to try again, and a link to the same address.
    @Test(arguments: ["/app", "/app/main/teams?a=b"])
    func aServerThatStopsSaysWhenToTryAgain(path: String) async throws {
        let journal = FaultyJournal()
        let server = try Server(
            app: try RacingApp.make(), configuration: .make(), logger: .silent, clock: .system, journal: journal)
        try await withServer(server, over: .socket) { running in
            let browser = WebClient(client: running.client())
            _ = try await browser.get("/app")
            journal.hold()
            async let held = browser.client.emit("splash.didFinish")
            await journal.waitUntilHeld()
            async let stopped: Void = server.stopElsewhere()
            let other = running.client()
            try await waitUntil("the server does not drain") { try await other.get("/readyz").status == 503 }
            let page = try await WebClient(client: other).get(path)
            #expect(page.status == 503)
            #expect(page.heading == "Server restarting")
            #expect(page.text.contains("Try again in 5 seconds."))
            #expect(page.text.contains("<a href=\"\(path)\">Try again</a>"))
            #expect(page.headers["retry-after"] == "5")
            journal.release()
            _ = try await held
            await stopped
        }
    }

    @Test(.racing(configuration: .make(maximumSessions: 1))) func aFullServerSaysWhenToTryAgain() async throws {
        _ = try await server.client().route()
        let page = try await WebClient(client: server.client()).get("/app/main/teams")
        #expect(page.status == 429)
        #expect(page.heading == "Server full")
        #expect(page.text.contains("Try again in 60 seconds."))
        #expect(page.text.contains("<a href=\"/app/main/teams\">Try again</a>"))
    }

    /// Runs a test with the first page of the app, and the journal that is about to fail.
    private nonisolated(nonsending) func withFaultyJournal(
        _ body:
            nonisolated(nonsending) (_ browser: WebClient, _ splash: WebClient.Page, FaultyJournal) async throws -> Void
    ) async throws {
        let journal = FaultyJournal()
        let server = try Server(
            app: try RacingApp.make(), configuration: .make(), logger: .silent, clock: .system, journal: journal)
        try await withServer(server) { running in
            let browser = WebClient(client: running.client())
            try await body(browser, try await browser.get("/app"), journal)
        }
    }

    @Test func aStoreThatCannotBeReachedIsSaidWithoutItsWords() async throws {
        try await withFaultyJournal { browser, splash, journal in
            journal.fail(with: .unavailable)
            let answer = try await browser.client.request(try browser.form("Continue", on: splash))
            #expect(answer.status == 503)
            #expect(answer.text.contains("Try again in a second."))
            #expect(answer.text.contains("<a href=\"/app\">Try again</a>"))
            #expect(!answer.text.contains("journal"))
        }
    }

    @Test func anUncertainPressHasToBeCheckedFirst() async throws {
        try await withFaultyJournal { browser, splash, journal in
            journal.fail(with: .outcomeUnknown)
            let page = try await browser.press("Continue", on: splash)
            #expect(page.status == 504)
            #expect(page.heading == "Check what was done")
            #expect(page.text.contains("<a href=\"/app\">Continue in the app</a>"))
        }
    }

    @Test(.serving(WorkApp())) func anAppThatFailsCanBeUsedElsewhereOrAnew() async throws {
        let mark = try await browser.get("/app").mark
        let press = WebRequest([
            ("event", "work.askAndFail"), ("payload", #"{"name":"pay"}"#), ("version", "0"), ("session", mark),
        ])
        let answer = try await browser.client.request(press)
        #expect(answer.status == 500)
        #expect(answer.text.contains(">Something went wrong</h1>"))
        #expect(answer.text.contains("<a href=\"/app\">Continue in the app</a>"))
        #expect(answer.text.contains(">Begin anew</button>"))
    }

    @Test(.racing(configuration: .make(maximumEvents: 1))) func aFullSessionIsBegunAnew() async throws {
        let teams = try await browser.press("Continue", on: try await browser.get("/app"))
        let full = try await browser.press("Ferrari", on: teams)
        #expect(full.heading == "Session full")
        #expect(try await browser.press("Begin anew", on: full).heading == "Ferrari")
    }

    /// A new session leads to where the user wanted to go, but to no other site.
    @Test(.racing, arguments: ["/app/main/drivers/driver/norris": "Lando Norris", "/app": "Formula Racing"])
    func anEndedSessionIsBegunAnewAtTheSameAddress(address: String, heading: String) async throws {
        _ = try await browser.get("/app")
        _ = try await browser.client.delete("/sessions/\(browser.client.sessionID ?? "")")
        let ended = try await browser.get(address)
        #expect(ended.status == 404)
        // The id may be that of another server, whose cookie stays.
        #expect(ended.headers["set-cookie"] == nil)
        #expect(try await browser.press("Begin anew", on: ended).heading == heading)
        let form = WebRequest([("new", "session"), ("next", "//example.com/")])
        #expect(try await browser.client.request(form).header("Location") == "/app/splash")
    }
}
