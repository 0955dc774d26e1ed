import Coordinate
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// What the tab of a browser gets when its session changes: `GET /app?since=`.
@Suite(.racing) struct WebUpdateTests {
    /// What happens in a session after the tab has loaded its page.
    enum Step: Sendable {
        /// Another tab opens a path.
        case open(String)
        /// Another client changes what the same screen shows.
        case favorite(String)
        /// The host of the app leads to a path.
        case lead(String)
    }

    private func take(_ steps: [Step], in server: TestServer, _ browser: WebClient) async throws {
        for step in steps {
            switch step {
            case .open(let path): try await browser.client.open(path)
            case .favorite(let team): try await browser.client.emit("teams.setFavorite", ["team": .string(team)])
            case .lead(let path): try await server.emit(NavigationEvents.open(path), into: browser.client)
            }
        }
    }

    private static let cases: [([Step], heading: String?)] = [
        ([], "Teams"),
        ([.favorite("ferrari")], "Teams"),
        ([.lead("/main/drivers")], "Drivers"),
        ([.favorite("ferrari"), .lead("/main/drivers"), .favorite("alpine")], "Drivers"),
        ([.open("/main/drivers")], nil),
        ([.favorite("ferrari"), .open("/main/drivers")], nil),
        ([.open("/main/drivers"), .lead("/main/profile")], nil),
        ([.lead("/main/profile"), .open("/main/drivers")], nil),
        // Back at the path of the page.
        ([.open("/main/drivers"), .open("/main/teams")], "Teams"),
        ([.lead("/main/drivers"), .open("/main/teams")], "Teams"),
        (Array(repeating: .favorite("ferrari"), count: 70), "Teams"),
        (Array(repeating: .favorite("ferrari"), count: 20) + [.lead("/main/drivers")], "Drivers"),
        // Too much to tell.
        (Array(repeating: .favorite("ferrari"), count: 70) + [.lead("/main/drivers")], nil),
    ]

    @Test(arguments: cases)
    func aTabFollowsTheAppButNoOtherTab(steps: [Step], heading: String?) async throws {
        let page = try await browser.get("/app/main/teams")
        try await take(steps, in: server, browser)
        let version = try await browser.client.route().version
        let answer = try await browser.client.get("/app?since=1.\(page.mark)")
        #expect(answer.status == (heading == nil ? 204 : 200))
        #expect(answer.header("Cache-Control") == "no-store")
        if let heading {
            #expect(answer.text.contains(">\(heading)</h1>"))
            #expect(answer.text.contains("data-version=\"\(version)\""))
        }
        #expect(try await browser.client.route().version == version)
    }

    @Test func aTabAtTheFirstScreenStaysAsWell() async throws {
        let page = try await browser.get("/app")
        #expect(try await browser.client.get("/app?since=0.\(page.mark)").status == 200)
        _ = try await browser.press("Continue", on: page)
        #expect(try await browser.client.get("/app?since=0.\(page.mark)").status == 204)
        try await browser.client.open("/splash")
        #expect(try await browser.client.get("/app?since=0.\(page.mark)").text.contains(">Formula Racing</h1>"))
    }

    /// The outcome of work that a press began moves all tabs that show where it began.
    @Test(.working({ DeskApp($0) })) func theOutcomeOfWorkMovesTheTab() async throws {
        let page = try await browser.get("/app")
        let pending = try await browser.press("Book", on: page, ["name": "Ada"])
        #expect(pending.address == "/app/desk")
        world.finish("book", with: "table 3")
        try await browser.client.settle()
        for version in 0...1 {
            let answer = try await browser.client.get("/app?since=\(version).\(page.mark)")
            #expect(answer.text.contains(">Booked</h1>"))
        }
    }

    @Test func aTabOfAnotherSessionStays() async throws {
        let (tab, other) = (WebClient(client: server.client()), WebClient(client: server.client()))
        let page = try await tab.get("/app/main/teams")
        _ = try await other.get("/app/main/drivers")
        #expect(try await other.client.get("/app?since=1.\(page.mark)").status == 204)
    }

    @Test(arguments: ["", "1", "x", "1.", "-1.a", "1.a.b", "/main/teams", "99999999999999999999.a"])
    func withoutASessionOrAMomentItIsTheAddressOfTheApp(since: String) async throws {
        let answer = try await server.client().get("/app?since=\(since)")
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/app/splash")
    }

    /// The sentence is for the tab whose press came too late.
    @Test func anUpdateLeavesWhatAnotherTabIsAboutToSay() async throws {
        let page = try await browser.get("/app/main/teams/team/ferrari")
        try await browser.client.emit("teams.setFavorite", ["team": "alpine"])
        _ = try await browser.client.request(try browser.form("Add to favorites", on: page))
        let update = try await browser.client.get("/app?since=1.\(page.mark)")
        #expect(update.status == 200)
        #expect(!update.text.contains("class=\"notice\""))
        #expect(try await browser.get("/app").notice?.hasPrefix("The screen had changed") == true)
    }
}
