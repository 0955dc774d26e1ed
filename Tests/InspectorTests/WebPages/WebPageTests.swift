import Coordinate
import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

extension Appearance {
    /// The app as web pages, as people use them.
    struct WebPageTests {
        // MARK: With scripts and without

        @Test(arguments: [false, true])
        func theAppIsUsedFromItsFirstScreen(runsScripts: Bool) async throws {
            try await withWebPage(runsScripts: runsScripts) { page, server in
                try await page.open(server.url + "/app")
                try await page.expect("Formula Racing", at: "/app/splash")
                try await page.click("main button", text: "Continue")
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.click("main .title", text: "Ferrari")
                try await page.expect("Ferrari", at: "/app/main/teams/team/ferrari")

                try await page.goBack()
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.goForward()
                try await page.expect("Ferrari", at: "/app/main/teams/team/ferrari")
                try await page.reload()
                try await page.expect("Ferrari", at: "/app/main/teams/team/ferrari")

                try await page.click("main button", text: "Add to favorites")
                try await page.wait(for: "main button", text: "Remove from favorites")
                try await page.wait(for: "nav .badge", text: "1")
                try await page.click("nav span", text: "Profile")
                try await page.wait(for: "nav [aria-current='page'] span", text: "Profile")
                try await page.click("main button", text: "Edit profile")
                try await page.expect("Edit profile", at: "/app/main/profile/edit")
                try await page.fill(labelled: "Name", with: "Ada <Grace> & \"Joan\"")
                try await page.click("main button", text: "Save")
                try await page.expect("Ada <Grace> & \"Joan\"", at: "/app/main/profile")
                #expect(try await page.evaluate("return document.title") == "Ada <Grace> & \"Joan\" – Racing")
            }
        }

        @Test(arguments: [false, true])
        func aFormIsCorrectedWhereItIsWrong(runsScripts: Bool) async throws {
            try await withWebPage(of: FormApp(), expecting: [422], runsScripts: runsScripts) { page, server in
                try await page.open(server.url + "/app")
                try await page.fill(labelled: "Name", with: "Ada")
                try await page.fill(labelled: "Password", with: "swordfish")
                try await page.choose("de", in: "select")
                // In place of a browser that does not know fields for numbers.
                try await page.evaluate("document.querySelector('[type=number]').type = 'text'")
                try await page.fill(labelled: "Guests", with: "many")
                try await page.click("main button", text: "Join")

                try await page.wait(for: "main .notice")
                // The browser moves the focus after it has loaded the page.
                try await page.wait(
                    "for the focus", until: "document.activeElement.matches('.notice')")
                let wrong = try await page.evaluate(
                    """
                    const field = document.querySelector("[aria-invalid='true']");
                    const error = document.getElementById(field.getAttribute("aria-describedby"));
                    return [
                      field.labels[0].textContent, field.value, error.textContent !== "",
                      document.querySelector("[type=password]").value, document.querySelector("select").value,
                    ];
                    """)
                #expect(wrong == ["Guests", "many", true, "", "de"])
                try await page.fill(labelled: "Guests", with: "2")
                try await page.fill(labelled: "Zip", with: "80")
                try await page.click("main button", text: "Join")
                try await page.wait(for: "main .error", text: "has four digits")
                try await page.fill(labelled: "Zip", with: "8002")
                try await page.click("main button", text: "Join")
                try await page.wait(for: "main button", text: "Invite")
            }
        }

        @Test(arguments: [false, true])
        func aPressThatComesTooLateShowsTheScreenAsItIs(runsScripts: Bool) async throws {
            try await withWebPage(runsScripts: runsScripts) { page, server in
                let client = try await page.begin(on: server)
                try await client.emit("splash.didFinish")
                try await page.click("main button", text: "Continue")
                try await page.wait(for: "main [role='alert']")
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.click("main .title", text: "Ferrari")
                try await page.expect("Ferrari", at: "/app/main/teams/team/ferrari")
                try await client.open("/main/drivers")
                try await page.click("main button", text: "Add to favorites")
                try await page.expect("Drivers", at: "/app/main/drivers")
                try await page.wait(for: "main [role='alert']")
                try await page.open(server.url + "/app/main/teams")
                try await page.wait(for: "h1", text: "Teams")
                try await page.click("main .title", text: "Alpine")
                try await page.expect("Alpine", at: "/app/main/teams/team/alpine")
            }
        }

        @Test(arguments: [false, true])
        func aSessionThatHasEndedBeginsAnew(runsScripts: Bool) async throws {
            try await withWebPage(expecting: [404], runsScripts: runsScripts) { page, server in
                let client = try await page.begin(on: server)
                _ = try await client.delete("/sessions/\(client.sessionID ?? "")")
                if !runsScripts { try await page.reload() }
                try await page.wait(for: "h1", text: "Session not found")
                try await page.click("button", text: "Begin anew")
                try await page.expect("Formula Racing", at: "/app/splash")
                // The page follows the new session.
                try await page.click("main button", text: "Continue")
                try await page.expect("Teams", at: "/app/main/teams")
            }
        }

        // MARK: With scripts

        @Test func theScreenStaysWhereItWasScrolled() async throws {
            try await withWebPage { page, server in
                _ = try await page.begin(on: server)
                try await page.resize(width: 390, height: 300)
                try await page.open(server.url + "/app/main/drivers")
                try await page.expect("Drivers", at: "/app/main/drivers")
                try await page.evaluate("scrollTo(0, 400)")
                try await page.click("main .title", text: "Lewis Hamilton")
                try await page.expect("Lewis Hamilton", at: "/app/main/drivers/driver/hamilton")
                #expect(try await page.evaluate("return scrollY") == 0)
                try await page.evaluate("seen('main button', 'Add to favorites')[0].focus(); scrollTo(0, 100)")
                try await page.click("main button", text: "Add to favorites")
                try await page.wait(for: "main button", text: "Remove from favorites")
                #expect(try await page.evaluate("return scrollY > 0") == true)
                try await page.goBack()
                try await page.expect("Drivers", at: "/app/main/drivers")
                try await page.wait("for the place", until: "scrollY === 400")
            }
        }

        @Test func aPressOrAnotherClientReplacesTheContent() async throws {
            try await withWebPage { page, server in
                let client = try await page.begin(on: server)
                try await page.evaluate("window.isTheSame = true; scrollTo(0, 100)")
                // A double press counts once.
                try await page.evaluate(
                    "const [button] = seen('main button', 'Continue'); button.click(); button.click()")
                try await page.expect("Teams", at: "/app/main/teams")
                #expect(try await client.route().version == 1)
                try await page.wait("for the focus", until: "document.activeElement.localName === 'h1'")
                try await page.click("nav :is(a, button)", text: "Drivers")
                try await page.expect("Drivers", at: "/app/main/drivers")
                try await page.goBack()
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.goForward()
                try await page.expect("Drivers", at: "/app/main/drivers")
                try await page.evaluate("seen('nav :is(a, button)', 'Drivers')[0].focus()")
                try await client.emit("teams.setFavorite", ["team": "ferrari"])
                try await page.wait(for: "nav .badge", text: "1")
                #expect(try await page.evaluate("return document.activeElement.textContent") == "Drivers")
                #expect(try await page.evaluate("return window.isTheSame") == true)
            }
        }

        @Test func whatIsBeingTypedStays() async throws {
            try await withWebPage { page, server in
                let client = try await page.begin(on: server)
                try await page.open(server.url + "/app/main/profile/edit")
                try await page.fill(labelled: "Name", with: "Ada")
                try await page.evaluate(
                    """
                    window.told = "";
                    new EventSource("/events").addEventListener("route", ({ lastEventId }) => (told = lastEventId));
                    """)
                try await client.emit("teams.setFavorite", ["team": "ferrari"])
                try await page.wait("for the stream", until: "told === '2'")
                #expect(
                    try await page.evaluate("return document.querySelector('[name=\"input.name\"]').value") == "Ada")
                // Once the entry is gone, the page is up to date again.
                try await page.evaluate(
                    """
                    const field = document.querySelector('[name="input.name"]');
                    field.value = field.defaultValue;
                    field.blur();
                    """)
                try await page.wait("for the page", until: "document.body.dataset.version === '2'")
            }
        }

        /// A form that the server does not take, and one that does not reach it.
        @Test func whatWasEnteredStaysIfAPressFails() async throws {
            try await withWebPage(expecting: [413]) { page, server in
                try await page.open(server.url + "/app/main/profile/edit")
                try await page.wait(for: "h1", text: "Edit profile")
                try await page.evaluate("document.querySelector('[name=\"input.name\"]').value = 'x'.repeat(1_100_000)")
                try await page.click("main button", text: "Save")
                try await page.wait(
                    "for the reason", until: "document.querySelector('.unsent')?.textContent.includes('too long')")
                #expect(
                    try await page.evaluate("return document.querySelector('[name=\"input.name\"]').value.length")
                        == 1_100_000)
                try await page.fill(labelled: "Name", with: "Ada")
                try await page.evaluate(
                    "window.fetched = window.fetch; window.fetch = () => Promise.reject(new TypeError())")
                try await page.click("main button", text: "Save")
                try await page.wait(
                    "for the reason", until: "document.querySelector('.unsent')?.textContent.includes('no answer')")
                try await page.evaluate("window.fetch = window.fetched")
                try await page.click("main button", text: "Save")
                try await page.expect("Ada", at: "/app/main/profile")
            }
        }

        // MARK: The look

        @Test func anAppHasItsOwnLook() async throws {
            let theme = TemporaryFile("theme.css")
            let look = """
                :root { --accent: #b00020; --corner: 3px; --logo: url("/favicon.svg"); --logo-height: 48px; }
                """
            try Data(look.utf8).write(to: URL(filePath: theme.path))
            try await withVisit(to: "/app", of: try Server.showing(theme: theme.path), runsScripts: false) { page, _ in
                let shown = try await page.evaluate(
                    """
                    const button = getComputedStyle(document.querySelector("main button"));
                    const logo = getComputedStyle(document.querySelector(".app"), "::before");
                    return [
                      button.backgroundColor, button.borderRadius, logo.height, logo.backgroundImage.includes("/favicon.svg"),
                    ];
                    """)
                #expect(shown == ["rgb(176, 0, 32)", "3px", "48px", true])
            }
        }

        // MARK: The inspector

        @Test func theInspectorOpensTheScreenAsAWebPage() async throws {
            try await withInspector(expecting: [400]) { page, server in
                try await page.clearCookies()
                let own = try await page.session()
                try await page.wait(for: "#web-page", text: "Open as web page")
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.holdLinks()
                for _ in 0..<2 {
                    try await page.click("#web-page")
                    let link = try await page.evaluate("return document.querySelector('#web-page').href")
                    #expect(link == .string(server.url + "/app/main/teams"))
                    try await page.withTab(link.string ?? "") { tab in
                        try await tab.expect("Teams", at: "/app/main/teams")
                        #expect(try await tab.evaluate("return document.body.dataset.version") == "1")
                    }
                    // It is the session on the page, and no other one began.
                    #expect(try await server.client().get("/sessions").json["sessions"]?.array.count == 1)
                }
                // A session that the user opened as web pages stays in the cookie.
                let other = try await server.session(["path": "/main/drivers"])
                try await page.enter(own, of: server.url)
                try await page.open("about:blank")
                try await page.open("\(server.url)/#session=\(other)")
                try await page.wait(for: "#web-page")
                try await page.holdLinks()
                try await page.click("#web-page")
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains("show another session"))
            }
        }
    }
}

/// Runs a test with an app and an empty page of a browser without a session: see ``withPage(size:expecting:_:)``.
nonisolated(nonsending) func withWebPage(
    of app: (any CoordinatedApp)? = nil, expecting expected: [Int] = [], runsScripts: Bool = true,
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Void
) async throws {
    try await withServer(try Server.showing(app ?? RacingApp.make()), over: .socket) { server in
        try await withPage(expecting: expected, runsScripts: runsScripts) { page in
            try await page.clearCookies()
            try await body(page, server)
        }
    }
}

extension Page {
    /// Keeps links from opening tabs. The page's own code for a press runs.
    fileprivate func holdLinks() async throws {
        try await evaluate("addEventListener('click', (event) => event.target.closest('a') && event.preventDefault())")
    }

    /// Opens the app in a new session, and returns another client of it. The page follows the session.
    func begin(on server: TestServer) async throws -> SessionClient {
        let client = server.client()
        let id = try await client.route().session
        try await enter(id, of: server.url)
        try await open(server.url + "/app")
        try await wait(for: "h1")
        return client
    }

    /// Waits for the page with a heading, and expects its address.
    func expect(
        _ heading: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await wait(for: "h1", text: heading)
        #expect(try await address == path, sourceLocation: sourceLocation)
    }
}
