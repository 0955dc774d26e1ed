import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// New sessions and the options that the app declares for them.
    struct StartOptionsTests {
        /// The options of the shown session.
        private func options(_ page: Page, _ server: TestServer) async throws -> JSON {
            let answer = try await server.client().get("/sessions/\(try await page.session())")
            return try answer.decode(Document.Session.self).options
        }

        private func offerOptions(_ page: Page) async throws {
            try await page.click("#connection")
            try await page.click("#session-new")
            try await page.wait(for: "#starter")
        }

        @Test func aSessionStartsWithTheOptionsOfTheForm() async throws {
            try await withInspector(of: WorkApp(), expecting: [422]) { page, server in
                try await page.waitUntilLive()
                let id = try await page.session()
                #expect(try await options(page, server) == [:])
                try await offerOptions(page)
                try await page.click("#starter-cancel")
                try await page.wait(untilGone: "#starter")
                #expect(try await page.session() == id)
                try await offerOptions(page)
                try await page.fill("#starter [data-field=firstTimer]", with: "1.5")
                try await page.click("#starter-start")
                try await page.wait(for: "#starter-problem")
                try await page.wait(for: "#starter [data-field=firstTimer]:focus")
                try await page.type("0")
                try await page.click("#starter [data-field=asksAtStart]")
                try await page.fill("#starter [data-field=greeting]", with: "Hallo")
                try await page.fill("#starter [data-field=pace]", with: "0.5")
                try await page.press(.enter)
                try await page.wait(untilLeaving: id)
                try await page.wait(untilGone: "#starter")
                try await page.wait(for: "#screen-title", text: "Hallo")
                #expect(
                    try await options(page, server)
                        == ["greeting": "Hallo", "asksAtStart": true, "firstTimer": 0, "pace": 0.5])
                // After the end of a session, they are offered again, at their defaults.
                try await page.waitUntilLive()
                try await page.click("#connection")
                try await page.click("#session-end")
                try await page.click("#ending-end")
                try await page.startAnew()
                try await page.wait(untilGone: "#ended")
                try await page.wait(until: 0)
                #expect(
                    try await options(page, server)
                        == ["greeting": "Hello", "asksAtStart": false, "firstTimer": 0, "pace": 1])
            }
        }

        @Test func withoutOptionsASessionStartsAtOnce() async throws {
            try await withInspector(of: TestApp()) { page, _ in
                let id = try await page.session()
                try await page.click("#connection")
                try await page.click("#session-new")
                try await page.wait(untilLeaving: id)
                try await page.wait(until: 0)
                #expect(try await page.texts("#starter").isEmpty)
            }
        }
    }
}
