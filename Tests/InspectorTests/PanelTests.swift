import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The panel's tabs, and the test of the session. `Tests/page/panel.test.js` has what they show.
    struct PanelTests {
        /// Whether two elements are side by side.
        private func areBeside(_ page: Page, _ first: String, _ second: String) async throws -> Bool {
            try await page.evaluate(
                """
                const [first, second] = [...arguments].map((id) => document.querySelector(id).getBoundingClientRect());
                return first.width > 0 && second.width > 0 && first.right <= second.left + 1 && first.top === second.top;
                """, .string(first), .string(second)) == true
        }

        @Test func aWidePanelShowsTheTreeBesideWhatHappened() async throws {
            try await withThreeEvents { page, _ in
                let tabs = { try await page.texts("#panel-tabs [role=tab]") }
                let selected = "#panel-tabs [role=tab][aria-selected=true]"
                #expect(try await tabs() == ["What happened", "Test"])
                #expect(try await areBeside(page, "#happened-panel", "#tree-panel"))
                #expect(try await page.texts("#tree-panel:not([role])[aria-labelledby=tree-heading]").count == 1)
                try await page.resize(width: 1_280, height: 800)
                try await page.wait(for: "#tree-tab")
                #expect(try await tabs() == ["What happened", "Tree", "Test"])
                #expect(try await page.texts("#tree-panel").isEmpty)
                // The tabs are one tab stop.
                try await page.tab(to: "#happened-tab")
                try await page.press(.right)
                try await page.press(.enter)
                try await page.expect(selected, shows: ["Tree"])
                #expect(try await page.texts("#tree-panel[role=tabpanel][aria-labelledby=tree-tab]").count == 1)
                // The tree has no tab when the panel grows, and the focus stays in the tabs.
                try await page.resize(width: 1_440, height: 900)
                try await page.expect(selected, shows: ["What happened"])
                try await page.wait(for: "#happened-tab:focus")
                #expect(try await areBeside(page, "#happened-panel", "#tree-panel"))
                try await page.click("#test-tab")
                #expect(try await page.texts("#tree-panel, #happened-panel").isEmpty)
                try await page.reload(until: 3)
                try await page.expect(selected, shows: ["Test"])
            }
        }

        @Test func aTestIsCopiedInTwoClicks() async throws {
            try await withThreeEvents { page, server in
                let test = try await page.copied {
                    try await page.click("#test-tab")
                    try await page.click("#test-copy")
                }
                let lines = test.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
                #expect(lines.contains { $0.hasPrefix("@Test func leadsToMainTeamsTeamFerrari") })
                let press = #"let outcome3 = try await client.press("Add to favorites")"#
                let expectation = #"#expect(outcome3.path == "/main/teams/team/ferrari")"#
                #expect(lines.suffix(4).map(String.init) == [press, expectation, "}", "}"])
                for (language, beginning) in [("curl", "#!/bin/sh\n# Recorded"), ("python", "# Recorded in Racing")] {
                    try await page.click("[data-language=\(language)]")
                    let text = try await page.copied { try await page.click("#test-copy") }
                    #expect(text.hasPrefix(beginning))
                    #expect(text.contains(server.url))
                }
                // The chosen language stays.
                try await page.reload(until: 3)
                try await page.expect("#test-languages [aria-pressed=true]", shows: ["Python"])
            }
        }
    }
}
