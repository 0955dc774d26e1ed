import Coordinate
import CoordinateTesting
import CoordinateWeb
import Foundation
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The app as web pages, as a browser without scripts uses them.
@Suite(.racing) struct WebPagesTests {
    // MARK: Addresses

    @Test func theAppLeadsToTheScreenOfANewSession() async throws {
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

    @Test func aPageIsForOneSessionAndRunsNothingInline() async throws {
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

    @Test func theAddressOfAnotherScreenIsOpenedFirst() async throws {
        let page = try await browser.get("/app/main/teams/team/ferrari")
        #expect(page.status == 200)
        #expect(page.heading == "Ferrari")
        #expect(page.address == "/app/main/teams/team/ferrari")
        _ = try await browser.get("/app/main/teams/team/ferrari")
        let events = try await browser.client.journal().events
        #expect(events.map(\.event) == ["navigation.open"])
        #expect(events.map(\.origin) == ["client"])
    }

    @Test func theAddressWithASlashLeadsToTheSession() async throws {
        let page = try await browser.get("/app/")
        #expect(page.address == "/app/splash")
    }

    @Test(
        arguments: [
            ("/app/main/teams?fbclid=a&utm_source=b", "/app/main/teams"), ("/app/main/teams/", "/app/main/teams"),
            ("/app/main/teams/?a", "/app/main/teams"), ("/app/main/teams?=&&", "/app/main/teams"),
            ("/app/t%C3%A9/?a=%C3%A9", "/app/t%C3%A9"), ("/app?utm_source=mail", "/app/splash"),
        ])
    func whatNoRouteCanReadIsDropped(address: String, rest: String) async throws {
        let answer = try await browser.client.get(address)
        #expect(answer.status == 303)
        #expect(answer.header("Location") == rest)
    }

    @Test(.serving(ParcelApp())) func whatARouteDeclaresStays() async throws {
        let page = try await browser.get("/app/search?utm_source=mail&q=red+shoes&fbclid=1")
        #expect(page.status == 200)
        #expect(page.address == "/app/search?q=red+shoes")
    }

    // MARK: Requests that change nothing

    @Test func headOpensNoLink() async throws {
        _ = try await browser.get("/app")
        #expect(try await browser.client.request("HEAD", "/app/main/teams").status == 200)
        #expect(try await browser.client.request("HEAD", "/app/nowhere").status == 404)
        #expect(try await browser.client.request("HEAD", "/app").status == 303)
        #expect(try await browser.client.route().version == 0)
    }

    @Test(
        arguments: [
            ("Sec-Purpose", "prefetch"), ("Sec-Purpose", "prefetch;prerender"),
            ("Sec-Purpose", "prefetch; anonymous-client-ip"), ("Purpose", "prefetch"), ("X-Purpose", "preview"),
            ("X-moz", "Prefetch"),
        ])
    func aPrefetchOpensNoLink(header: String, purpose: String) async throws {
        let prefetch = [header: purpose]
        #expect(try await browser.client.get("/app", headers: prefetch).status == 204)
        #expect(browser.client.sessionID == nil)
        _ = try await browser.get("/app")
        #expect(try await browser.client.get("/app/main/teams", headers: prefetch).status == 204)
        #expect(try await browser.client.get("/app/splash", headers: prefetch).status == 200)
        #expect(try await browser.client.route().version == 0)
    }

    @Test(arguments: ["cross-site", "same-site"])
    func aLinkFromAnotherSiteHasToBeContinued(site: String) async throws {
        let elsewhere = ["Sec-Fetch-Site": site]
        for path in ["/app", "/app/main/%22b"] {
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

    // MARK: Pressing

    @Test func aDoublePressIsDoneOnceAndThePageSaysSo() async throws {
        let splash = try await browser.get("/app")
        _ = try await browser.client.request(try browser.form("Continue", on: splash))
        let page = try await browser.press("Continue", on: splash)
        #expect(page.status == 200)
        #expect(page.heading == "Teams")
        #expect(page.success == "You pressed twice. It was done once.")
        #expect(try await browser.client.route().version == 1)
        // It is said once.
        #expect(try await browser.get(page.address).success == nil)
    }

    @Test func aPressThatComesTooLateLeadsToTheScreenAsItIs() async throws {
        let editor = try await browser.get("/app/main/profile/edit")
        try await browser.client.open("/main/teams")
        // A prefetch and another method do not use up the sentence.
        let press = try browser.form("Save", on: editor, ["name": "Ada"])
        #expect(try await browser.client.request(press).status == 303)
        _ = try await browser.client.get("/app/main/teams", headers: ["Purpose": "prefetch"])
        _ = try await browser.client.request("HEAD", "/app/main/teams")
        let page = try await browser.get("/app")
        #expect(page.heading == "Teams")
        #expect(page.notice?.hasPrefix("The screen had changed") == true)
        #expect(try await browser.get("/app").notice == nil)
        #expect(try await browser.client.journal().events.map(\.event) == ["navigation.open", "navigation.open"])
    }

    @Test func aFormOfAnotherSessionChangesNothing() async throws {
        let (tab, other) = (WebClient(client: server.client()), WebClient(client: server.client()))
        let page = try await tab.get("/app/main/teams/team/ferrari")
        _ = try await other.get("/app/main/drivers")
        let answer = try await other.client.request(try tab.form("Add to favorites", on: page))
        #expect(answer.status == 409)
        #expect(answer.text.contains("another session"))
        #expect(try await other.client.route().version == 1)
        // The mark that tells them apart grants nothing.
        #expect(!page.mark.isEmpty && page.mark != tab.client.sessionID)
        #expect(try await server.client().get("/sessions/\(page.mark)").status == 404)
    }

    // MARK: Addresses that browsers would change

    @Test(
        .serving(LibraryApp()),
        arguments: [
            "milk", "a/b", "50%", "..", ".", "%2e", "", "/", "a\0b", "?q=1#x", "ü",
            String(repeating: "x", count: 9_000),
            String(repeating: "/", count: 1_500),
        ])
    func everyStateHasAnAddressThatBrowsersKeep(value: String) async throws {
        _ = try await browser.get("/app")
        let path = "/shelf/book/" + value.encoded
        try await browser.client.open(path)
        let page = try await browser.get("/app")
        #expect(page.status == 200)
        #expect(page.address.utf8.count <= 2_000)
        let parts = page.address.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.dropFirst().allSatisfy { !["", ".", "..", "%2E", "%2E%2E"].contains($0) })
        #expect(!page.address.contains("%00"))
        // Reload changes nothing. After another screen, Back opens the same one again.
        _ = try await browser.get(page.address)
        let route = try await browser.client.route()
        #expect(route.version == 1)
        try await browser.client.open("/shelf/book/other")
        #expect(try await browser.get(page.address).status == 200)
        #expect(try await browser.client.route().path == route.path)
        // For another session, it is an address of the same screen, or leads to its own.
        #expect(try await WebClient(client: server.client()).get(page.address).status == 200)
    }

    @Test(.working) func aPageReloadsItselfWhileWorkIsPending() async throws {
        #expect(try await browser.get("/app").headers["refresh"] == nil)
        try await browser.client.emit("work.setTimer", ["seconds": 1_000])
        #expect(try await browser.get("/app").headers["refresh"] == nil)
        try await browser.client.emit("work.ask", ["name": "pay"])
        // Browsers replace the page in their history if the time is a second at most.
        #expect(try await browser.get("/app").headers["refresh"] == "1; url=/app")
        world.finish("pay", with: "receipt")
        try await browser.client.settle()
        #expect(try await browser.get("/app").headers["refresh"] == nil)
    }

    /// Otherwise a press whose work ends before the browser has followed the redirect would be undone.
    @Test func aPathThatTheAppHasJustLeftIsNotOpenedAgain() async throws {
        let clock = TestClock()
        try await withServer(app: RacingApp.make(), configuration: .make(), clock: clock) { server in
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

    @Test(
        arguments: [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
            ["Sec-Fetch-Site": "same-site"], ["Origin": "http://localhost:1"],
        ])
    func aFormOfAnotherSiteIsRefused(headers: [String: String]) async throws {
        let press = try browser.form("Continue", on: try await browser.get("/app"))
        for path in ["/app", "/app/login"] {
            let answer = try await browser.client.request(press, to: path, headers: headers)
            #expect(answer.status == 403)
            #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
        }
        #expect(try await browser.client.route().version == 0)
    }

    @Test func ownFormsAreAccepted() async throws {
        let press = try browser.form("Continue", on: try await browser.get("/app"))
        let headers = ["Origin": "http://localhost", "Sec-Fetch-Site": "same-origin", "Host": "localhost"]
        #expect(try await browser.client.request(press, headers: headers).status == 303)
    }

    @Test func aFormNeedsASessionAndItsType() async throws {
        let stranger = WebRequest([("event", "splash.didFinish"), ("version", "0"), ("session", "x")])
        #expect(try await browser.client.request(stranger).status == 404)
        #expect(browser.client.sessionID == nil)
        let press = try browser.form("Continue", on: try await browser.get("/app"))
        #expect(
            try await browser.client.request(press, headers: ["Content-Type": "application/json"]).status == 415)
        #expect(try await browser.client.request(WebRequest([("event", "splash.didFinish")])).status == 400)
        #expect(try await browser.client.request(press).status == 303)
    }

    @Test(
        arguments: [
            [("event", "splash.none")], [("event", "teams.didSelect"), ("payload", #"{"team":"ferari"}"#)],
            [("event", "splash.didFinish"), ("payload", #"{"other":1}"#)],
            [("event", "splash.didFinish"), ("input.other", "1")],
            [("event", "navigation.open"), ("payload", #"{"path":"/nowhere"}"#)],
        ])
    func whatTheAppDoesNotAcceptIsExplained(values: [(String, String)]) async throws {
        let mark = try await browser.get("/app").mark
        let answer = try await browser.client.request(
            WebRequest(values + [("version", "0"), ("session", mark)]))
        #expect(answer.status == 422)
        #expect(answer.text.contains("role=\"alert\""))
        // In words for people.
        #expect(answer.text.contains(/>The app (does not accept this|has no such screen)/))
        #expect(try await browser.client.route().version == 0)
    }

    @Test(.racing(configuration: .make(endpoints: []))) func pagesCanBeTurnedOff() async throws {
        for path in ["/app", "/app/splash", "/app/login"] {
            for method in ["GET", "POST", "HEAD"] {
                let answer = try await server.client().request(method, path)
                #expect(answer.status == 404)
                #expect(answer.header("Content-Type") == "application/problem+json")
            }
        }
        #expect(try await server.client().get("/catalog").header("Link") == nil)
    }

    @Test func theCatalogLeadsToThePages() async throws {
        let link = try await browser.client.get("/catalog").header("Link")
        #expect(link == "</app>; rel=\"alternate\"; type=\"text/html\"")
    }

    // MARK: The look of the app

    private func configuration(_ theme: URL) -> ServerConfiguration {
        .make(endpoints: [.webPages(theme: theme.path)])
    }

    @Test func theAppsStyleSheetComesAfterTheLibrarys() async throws {
        let theme = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).css")
        try Data(":root { --accent: #b00020; }".utf8).write(to: theme)
        defer { try? FileManager.default.removeItem(at: theme) }
        try await withRacing(configuration: configuration(theme)) { server in
            let browser = WebClient(client: server.client())
            let page = try await browser.get("/app")
            #expect(
                page.text.contains(
                    """
                    <link rel="stylesheet" href="/web/app.css">
                    <link rel="stylesheet" href="/web/theme.css">

                    """))
            let sheet = try await browser.client.get("/web/theme.css")
            #expect(sheet.text == ":root { --accent: #b00020; }")
            #expect(sheet.header("Content-Type") == "text/css; charset=utf-8")
            // Messages have it as well.
            let message = try await browser.get("/app/nowhere")
            #expect(message.text.contains("/web/theme.css"))
        }
    }

    @Test(.racing) func withoutOneItIsEmpty() async throws {
        let theme = try await browser.client.get("/web/theme.css")
        #expect(theme.status == 200)
        #expect(!theme.text.contains("{"))
    }

    @Test func aMissingStyleSheetIsFoundAtTheStart() {
        let missing = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).css")
        #expect(throws: ServerError.self) { try Server(app: RacingApp.make(), configuration: configuration(missing)) }
    }
}
