import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The tools for long journals.
    struct JournalToolsTests {
        /// Opens a session with five events. No coordinator handled the fourth one.
        private func withFiveEvents(
            size: (width: Int, height: Int) = (1_440, 900), _ body: (Page, SessionClient) async throws -> Void
        ) async throws {
            try await withInspector(size: size) { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("splash.didFinish")
                try await client.emit("teams.didSelect", ["team": "ferrari"])
                try await client.emit("drivers.didSelect", ["driver": "leclerc"])
                try await client.emit("navigation.dismiss")
                try await client.emit("navigation.back")
                try await page.wait(until: 5)
                try await body(page, client)
            }
        }

        @Test func theFilterIsInTheAddress() async throws {
            try await withFiveEvents { page, client in
                try await page.click("#journal-filter")
                try await page.wait(for: "#filter-text:focus")
                try await page.type("team: ferrari")
                try await page.choose("AppCoordinator/MainCoordinator", in: "#filter-handler")
                try await page.choose("client", in: "#filter-origin")
                let filtered = "location.hash.includes('&text=team') && location.hash.endsWith('&origin=client')"
                try await page.wait("for the address", until: filtered)
                let isShown = {
                    try await page.wait(for: "#filter-count", text: "1 of 5 entries")
                    #expect(try await page.versions() == [2])
                    #expect(try await page.value(of: "#filter-origin") == "client")
                }
                try await isShown()
                try await page.reload()
                try await isShown()
                // Going to the past keeps the filter, and so does a look at all sessions.
                try await page.travel(to: 2)
                try await isShown()
                try await page.click("#open-home")
                try await page.wait(for: "#home-list")
                try await page.evaluate("history.back()")
                try await page.wait(untilGone: "#home")
                try await isShown()
                // New entries are filtered as well.
                try await client.emit("navigation.dismiss")
                try await page.wait(for: "#filter-count", text: "1 of 6 entries")
                // Without a filter in the address, all entries are shown.
                try await page.show(try await page.session())
                try await page.wait(for: "#entries [data-version='6']")
                #expect(try await page.versions() == [6, 5, 4, 3, 2, 1, 0])
            }
        }

        @Test func aDenseEntryIsOneLine() async throws {
            try await withFiveEvents { page, _ in
                let height = "return document.querySelector('#entries [data-version=\"3\"]').offsetHeight"
                // Before its first frame, an entry has the height of a placeholder.
                let entry = "document.querySelector('#entries [data-version=\"3\"] .entry-event')"
                try await page.wait(
                    "for it to be laid out", until: "\(entry).checkVisibility({ contentVisibilityAuto: true })")
                let before = try #require(try await page.evaluate(height).int)
                try await page.click("#journal-dense")
                let after = try #require(try await page.evaluate(height).int)
                #expect(after * 2 < before)
                #expect(try await page.texts("#entries [data-version='3'] .entry-event") == ["drivers.didSelect"])
                #expect(try await page.texts("#entries [data-version='3'] .entry-handled") == ["MainCoordinator"])
                #expect(try await page.texts("#entries .entry-path").isEmpty)
                try await page.travel(to: 2)
                try await page.click("#journal-dense")
                #expect(try await page.evaluate(height).int == before)
            }
        }

        @Test func theNewestEntryIsFollowedUnlessTheUserScrollsBack() async throws {
            try await withFiveEvents(size: (1_440, 700)) { page, client in
                for _ in 0..<10 { try await client.emit("navigation.back") }
                try await page.wait(until: 15)
                try await page.wait(for: "#journal-follow[aria-pressed=true]")
                let place = "document.querySelector('#entries').parentElement.scrollTop"
                try await page.evaluate("document.querySelector('#entries').parentElement.scrollTop = 300")
                try await page.wait(for: "#journal-follow[aria-pressed=false]")
                let top = "return document.elementFromPoint(...arguments).closest('[data-version]').dataset.version"
                let area = try await page.evaluate(
                    """
                    const { x, y } = document.querySelector("#entries").parentElement.getBoundingClientRect();
                    return [x + 30, y + 10];
                    """)
                let seen = try await page.evaluate(top, area[0] ?? .null, area[1] ?? .null)
                try await client.emit("navigation.dismiss")
                try await page.wait(until: 16)
                #expect(try await page.evaluate(top, area[0] ?? .null, area[1] ?? .null) == seen)
                try await page.click("#journal-follow")
                try await page.wait("for the newest entry", until: "\(place) === 0")
                try await client.emit("navigation.dismiss")
                try await page.wait(until: 17)
                #expect(try await page.evaluate("return \(place)") == 0)
                #expect(try await page.evaluate(top, area[0] ?? .null, area[1] ?? .null) == "17")
            }
        }

        @Test func withoutFollowingTheScrollPositionStays() async throws {
            try await withFiveEvents { page, client in
                for _ in 0..<10 { try await client.emit("navigation.back") }
                try await page.wait(until: 15)
                try await page.click("#journal-follow")
                let place = "return document.querySelector('#entries [data-version=\"14\"]').getBoundingClientRect().y"
                let before = try await page.evaluate(place)
                for _ in 0..<3 { try await client.emit("navigation.back") }
                try await page.wait(until: 18)
                let after = try await page.evaluate(place)
                // Only the changes of the formerly newest entry disappear.
                #expect(abs((after.int ?? 0) - (before.int ?? 0)) < 60, "\(before) \(after)")
                // Following returns to the present.
                try await page.travel(to: 2)
                try await page.click("#journal-follow")
                try await page.wait(until: 18)
                try await page.wait(untilGone: "body.in-past")
            }
        }

        @Test func theMenuClosesByKeyboardAndByAPressElsewhere() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", version: 1)
                // The page has sent the event, and knows how long it took.
                let took = "document.querySelector('#entries [data-version=\"1\"] .entry-took')"
                try await page.wait("for the duration", until: "\(took).title.startsWith('The turn took ')")
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.travel(to: 1)
                try await page.click("#journal-more")
                try await page.wait(for: "#copy-curl:focus")
                try await page.press(.escape)
                try await page.wait(untilGone: "#journal-menu")
                // This does not return to the present.
                #expect(try await page.evaluate("return document.body.dataset.version") == "1")
                try await page.wait(for: "#journal-more:focus")
                try await page.press(.enter)
                try await page.wait(for: "#journal-menu")
                try await page.click("#tree-heading")
                try await page.wait(untilGone: "#journal-menu")
            }
        }
    }
}
