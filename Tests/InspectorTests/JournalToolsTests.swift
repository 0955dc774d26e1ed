import CoordinateServer
import CoordinateSessions
import CoordinateTesting
import SessionFixtures
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

        private func versions(_ page: Page) async throws -> [Int] {
            try await page.evaluate(
                "return seen('#entries [data-version]', null).map((entry) => Number(entry.dataset.version))"
            ).array.compactMap(\.int)
        }

        @Test(arguments: [
            ("ferrari", [5, 2]), ("didselect", [3, 2]), ("DRIVER leclerc", [4, 3]),
            ("AppCoordinator/MainCoordinator back", [5]),
            ("nowhere", []),
        ])
        func entriesAreFoundByWords(text: String, found: [Int]) async throws {
            try await withFiveEvents { page, _ in
                try await page.click("#journal-filter")
                try await page.wait("for the field", until: "document.activeElement.id === 'filter-text'")
                try await page.type(text)
                try await page.wait(for: "#filter-count", text: "\(found.count) of 5 entries")
                #expect(try await versions(page) == found)
                try await page.press(.escape)
                try await page.wait(untilGone: "#journal-filters")
                #expect(try await versions(page) == [5, 4, 3, 2, 1, 0])
            }
        }

        @Test func entriesAreFoundByTheirHandler() async throws {
            try await withFiveEvents { page, client in
                try await page.click("#journal-filter")
                try await page.choose("AppCoordinator", in: "#filter-handler")
                try await page.wait(for: "#filter-count", text: "1 of 5 entries")
                #expect(try await versions(page) == [1])
                try await page.choose("unhandled", in: "#filter-handler")
                try await page.wait("for the entry", until: "document.querySelector('#entries [data-version=\"4\"]')")
                #expect(try await versions(page) == [4])
                // New entries are filtered as well.
                try await client.emit("navigation.back")
                try await client.emit("navigation.dismiss")
                try await page.wait(until: 7)
                #expect(try await versions(page) == [7, 4])
                #expect(try await page.texts("#filter-count") == ["2 of 7 entries"])
            }
        }

        @Test func aHandlerIsOfferedFromItsFirstEventOn() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", version: 1)
                try await page.press("#rows .tap", version: 2)
                try await page.click("#journal-filter")
                try await page.choose("AppCoordinator/MainCoordinator", in: "#filter-handler")
                try await page.wait(for: "#filter-count", text: "1 of 2 entries")
            }
        }

        @Test func entriesAreFoundByTheirOrigin() async throws {
            let host = try Server.showing(WorkApp(World()))
            try await withInspector(of: host) { page, server in
                try await page.waitUntilLive()
                let id = try await page.session()
                try await server.client(headers: ["Session": id]).emit("work.setTimer", ["seconds": 0])
                try await page.wait(until: 2)
                try await host.emit(WorkEvents.didHear("news"), into: try #require(SessionID(id)))
                try await page.wait(until: 3)
                try await page.click("#journal-filter")
                for (origin, found) in [("client", [1]), ("timer", [2]), ("host", [3]), ("work", [])] {
                    try await page.choose(origin, in: "#filter-origin")
                    try await page.wait(for: "#filter-count", text: "\(found.count) of 3 entries")
                    #expect(try await versions(page) == found)
                }
            }
        }

        @Test func theFilterIsInTheAddress() async throws {
            try await withFiveEvents { page, _ in
                try await page.click("#journal-filter")
                try await page.fill("#filter-text", with: "team: ferrari")
                try await page.choose("AppCoordinator/MainCoordinator", in: "#filter-handler")
                try await page.choose("client", in: "#filter-origin")
                let filtered = "location.hash.includes('&text=team') && location.hash.endsWith('&origin=client')"
                try await page.wait("for the address", until: filtered)
                let isShown = {
                    try await page.wait(for: "#filter-count", text: "1 of 5 entries")
                    #expect(try await versions(page) == [2])
                    let origin = try await page.evaluate("return document.querySelector('#filter-origin').value")
                    #expect(origin == "client")
                }
                try await isShown()
                try await page.evaluate("location.reload()")
                try await isShown()
                let link = try #require(try await page.evaluate("return location.href").string)
                // Going to the past keeps the filter, and so does a look at all sessions.
                try await page.click("#entries [data-version='2'] .entry-travel")
                try await page.wait(until: 2)
                try await isShown()
                try await page.click("#open-home")
                try await page.wait(for: "#home-list")
                try await page.evaluate("history.back()")
                try await page.wait(untilGone: "#home")
                try await isShown()
                try await page.evaluate("history.back()")
                try await page.wait(until: 5)
                try await isShown()
                // Without a filter in the address, all entries are shown.
                try await page.evaluate("location.hash = location.hash.split('&')[0]")
                try await page.wait(for: "#entries [data-version='5']")
                #expect(try await versions(page) == [5, 4, 3, 2, 1, 0])
                try await withPage { other in
                    try await other.open(link)
                    try await other.wait(for: "#filter-count", text: "1 of 5 entries")
                    #expect(try await versions(other) == [2])
                }
            }
        }

        @Test func anEntrySaysHowLongItsTurnTook() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                let took = "document.querySelector('#entries [data-version=\"1\"] .entry-took')"
                try await page.wait("for the duration", until: "\(took).textContent.startsWith('turn ')")
                let title = try await page.evaluate("return \(took).title").string ?? ""
                #expect(title.contains(/The turn took .* ms, and the answer .* ms\./))
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
                try await page.click("#entries [data-version='2'] .entry-travel")
                try await page.wait(until: 2)
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
                #expect(try await page.evaluate("return \(place)") == 0)
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
            }
        }

        @Test func followingReturnsToThePresent() async throws {
            try await withFiveEvents { page, _ in
                try await page.click("#journal-follow")
                try await page.click("#entries [data-version='2'] .entry-travel")
                try await page.wait(until: 2)
                try await page.click("#journal-follow")
                try await page.wait(until: 5)
                try await page.wait(untilGone: "body.in-past")
            }
        }

        @Test func theMenuClosesByKeyboardAndByAPressElsewhere() async throws {
            try await withFiveEvents { page, _ in
                try await page.click("#entries [data-version='2'] .entry-travel")
                try await page.wait(until: 2)
                try await page.click("#journal-more")
                try await page.wait("for the first", until: "document.activeElement.id === 'copy-curl'")
                try await page.press(.escape)
                try await page.wait(untilGone: "#journal-menu")
                // This does not return to the present.
                #expect(try await page.evaluate("return document.body.dataset.version") == "2")
                #expect(try await page.evaluate("return document.activeElement.id") == "journal-more")
                try await page.press(.enter)
                try await page.wait(for: "#journal-menu")
                try await page.click("#tree-heading")
                try await page.wait(untilGone: "#journal-menu")
            }
        }
    }
}
