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

        @Test func theLastEventIsShownFirst() async throws {
            try await withThreeEvents { page, _ in
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-right", text: "Version 3")
                #expect(try await page.texts("#compare-left") == ["Version 2"])
                #expect(try await page.texts("#compare-words li").contains("Profile badge 0 → 1"))
                let shown = try await lines(page)
                #expect(shown.contains(#"changed | badge: null | badge: "1""#))
                #expect(shown.contains(" | screen: | screen:"))
                #expect(!shown.contains { $0.contains("Charles Leclerc") })
                try await page.click("#compare-all")
                #expect(try await lines(page).contains { $0.contains("Charles Leclerc") })
            }
        }

        @Test func anyTwoVersionsCanBeCompared() async throws {
            try await withThreeEvents { page, _ in
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-right", text: "Version 3")
                try await page.fill("#compare-left-version", with: "0")
                try await page.fill("#compare-right-version", with: "1")
                try await page.press(.enter)
                try await page.wait(for: "#compare-words li", text: "screen Formula Racing → Teams")
                let shown = try await lines(page)
                #expect(shown.contains(#"changed | path: "/splash" | path: "/main/teams""#))
                #expect(shown.contains(#"gone | [AppCoordinator/SplashCoordinator]: | "#))
                #expect(shown.contains(#"new |  | [AppCoordinator/MainCoordinator]:"#))
                try await page.click("#compare-swap")
                try await page.wait(for: "#compare-words li", text: "screen Teams → Formula Racing")
                #expect(try await page.texts("#compare-left") == ["Version 1"])
            }
        }

        @Test func thePastIsComparedWithThePresent() async throws {
            try await withThreeEvents { page, _ in
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-right", text: "Version 3")
                #expect(try await page.texts("#compare-left") == ["Version 1"])
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
                try await page.evaluate(
                    "location.hash = `#session=${arguments[0]}`", .string(try #require(fork.sessionID)))
                try await page.wait(
                    "for the fork", until: "document.querySelector('#screen-title').textContent === 'Teams'")
                try await page.wait(until: 3)
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

        @Test func theLastOfTwoComparisonsIsShown() async throws {
            try await withThreeEvents { page, _ in
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-left", text: "Version 2")
                try await page.hold("version=1")
                try await page.fill("#compare-left-version", with: "1")
                try await page.press(.enter)
                try await page.fill("#compare-left-version", with: "0")
                try await page.press(.enter)
                try await page.wait(for: "#compare-left", text: "Version 0")
                try await page.evaluate(
                    """
                    window.shown = [];
                    new MutationObserver(() => shown.push(said(document.querySelector("#compare-left"))))
                      .observe(document.querySelector("#compare-left"), { childList: true });
                    """)
                try await page.release()
                try await page.fill("#compare-left-version", with: "2")
                try await page.press(.enter)
                try await page.wait(for: "#compare-left", text: "Version 2")
                #expect(try await page.evaluate("return shown") == ["Version 2"])
            }
        }

        @Test func anotherSessionIsNamedByItsIDOrItsAddress() async throws {
            try await withThreeEvents { page, server in
                let other = server.client()
                try await other.open("/main/drivers")
                let id = try #require(other.sessionID)
                try await page.click("#open-compare")
                for name in [id, "\(server.url)/#session=\(id)"] {
                    try await page.fill("#compare-right-version", with: "0")
                    try await page.fill("#compare-right-session", with: name)
                    try await page.press(.enter)
                    try await page.wait(for: "#compare-right", text: "Version 0 of \(id.prefix(6))")
                    try await page.fill("#compare-right-version", with: "1")
                    try await page.press(.enter)
                    try await page.wait(for: "#compare-right", text: "Version 1 of \(id.prefix(6))")
                    #expect(try await page.texts("#compare-words li").contains("tab Teams → Drivers"))
                }
            }
        }

        @Test(arguments: [
            ("#compare-left-version", "7", 404), ("#compare-left-version", "x", 400),
            ("#compare-left-session", "unknown", 404),
        ])
        func unknownSessionsAndVersionsSaySo(field: String, text: String, status: Int) async throws {
            try await withThreeEvents(expecting: [status]) { page, _ in
                try await page.waitUntilLive()
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-right", text: "Version 3")
                try await page.fill(field, with: text)
                try await page.press(.enter)
                try await page.wait(for: "#compare-problem")
                #expect(try await page.texts("#connection[data-status=live]").count == 1)
            }
        }

        @Test func equalVersionsHaveNoDifferences() async throws {
            try await withThreeEvents { page, _ in
                try await page.click("#open-compare")
                try await page.wait(for: "#compare-right", text: "Version 3")
                try await page.fill("#compare-left-version", with: "3")
                try await page.press(.enter)
                try await page.wait(for: "#compare-words li", text: "No differences.")
                #expect(try await lines(page).isEmpty)
            }
        }
    }
}
