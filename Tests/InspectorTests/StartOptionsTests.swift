import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// New sessions and the options that the app declares for them.
    struct StartOptionsTests {
        @Test func aSessionStartsWithTheOptionsOfTheForm() async throws {
            try await withInspector(of: WorkApp(), expecting: [422]) { page, server in
                try await page.waitUntilLive()
                let id = try await page.session()
                try await page.click("#connection")
                try await page.click("#session-new")
                try await page.fill("#starter [data-field=firstTimer]", with: "1.5")
                try await page.click("#starter-start")
                try await page.wait(for: "#starter-problem")
                try await page.wait(for: "#starter [data-field=firstTimer]:focus")
                try await page.type("0")
                try await page.fill("#starter [data-field=greeting]", with: "Hallo")
                try await page.press(.enter)
                try await page.wait(untilLeaving: id)
                try await page.wait(untilGone: "#starter")
                try await page.wait(for: "#screen-title", text: "Hallo")
                // After the end of a session, they are offered again, at their defaults.
                try await page.waitUntilLive()
                try await page.click("#connection")
                try await page.click("#session-end")
                try await page.click("#ending-end")
                try await page.startAnew()
                try await page.wait(untilGone: "#ended")
                try await page.wait(for: "#screen-title", text: "Hello")
            }
        }
    }
}
