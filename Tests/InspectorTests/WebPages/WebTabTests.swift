import Coordinate
import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

extension Appearance {
    /// Two tabs of a browser with the same session, and the browser's history.
    struct WebTabTests {
        @Test func anotherTabsNavigationDoesNotMoveATab() async throws {
            try await withWebPage { page, server in
                try await page.open(server.url + "/app/main/teams")
                try await page.expect("Teams", at: "/app/main/teams")
                try await withPage { other in
                    try await other.open(server.url + "/app/main/drivers")
                    try await page.expectSession(at: "Drivers")
                    try await page.expect("Teams", at: "/app/main/teams")
                    try await other.click("nav :is(a, button)", text: "Teams")
                    try await page.wait(untilGone: ".elsewhere")
                    try await other.click("main .title", text: "Ferrari")
                    try await page.expectSession(at: "Ferrari")
                    // The line names the latest place, once.
                    try await other.click("nav :is(a, button)", text: "Drivers")
                    try await other.expect("Drivers", at: "/app/main/drivers")
                    try await page.expectSession(at: "Drivers")
                    #expect(try await page.texts(".elsewhere").count == 1)
                    try await page.click(".elsewhere button", text: "Go there")
                    try await page.expect("Drivers", at: "/app/main/drivers")
                    // It moved nothing in the other tab, but Back does.
                    try await page.goBack()
                    try await page.expect("Teams", at: "/app/main/teams")
                    try await other.expectSession(at: "Teams")
                    try await other.expect("Drivers", at: "/app/main/drivers")
                }
            }
        }

        @Test func theOutcomeOfWorkMovesBothTabs() async throws {
            let world = World()
            try await withWebPage(of: DeskApp(world)) { page, server in
                try await page.open(server.url + "/app")
                try await withPage { other in
                    try await other.open(server.url + "/app")
                    try await page.fill(labelled: "Guest", with: "Ada")
                    try await page.click("main button", text: "Book")
                    try await other.wait(for: "main .loading")
                    world.finish("book", with: "table 3")
                    for page in [page, other] {
                        try await page.expect("Booked", at: "/app/booked")
                        // It is another screen for those who do not see it, too.
                        try await page.wait("for the focus", until: "document.activeElement.localName === 'h1'")
                    }
                }
            }
        }

        /// A hidden tab has no stream, and learns of everything when it is seen again.
        @Test func aTabStaysAlsoIfItWasHidden() async throws {
            try await withWebPage { page, server in
                let client = try await page.begin(on: server)
                try await page.open(server.url + "/app/main/teams")
                try await page.hide()
                try await client.open("/main/drivers")
                try await page.hide(false)
                try await page.expectSession(at: "Drivers")
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.hide()
                try await client.open("/main/teams")
                try await client.emit("teams.setFavorite", ["team": "ferrari"])
                try await page.hide(false)
                try await page.wait(for: "nav .badge", text: "1")
                #expect(try await page.texts(".elsewhere").isEmpty)
            }
        }

        /// Another tab has begun a new session. Its versions say nothing about this page.
        @Test func aTabOfAnEarlierSessionSaysWhereTheBrowserIs() async throws {
            try await withWebPage { page, server in
                try await page.open(server.url + "/app/main/teams")
                let client = server.client()
                try await client.open("/main/drivers")
                try await page.hide()
                try await page.enter(client.sessionID ?? "", of: server.url)
                try await page.hide(false)
                try await page.expectSession(at: "Drivers")
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.click(".elsewhere button", text: "Go there")
                try await page.expect("Drivers", at: "/app/main/drivers")
                // From now on, the page follows that session.
                try await client.emit("teams.setFavorite", ["team": "ferrari"])
                try await page.wait(for: "nav .badge", text: "1")
            }
        }

        // MARK: Links

        @Test(arguments: [false, true])
        func aTabOfTheAppKeepsWhatItShowed(runsScripts: Bool) async throws {
            try await withWebPage(runsScripts: runsScripts) { page, server in
                try await page.open(server.url + "/app/main/drivers/driver/norris")
                try await page.click("nav :is(a, button)", text: "Teams")
                try await page.expect("Teams", at: "/app/main/teams")
                guard runsScripts else { return }
                try await page.click("nav :is(a, button)", text: "Drivers")
                try await page.expect("Lando Norris", at: "/app/main/drivers/driver/norris")
            }
        }

        @Test func aLinkIsFollowedWithinThePage() async throws {
            try await withWebPage(expecting: [404]) { page, server in
                try await page.open(server.url + "/app/main/teams/team/ferari")
                try await page.evaluate("window.isTheSame = true")
                try await page.click("main a", text: "/main/teams/team/ferrari")
                try await page.expect("Ferrari", at: "/app/main/teams/team/ferrari")
                #expect(try await page.evaluate("return window.isTheSame") == true)
                try await page.goBack()
                try await page.wait(for: "h1", text: "Page not found")
            }
        }

        // MARK: The browser's history

        /// After each kind of answer to a form, Back leads to the screen before, and Reload sends nothing again.
        @Test(arguments: [false, true])
        func backAndReloadWorkAfterAForm(runsScripts: Bool) async throws {
            try await withWebPage(runsScripts: runsScripts) { page, server in
                let client = try await page.begin(on: server)
                try await client.open("/main/profile")
                try await page.open(server.url + "/app")
                try await page.click("main :is(a, button)", text: "Edit profile")
                try await page.fill(labelled: "Name", with: "Ada")
                try await page.click("main button", text: "Save")
                try await page.wait(for: "main .success")
                try await page.expect("Ada", at: "/app/main/profile")
                let version = try await client.route().version
                try await page.reload()
                try await page.expect("Ada", at: "/app/main/profile")
                #expect(try await page.texts("main .success").isEmpty)
                #expect(try await client.route().version == version)
                try await page.goBack()
                try await page.expect("Edit profile", at: "/app/main/profile/edit")
                #expect(
                    try await page.evaluate("return document.querySelector('[name=\"input.name\"]').value") == "Ada")
                try await page.goBack()
                try await page.expect("Ada", at: "/app/main/profile")
                try await page.goForward()
                try await page.expect("Edit profile", at: "/app/main/profile/edit")
                // Too late.
                try await client.open("/main/teams")
                try await page.fill(labelled: "Name", with: "Grace")
                try await page.click("main button", text: "Save")
                try await page.wait(for: "main [role='alert']")
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.reload()
                try await page.expect("Teams", at: "/app/main/teams")
                try await page.goBack()
                try await page.expect("Edit profile", at: "/app/main/profile/edit")
            }
        }

        /// Presses that change the screen, and stay at its address.
        @Test(arguments: [false, true])
        func backAfterPressesAtTheSameAddressLeadsToTheScreenBefore(runsScripts: Bool) async throws {
            try await withWebPage(runsScripts: runsScripts) { page, server in
                try await page.open(server.url + "/app/main/teams")
                try await page.click("main .title", text: "Ferrari")
                try await page.click("main button", text: "Add to favorites")
                try await page.click("main button", text: "Remove from favorites")
                try await page.wait(for: "main button", text: "Add to favorites")
                // Without scripts, the browser has an entry for each press.
                for _ in 0..<(runsScripts ? 0 : 2) {
                    try await page.goBack()
                    try await page.expect("Ferrari", at: "/app/main/teams/team/ferrari")
                }
                try await page.goBack()
                try await page.expect("Teams", at: "/app/main/teams")
            }
        }

        @Test func aDoubleClickWithoutScriptsIsOnePress() async throws {
            try await withWebPage(runsScripts: false) { page, server in
                let client = try await page.begin(on: server)
                try await page.evaluate(
                    "const [button] = seen('main button', 'Continue'); button.click(); button.click()")
                try await page.expect("Teams", at: "/app/main/teams")
                #expect(try await client.route().version == 1)
                try await page.goBack()
                try await page.expect("Formula Racing", at: "/app/splash")
            }
        }
    }
}

extension Page {
    /// Makes the page as if another tab were in front of it, or no longer.
    fileprivate func hide(_ isHidden: Bool = true) async throws {
        try await evaluate(
            """
            Object.defineProperty(document, "hidden", { value: arguments[0], configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
            """, .bool(isHidden))
    }

    /// Waits until the page says where the session is instead.
    fileprivate func expectSession(at title: String) async throws {
        try await wait(for: "main > .elsewhere", text: "This app is open at “\(title)” in another tab. Go there")
    }
}
