import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Several pages in one browser, which has six connections to a server for all of them.
    struct TabTests {
        @Test func manyTabsDoNotBlockEachOther() async throws {
            try await withInspector { page, server in
                let address = "\(server.url)/#session=\(try await page.session())"
                try await openTabs(7, from: page, address) { last in
                    try await last.press("#actions button", text: "Continue", version: 1)
                }
                // A tab that becomes visible again shows what happened meanwhile.
                try await page.wait(until: 1)
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("teams.didSelect", ["team": "ferrari"])
                try await page.wait(until: 2)
                #expect(try await page.sight().entries == ["teams.didSelect", "splash.didFinish"])
            }
        }

        /// Opens tabs one after the other, each of them live.
        private nonisolated(nonsending) func openTabs(
            _ count: Int, from page: Page, _ address: String, _ body: (Page) async throws -> Void
        ) async throws {
            try await page.withTab(address) { tab in
                try await tab.waitUntilLive()
                if count == 1 {
                    try await body(tab)
                } else {
                    try await openTabs(count - 1, from: tab, address, body)
                }
            }
        }
    }
}
