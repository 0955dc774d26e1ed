import Coordinate
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The app as web pages, as a browser without scripts uses them.
struct WebPagesTests {
    private nonisolated(nonsending) func withBrowser(
        _ body: nonisolated(nonsending) (WebClient) async throws -> Void
    ) async throws {
        try await withRacing { server in try await body(WebClient(client: server.client())) }
    }

    // MARK: Addresses

    @Test func theAppLeadsToTheScreenOfANewSession() async throws {
        try await withBrowser { browser in
            let answer = try await browser.client.get("/app")
            #expect(answer.status == 303)
            #expect(answer.header("Location") == "/app/splash")
            #expect(answer.header("Set-Cookie")?.hasPrefix("session=") == true)
            #expect(answer.header("Cache-Control") == "no-store")
            let page = try await browser.get("/app")
            #expect(page.status == 200)
            #expect(page.address == "/app/splash")
            #expect(page.heading == "Formula Racing")
            #expect(try await browser.client.route().version == 0)
        }
    }

    @Test func aPageIsForOneSessionAndRunsNothingInline() async throws {
        try await withBrowser { browser in
            let page = try await browser.get("/app")
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.headers["cache-control"] == "no-store")
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none';"))
            #expect(!policy.contains("unsafe"))
            // With no-referrer, browsers would send the origin of forms as null.
            #expect(page.headers["referrer-policy"] == "same-origin")
            #expect(page.headers["refresh"] == nil)
        }
    }

    @Test func theAddressOfAnotherScreenIsOpenedFirst() async throws {
        try await withBrowser { browser in
            let page = try await browser.get("/app/main/teams/team/ferrari")
            #expect(page.status == 200)
            #expect(page.heading == "Ferrari")
            #expect(page.address == "/app/main/teams/team/ferrari")
            _ = try await browser.get("/app/main/teams/team/ferrari")
            let events = try await browser.client.journal().events
            #expect(events.map(\.event) == ["navigation.open"])
            #expect(events.map(\.origin) == ["client"])
        }
    }

    @Test(arguments: ["/app/main/teams/team/ferari", "/app/nowhere", "/app/main//", "/app/%ff", "/app/splash?q=1"])
    func anUnknownPathIsAPageThatSaysSo(path: String) async throws {
        try await withBrowser { browser in
            let page = try await browser.get(path)
            #expect(page.status == 404)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.text.contains(#"href="/app""#))
            #expect(page.text.contains(#"<a href="/app/main/teams/team/ferrari">"#) == path.contains("ferari"))
            // No session was created for it.
            #expect(page.headers["set-cookie"] == nil)
        }
    }

    @Test func theAddressWithASlashLeadsToTheSession() async throws {
        try await withBrowser { browser in
            let page = try await browser.get("/app/")
            #expect(page.address == "/app/splash")
        }
    }

    @Test func anUnknownSessionIsAPageWithALinkToBeginAnew() async throws {
        try await withBrowser { browser in
            let stale = browser.client.inSession("AAAAAAAAAAAAAAAAAAAAAA")
            let answer = try await stale.get("/app")
            #expect(answer.status == 404)
            #expect(answer.text.contains(#"<a href="/app">"#))
            #expect(answer.header("Set-Cookie")?.contains("Max-Age=0") == true)
            #expect(try await stale.get("/app").status == 303)
        }
    }

    // MARK: Requests that change nothing

    @Test func headOpensNoLink() async throws {
        try await withBrowser { browser in
            _ = try await browser.get("/app")
            #expect(try await browser.client.request("HEAD", "/app/main/teams").status == 200)
            #expect(try await browser.client.request("HEAD", "/app/nowhere").status == 404)
            #expect(try await browser.client.request("HEAD", "/app").status == 303)
            #expect(try await browser.client.route().version == 0)
        }
    }

    @Test(arguments: ["prefetch", "prefetch;prerender", "prefetch; anonymous-client-ip"])
    func aPrefetchOpensNoLink(purpose: String) async throws {
        try await withBrowser { browser in
            let prefetch = ["Sec-Purpose": purpose]
            #expect(try await browser.client.get("/app", headers: prefetch).status == 204)
            #expect(browser.client.sessionID == nil)
            _ = try await browser.get("/app")
            #expect(try await browser.client.get("/app/main/teams", headers: prefetch).status == 204)
            #expect(try await browser.client.get("/app/splash", headers: prefetch).status == 200)
            #expect(try await browser.client.route().version == 0)
        }
    }

    @Test(arguments: ["cross-site", "same-site"])
    func aLinkFromAnotherSiteHasToBeContinued(site: String) async throws {
        try await withBrowser { browser in
            let elsewhere = ["Sec-Fetch-Site": site]
            for path in ["/app", "/app/main/teams?a=%22b"] {
                let answer = try await browser.client.get(path, headers: elsewhere)
                #expect(answer.status == 200)
                #expect(answer.header("Set-Cookie") == nil)
                #expect(answer.text.contains("<a href=\"\(path)\">Continue</a>"))
            }
            _ = try await browser.get("/app")
            let answer = try await browser.client.get("/app/main/teams", headers: elsewhere)
            #expect(answer.text.contains(">Continue</a>"))
            #expect(try await browser.client.route().version == 0)
        }
    }

    @Test func otherMethodsAreRefused() async throws {
        try await withBrowser { browser in
            for (path, allowed) in [
                ("/app", "GET, HEAD, POST"), ("/app/main", "GET, HEAD"), ("/app/login", "GET, HEAD, POST"),
            ] {
                for method in ["PUT", "DELETE", "PATCH"] + (path == "/app/main" ? ["POST"] : []) {
                    let answer = try await browser.client.request(method, path)
                    #expect(answer.status == 405)
                    #expect(answer.header("Allow") == allowed)
                    #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
                }
            }
        }
    }

    // MARK: Pressing

    @Test func theWholeAppCanBeUsed() async throws {
        try await withBrowser { browser in
            var page = try await browser.get("/app")
            page = try await browser.press("Continue", on: page)
            #expect(page.address == "/app/main/teams")
            page = try await browser.press("Ferrari", on: page)
            #expect(page.heading == "Ferrari")
            page = try await browser.press("Add to favorites", on: page)
            #expect(page.text.contains(">Remove from favorites</button>"))
            page = try await browser.press("Teams", on: page)
            page = try await browser.press("Profile", on: page)
            #expect(page.address == "/app/main/profile")
            #expect(page.text.contains("aria-current=\"page\""))
            page = try await browser.press("Edit profile", on: page)
            #expect(page.address == "/app/main/profile/edit")
            let title = try #require(page.text.first(#/<button[^>]*>(Rename|Save)</button>/#))
            page = try await browser.press(title, on: page, ["name": "Ada & Grace"])
            #expect(page.address == "/app/main/profile")
            #expect(page.text.contains("Ada &amp; Grace"))
        }
    }

    @Test func aVersionThatIsNoLongerCurrentIsRefusedWithTheScreenAsItIs() async throws {
        try await withBrowser { browser in
            let splash = try await browser.get("/app")
            let press = try browser.form("Continue", on: splash)
            #expect(try await browser.client.request(press).status == 303)
            let answer = try await browser.client.request(press)
            #expect(answer.status == 409)
            #expect(answer.text.contains("<h1 tabindex=\"-1\" dir=\"auto\">Teams</h1>"))
            #expect(answer.text.contains("role=\"alert\""))
            #expect(try await browser.client.route().version == 1)
        }
    }

    @Test func aPageReloadsItselfWhileWorkIsPending() async throws {
        let world = World()
        try await withApp(WorkApp(world)) { server in
            let browser = WebClient(client: server.client())
            #expect(try await browser.get("/app").headers["refresh"] == nil)
            try await browser.client.emit("work.setTimer", ["seconds": 1_000])
            #expect(try await browser.get("/app").headers["refresh"] == nil)
            try await browser.client.emit("work.ask", ["name": "pay"])
            // Browsers replace the page in their history if the time is a second at most.
            #expect(try await browser.get("/app").headers["refresh"] == "1; url=/app")
            let stale = try await browser.client.request(WebRequest([("event", "work.look"), ("version", "0")]))
            #expect(stale.status == 409)
            #expect(stale.header("Refresh") == "2; url=/app")
            world.finish("pay", with: "receipt")
            try await browser.client.settle()
            #expect(try await browser.get("/app").headers["refresh"] == nil)
        }
    }

    /// Otherwise a press whose work ends before the browser has followed the redirect would be undone.
    @Test func aPathThatTheAppHasJustLeftIsNotOpenedAgain() async throws {
        let clock = TestClock()
        try await withServer(app: RacingApp.make(), clock: clock) { server in
            let browser = WebClient(client: server.client())
            _ = try await browser.get("/app/main/teams")
            try await server.emit(NavigationEvents.open("/main/drivers/driver/norris"), into: browser.client)
            #expect(try await browser.get("/app/main/teams").address == "/app/main/drivers/driver/norris")
            #expect(try await browser.client.route().version == 2)
            // Any other path is opened, and after a while this one as well.
            #expect(try await browser.get("/app/main/profile").address == "/app/main/profile")
            _ = try await browser.get("/app/main/teams")
            try await server.emit(NavigationEvents.open("/main/drivers"), into: browser.client)
            clock.advance(by: .seconds(3))
            #expect(try await browser.get("/app/main/teams").address == "/app/main/teams")
        }
    }

    @Test func aFormThatComesTooLateKeepsItsEntries() async throws {
        try await withBrowser { browser in
            let editor = try await browser.get("/app/main/profile/edit")
            try await browser.client.emit("teams.setFavorite", ["team": "ferrari"])
            let late = try await browser.press("Save", on: editor, ["name": "Ada"])
            #expect(late.status == 409)
            #expect(late.field("name")?.contains("value=\"Ada\"") == true)
            #expect(try await browser.press("Save", on: late).heading == "Ada")
        }
    }

    @Test func theAdviceOnAForeignFormIsForPeople() async throws {
        try await withBrowser { browser in
            let press = try browser.form("Continue", on: try await browser.get("/app"))
            let answer = try await browser.client.request(press, headers: ["Origin": "https://evil.example"])
            #expect(answer.text.contains("own pages only"))
            #expect(!answer.text.contains("COORDINATE_ORIGINS"))
        }
    }

    @Test(
        arguments: [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
            ["Sec-Fetch-Site": "same-site"], ["Origin": "http://localhost:1"],
        ])
    func aFormOfAnotherSiteIsRefused(headers: [String: String]) async throws {
        try await withBrowser { browser in
            let press = try browser.form("Continue", on: try await browser.get("/app"))
            for path in ["/app", "/app/login"] {
                let answer = try await browser.client.request(press, to: path, headers: headers)
                #expect(answer.status == 403)
                #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
            }
            #expect(try await browser.client.route().version == 0)
        }
    }

    @Test func evenASiteThatMayUseTheServerCannotSendForms() async throws {
        var configuration = ServerConfiguration.make()
        configuration.origins = ["https://shop.example"]
        try await withRacing(configuration: configuration) { server in
            let browser = WebClient(client: server.client())
            let press = try browser.form("Continue", on: try await browser.get("/app"))
            let answer = try await browser.client.request(press, headers: ["Origin": "https://shop.example"])
            #expect(answer.status == 403)
        }
    }

    @Test func ownFormsAreAccepted() async throws {
        try await withBrowser { browser in
            let press = try browser.form("Continue", on: try await browser.get("/app"))
            let headers = ["Origin": "http://localhost", "Sec-Fetch-Site": "same-origin", "Host": "localhost"]
            #expect(try await browser.client.request(press, headers: headers).status == 303)
        }
    }

    @Test func aFormNeedsASessionAndItsType() async throws {
        try await withBrowser { browser in
            let press = WebRequest([("event", "splash.didFinish"), ("version", "0")])
            #expect(try await browser.client.request(press).status == 404)
            #expect(browser.client.sessionID?.isEmpty != false)
            _ = try await browser.client.get("/app")
            #expect(
                try await browser.client.request(press, headers: ["Content-Type": "application/json"]).status == 415)
            #expect(try await browser.client.request(WebRequest([("event", "splash.didFinish")])).status == 400)
            #expect(try await browser.client.request(press).status == 303)
        }
    }

    @Test(
        arguments: [
            [("event", "splash.none")], [("event", "teams.didSelect"), ("payload", #"{"team":"ferari"}"#)],
            [("event", "splash.didFinish"), ("payload", #"{"other":1}"#)],
            [("event", "splash.didFinish"), ("input.other", "1")],
            [("event", "navigation.open"), ("payload", #"{"path":"/nowhere"}"#)],
        ])
    func whatTheAppDoesNotAcceptIsExplained(values: [(String, String)]) async throws {
        try await withBrowser { browser in
            _ = try await browser.get("/app")
            let answer = try await browser.client.request(WebRequest(values + [("version", "0")]))
            #expect(answer.status == 422)
            #expect(answer.text.contains("role=\"alert\""))
            #expect(try await browser.client.route().version == 0)
        }
    }

    @Test func pagesCanBeTurnedOff() async throws {
        var configuration = ServerConfiguration.make()
        configuration.servesWebPages = false
        try await withRacing(configuration: configuration) { server in
            for path in ["/app", "/app/splash", "/app/login"] {
                for method in ["GET", "POST", "HEAD"] {
                    let answer = try await server.client().request(method, path)
                    #expect(answer.status == 404)
                    #expect(answer.header("Content-Type") == "application/problem+json")
                }
            }
            #expect(try await server.client().get("/catalog").header("Link") == nil)
        }
    }

    @Test func theCatalogLeadsToThePages() async throws {
        try await withBrowser { browser in
            let link = try await browser.client.get("/catalog").header("Link")
            #expect(link == "</app>; rel=\"alternate\"; type=\"text/html\"")
        }
    }
}
