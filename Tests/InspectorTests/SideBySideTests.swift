import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Two versions of one or two sessions side by side, with their differences marked.
    struct SideBySideTests {
        /// The visible lines with their marks: `changed | left | right`.
        private func lines(_ page: Page) async throws -> [String] {
            try await page.evaluate(
                """
                return seen("#compare-rows tr", null).map((line) =>
                  [line.dataset.mark ?? "", ...[...line.cells].map(said)].join(" | "));
                """
            ).array.compactMap(\.string)
        }

        @Test func anyTwoVersionsAreComparedFromTheLastEventOn() async throws {
            try await withThreeEvents(expecting: [404]) { page, _ in
                try await page.waitUntilLive()
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-right", text: "Version 3")
                #expect(try await page.texts("#compare-left") == ["Version 2"])
                #expect(try await page.texts("#compare-words li").contains("Profile badge 0 → 1"))
                let shown = try await lines(page)
                #expect(shown.contains(#"changed | badge: null | badge: "1""#))
                #expect(!shown.contains { $0.contains("Charles Leclerc") })
                try await page.click("#compare-all")
                #expect(try await lines(page).contains { $0.contains("Charles Leclerc") })
                // An unknown session says so, and the shown one stays live.
                try await page.fill("#compare-left-session", with: "unknown")
                try await page.press(.enter)
                try await page.wait(for: "#compare-problem")
                try await page.wait(for: "#connection[data-status=live]")
                try await page.press(.escape)
                try await page.wait(untilGone: "#compare")
                // The past is compared with the present.
                try await page.travel(to: 1)
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-left", text: "Version 1")
                #expect(try await page.texts("#compare-right") == ["Version 3"])
                try await page.press(.escape)
                try await page.wait(untilGone: "#compare")
                #expect(try await page.evaluate("return document.body.dataset.version") == "1")
            }
        }

        @Test func aForkIsComparedWithItsParent() async throws {
            try await withThreeEvents { page, server in
                let id = try await page.session()
                let fork = try await server.client(headers: ["Session": id]).fork(at: 2)
                try await fork.emit("navigation.back")
                try await page.show(try #require(fork.sessionID))
                try await page.wait(for: "#screen-title", text: "Teams")
                try await page.click("#open-compare")
                try await page.click("#compare-parent")
                try await page.wait(for: "#compare-left", text: "Version 3 of \(id.prefix(6))")
                #expect(try await page.texts("#compare-right") == ["Version 3"])
                #expect(try await page.texts("#compare-words li").contains("screen Ferrari → Teams"))
                // The events, from the last common one.
                try await page.wait(for: "#timelines [data-first]")
                let both = try await page.evaluate(
                    "return seen('#timelines-rows td', null).map((cell) => said(cell))"
                ).array.compactMap(\.string)
                #expect(
                    both == [
                        "2 teams.didSelect team: ferrari", "2 teams.didSelect team: ferrari",
                        "3 teams.setFavorite team: ferrari → /main/teams/team/ferrari",
                        "3 navigation.back → /main/teams",
                    ])
                #expect(try await page.texts("#timelines [data-first] td").last == "3 navigation.back → /main/teams")
            }
        }
    }
}
