import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Alerts on the phone, such as the question before a screen with unsaved changes is left.
    struct AlertTests {
        /// A page with an alert, at version 3.
        private func withAlert(
            size: (width: Int, height: Int) = (1_440, 900), _ body: (Page) async throws -> Void
        ) async throws {
            try await withInspector(of: GateApp(), size: size) { page, _ in
                try await page.press("#actions button", text: "Edit note", version: 1)
                try await page.press("#actions button", text: "Write", version: 2)
                #expect(try await page.texts("#phone.asking").isEmpty)
                try await page.press("#back", version: 3)
                try await body(page)
            }
        }

        @Test func anAlertShowsTitleMessageAndChoices() async throws {
            try await withAlert { page in
                try await page.wait(for: "#phone.asking")
                #expect(try await page.texts("#screen-title") == ["Discard changes?"])
                #expect(try await page.texts("#screen-message") == ["The note is not saved."])
                #expect(try await page.texts("#actions button") == ["Discard", "Keep editing"])
                #expect(try await page.texts("#under-title") == ["Note"])
                #expect(try await page.texts("#back, #dismiss, #tabs").isEmpty)
                #expect(try await page.sight().path == "/form")
                #expect(try await page.sight().leaf == "AppCoordinator/FormCoordinator/AlertCoordinator")
            }
        }

        @Test func pressingAChoiceClosesTheAlert() async throws {
            try await withAlert { page in
                try await page.press("#actions button", text: "Keep editing", version: 4)
                #expect(try await page.texts("#phone.asking, #under").isEmpty)
                #expect(try await page.texts("#rows .row-title") == ["Ring twice"])
                try await page.press("#back", version: 5)
                try await page.press("#actions button", text: "Discard", version: 6)
                #expect(try await page.texts("#phone.asking, #under").isEmpty)
                #expect(try await page.sight().path == "/home")
            }
        }

        @Test func anAlertIsADialogForScreenReaders() async throws {
            try await withAlert { page in
                let screen = "#screen[role=alertdialog][aria-labelledby=screen-title][aria-describedby=screen-message]"
                try await page.wait(for: screen)
                // The Back button had the focus, and an alert replaced it.
                #expect(try await page.evaluate("return document.activeElement.id") == "screen-title")
                #expect(
                    try await page.evaluate("return document.querySelector('#announcer').textContent")
                        == "/form. Discard changes? The note is not saved. navigation.back handled by AppCoordinator.")
                try await page.press(.tab)
                try await page.press(.tab)
                try await page.press(.enter)
                try await page.wait(until: 4)
                #expect(try await page.texts("#screen[role=group]:not([aria-describedby])").count == 1)
                #expect(try await page.sight().title == "Note")
            }
        }

        @Test func anAlertOfThePastIsShown() async throws {
            try await withAlert { page in
                try await page.press("#actions button", text: "Discard", version: 4)
                try await page.click("#entries [data-version='3'] .entry-travel")
                try await page.wait(for: "body.in-past .asking")
                #expect(try await page.texts("#screen-title") == ["Discard changes?"])
                #expect(try await page.texts("#actions button:enabled:not([aria-haspopup=dialog])").isEmpty)
                try await page.click("#now")
                try await page.wait(untilGone: ".asking")
            }
        }

        @Test(arguments: [(320, 568), (1_440, 900)])
        func anAlertIsACenteredCard(width: Int, height: Int) async throws {
            try await withAlert(size: (width, height)) { page in
                let middle = try await page.evaluate(
                    """
                    const [card, phone] = ["content", "phone"].map((id) => document.getElementById(id))
                      .map((element) => element.getBoundingClientRect());
                    return [
                      Math.round(Math.abs((card.left + card.right) - (phone.left + phone.right))),
                      card.left > phone.left && card.top > phone.top && card.bottom < phone.bottom,
                      document.getElementById("screen").scrollHeight <= document.getElementById("screen").clientHeight,
                    ];
                    """)
                #expect(middle.array == [0, true, true])
            }
        }
    }
}
