import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The page's help.
    struct HelpTests {
        @Test func aKeyOpensTheHelp() async throws {
            try await withInspector { page, _ in
                // In a text field, the key is a character.
                try await page.click("#open-palette")
                try await page.type("/main?")
                #expect(try await page.texts("#help").isEmpty)
                try await page.press(.escape)
                try await page.wait(untilGone: "#palette")
                try await page.press("?")
                try await page.wait(for: "#help-close:focus")
                let keys = try await page.texts("#help-keys dt")
                for key in ["Ctrl K", "?", "Esc", "↑", "EnterSpace", "+="] { #expect(keys.contains(key)) }
                try await page.press(.escape)
                try await page.wait(untilGone: "#help")
                try await page.press("?")
                try await page.click("#help-home")
                try await page.wait(for: "#home-list .session")
                #expect(try await page.texts("#help").isEmpty)
            }
        }
    }
}
