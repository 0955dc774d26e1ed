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
            try await withInspector(of: try RacingApp.twoTeams(), size: (width, 800), expecting: [422]) { page, _ in
                let show = { (pane: String) in if width < 768 { try await page.click("#show-\(pane)") } }
                try await check(page, "the welcome")
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.press("#actions button", text: "Add to favorites", version: 3)
                try await check(page, "the app")
                try await show("panel")
                try await check(page, "what happened")
                try await page.click("#test-tab")
                try await check(page, "the test")
                try await page.click("#tree-tab")
                try await check(page, "the tree")
                try await page.travel(to: 2)
                try await check(page, "the past")
                try await page.click("#now")
                try await page.wait(until: 3)
                try await dialogs(page)
                try await show("storyboard")
                // On a narrow page, the card can be outside of what is seen.
                try await page.evaluate(
                    """
                    [...document.querySelectorAll("#map .map-name")].find((name) => name.textContent === "Profile")
                      .dispatchEvent(new MouseEvent("click", { bubbles: true }));
                    """)
                try await page.wait(for: "#map-go")
                try await check(page, "the storyboard with a selected screen")
                try await page.press(.escape)
                try await page.openPath("/main/profile/edit")
                try await page.wait(until: 4)
                try await show("app")
                try await check(page, "a sheet")
                try await page.evaluate("location.hash = '#home'")
                try await page.wait(for: "#home-list li")
                try await check(page, "all sessions")
            }
        }

        @Test(arguments: [1_280, 360])
        func nothingIsFoundInTheTimelineAndItsDialogs(width: Int) async throws {
            try await withInspector(of: try RacingApp.twoTeams(), size: (width, 800)) { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.press("#actions button", text: "Add to favorites", version: 3)
                try await check(page, "the strip")
                try await page.click("#open-raw")
                try await check(page, "JSON")
                try await page.click("#raw-journal")
                try await check(page, "the journal")
                try await page.fill("#filter-text", with: "nothing")
                try await page.wait(for: "#entries-none")
                try await check(page, "an empty filter")
                try await page.click("#raw-close")
                let id = try await page.session()
                try await page.travel(to: 2)
                try await check(page, "the past")
                try await page.pressTool("edit", of: 2)
                try await page.wait(for: "#editor")
                try await check(page, "the editor")
                try await page.click("#editor-drop")
                try await page.click("#editor-go")
                try await page.wait(untilLeaving: id)
                try await page.wait(for: "#timeline-sentence")
                try await check(page, "two lanes")
            }
        }

        @Test func nothingIsFoundOnAScreenWithImagesAndInAForm() async throws {
            try await withInspector(of: GalleryApp()) { page, _ in try await check(page, "images") }
            try await withInspector(of: FormApp()) { page, _ in try await check(page, "a form") }
        }

        @Test func nothingIsFoundAtTheEnd() async throws {
            try await withInspector { page, server in
                // Requests for a session that has just ended would fail in the console.
                try await page.waitUntilLive()
                _ = try await server.client().delete("/sessions/\(try await page.session())")
                try await page.wait(for: "#ended")
                try await check(page, "an ended session")
            }
        }

        private func dialogs(_ page: Page) async throws {
            try await page.click("#connection")
            try await page.wait(for: "#session-dialog")
            try await check(page, "the session")
            try await page.click("#session-close")
            try await page.run("Keys and help")
            try await page.wait(for: "#help")
            try await check(page, "the help")
            try await page.click("#help-close")
            try await page.find("teams.setFavorite")
            try await check(page, "the palette")
            try await page.press(.enter)
            try await page.wait(for: "#composer")
            try await check(page, "the composer")
            try await page.click("#composer-cancel")
            try await page.openPath("/nowhere")
            try await page.wait(for: "#palette-problem")
            try await check(page, "the palette with a problem")
            try await page.press(.escape)
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
