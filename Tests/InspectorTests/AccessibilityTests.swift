import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Appearance {
    /// What axe finds on the page, in its states, sizes and colors.
    @Suite(.enabled(if: Axe.installed != nil, "\(Axe.advice)"))
    struct AccessibilityTests {
        @Test(arguments: [1_280, 360])
        func nothingIsFound(width: Int) async throws {
            try await withInspector(of: try RacingApp.twoTeams(), size: (width, 800)) { page, _ in
                let show = { (pane: String) in if width < 768 { try await page.click("#show-\(pane)") } }
                try await check(page, "the welcome")
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.press("#actions button", text: "Add to favorites", version: 3)
                try await check(page, "the app")
                try await show("tree")
                try await check(page, "the tree")
                try await show("journal")
                try await check(page, "the journal")
                try await page.click("#journal-filter")
                try await page.fill("#filter-text", with: "nothing")
                try await page.wait(for: "#entries-none")
                try await check(page, "an empty filter")
                try await page.click("#filter-clear")
                try await page.click("#journal-filter")
                try await page.click("#journal-more")
                try await check(page, "the menu")
                try await page.click("#journal-more")
                try await page.travel(to: 2)
                try await check(page, "the past")
                try await page.click("#now")
                try await page.wait(until: 3)
                try await dialogs(page)
                try await page.openMap()
                try await page.evaluate(
                    "for (const notes of document.querySelectorAll('.map-notes details')) notes.open = true")
                try await check(page, "the map and its notes")
                try await page.click("#map-as-list")
                try await check(page, "the list of screens")
                try await page.evaluate("location.hash = '#home'")
                try await page.wait(for: "#home-list li")
                try await check(page, "all sessions")
            }
        }

        @Test func nothingIsFoundOnAScreenWithImagesAndInAFormOfEveryKind() async throws {
            try await withInspector(of: GalleryApp()) { page, _ in
                try await check(page, "images")
                try await page.press("#tabs .tab-title", text: "Contact", version: 1)
                try await check(page, "kinds of text")
            }
        }

        @Test func nothingIsFoundInTheReferenceAndAtTheEnd() async throws {
            try await withInspector { page, server in
                // Requests for a session that has just ended would fail in the console.
                try await page.waitUntilLive()
                _ = try await server.client().delete("/sessions/\(try await page.session())")
                try await page.wait(for: "#ended")
                try await check(page, "an ended session")
                try await page.open("\(server.url)/api.html")
                try await page.wait(for: "details")
                try await check(page, "the reference")
            }
        }

        private func dialogs(_ page: Page) async throws {
            for (opener, dialog, closer) in [
                ("#entries [data-version='2'] .entry-edit", "#editor", "#editor-cancel"),
                ("#open-compare", "#compare-words li", "#compare-close"), ("#compose", "#composer", "#composer-cancel"),
                ("#connection", "#session-dialog", "#session-close"), ("#open-help", "#help", "#help-close"),
            ] {
                try await page.click(opener)
                try await page.wait(for: dialog)
                try await check(page, dialog)
                try await page.click(closer)
            }
        }

        /// Expects that axe finds nothing on the page as it is now, in light, in dark, and with forced colors.
        private func check(_ page: Page, _ state: String) async throws {
            for look in ["light", "dark", "forced colors"] {
                try await page.prefer(dark: look == "dark", forcedColors: look == "forced colors")
                // What still moves or fades has other colors.
                _ = try await page.evaluate(
                    "return Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))")
                let found = try await #require(Axe.installed).violations(on: page)
                #expect(found == [], "\(state), \(look)")
            }
        }
    }
}
