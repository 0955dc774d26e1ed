import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The palette, by keyboard alone. `Tests/page/palette.test.js` has what it finds.
    struct PaletteTests {
        @Test func aScreenAnEventAndACommandAreFoundByKeyboardAlone() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                let choose = { (text: String, title: String) in
                    try await page.press("k", holding: .control)
                    try await page.wait(for: "#palette-text:focus")
                    try await page.type(text)
                    try await page.wait(for: "#palette [aria-selected=true] .palette-title", text: title)
                    try await page.press(.enter)
                }
                try await page.wait("for the map", until: "document.querySelector('#map [data-screen]')")
                try await page.evaluate("document.querySelector('#test-tab').focus()")
                try await choose("teamslist", "TeamsList")
                try await page.wait(until: 1)
                try await page.wait(for: "#test-tab:focus")
                try await choose("haas", "Haas")
                try await page.wait(until: 2)
                #expect(try await page.sight().title == "Haas")
                // An event with a payload is filled in, and the focus returns from there as well.
                try await choose("rename", "profile.rename")
                try await page.wait(for: "#composer-field-name:focus")
                try await page.type("Anna")
                try await page.press(.enter)
                try await page.wait(until: 3)
                try await page.wait(for: "#test-tab:focus")
                try await choose("keys", "Keys and help")
                try await page.wait(for: "#help-close:focus")
                try await page.press(.escape)
                try await page.wait(for: "#test-tab:focus")
                // In a text field, this key is a character.
                try await page.press("k", holding: .control)
                try await page.wait(for: "#palette-text:focus")
                try await page.type("/main?")
                #expect(try await page.texts("#help").isEmpty)
                try await page.press(.escape)
                try await page.wait(untilGone: "#palette")
                try await page.press("?")
                try await page.wait(for: "#help-close:focus")
                try await page.press(.escape)
                try await page.wait(for: "#test-tab:focus")
                // The same keys close it.
                try await page.press("k", holding: .control)
                try await page.wait(for: "#palette-text:focus")
                try await page.press("k", holding: .control)
                try await page.wait(untilGone: "#palette")
                try await page.wait(for: "#test-tab:focus")
            }
        }

        @Test func aRefusedFirstPathLeavesNoSession() async throws {
            try await withVisit(expecting: [422]) { page, server in
                try await page.wait(
                    "for the catalog", until: "document.querySelector('#app-name').textContent !== ''")
                try await page.openPath("/nowhere")
                try await page.wait(for: "#palette-problem")
                #expect(try await server.client().get("/sessions").json["sessions"] == [])
                try await page.type("/main/teams")
                try await page.press(.enter)
                try await page.wait(until: 1)
            }
        }
    }
}
