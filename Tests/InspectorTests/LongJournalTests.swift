import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// A session with more events than the page reads at first.
    struct LongJournalTests {
        private let count = 1_200

        private func withManyEvents(_ body: (Page, SessionClient) async throws -> Void) async throws {
            try await withRacing { server in
                let client = server.client()
                for _ in 0..<count { try await client.emit("teams.setFavorite", ["team": "haas"]) }
                try await withPage { page in
                    try await page.open("\(server.url)/#session=\(try #require(client.sessionID))")
                    try await page.wait(until: count)
                    try await page.waitUntilLive()
                    try await body(page, client)
                }
            }
        }

        private func shown(_ page: Page) async throws -> [Int] {
            try await page.evaluate(
                "return seen('#entries [data-version]', null).map((entry) => Number(entry.dataset.version))"
            ).array.compactMap(\.int)
        }

        @Test func scrollingLoadsOlderEntriesAndKeepsThem() async throws {
            try await withManyEvents { page, client in
                #expect(try await shown(page).count == 50)
                let scroll = "document.querySelector('#entries').parentElement.scrollTop = 1e7"
                try await page.wait(
                    "for the beginning", until: "(\(scroll), seen('#entries [data-version=\"0\"]', null)[0])")
                try await client.emit("teams.unsetFavorite", ["team": "haas"])
                try await page.wait(until: count + 1)
                #expect(try await shown(page) == Array((0...count + 1).reversed()))
                // Hidden entries are not laid out.
                let isSkipped = """
                    !document.querySelector("#entries [data-version='\(count / 2)'] .entry-event")
                      .checkVisibility({ contentVisibilityAuto: true })
                    """
                try await page.wait("for distant entries to be skipped", until: isSkipped)
            }
        }

        @Test func theBannerShowsVersionsThatAreNotLoaded() async throws {
            try await withManyEvents { page, _ in
                try await page.click("#entries [data-version='\(count - 1)'] .entry-travel")
                try await page.wait(until: count - 1)
                try await page.evaluate("for (let i = 0; i < 60; i++) document.querySelector('#earlier').click()")
                try await page.wait(until: count - 61)
                #expect(try await page.texts("#story-event") == ["teams.setFavorite"])
                try await page.wait(for: "#entries [data-version='\(count - 61)'] [aria-current]")
            }
        }
    }
}
