import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// What interrupts the app: alerts, such as the question before a screen with unsaved changes is left, and links
    /// that wait for a login. `Tests/page/screen.test.js` has their parts.
    struct AlertTests {
        @Test func anAlertIsADialogThatClosesWithItsChoices() async throws {
            try await withInspector(of: GateApp()) { page, _ in
                try await page.press("#actions button", text: "Edit note", version: 1)
                try await page.press("#actions button", text: "Write", version: 2)
                #expect(try await page.texts("#phone.asking").isEmpty)
                try await page.press("#back", version: 3)
                try await page.wait(for: "#phone.asking")
                #expect(try await page.texts("#actions button") == ["Discard", "Keep editing"])
                for (role, title) in [("destructive", "Discard"), ("cancel", "Keep editing")] {
                    #expect(try await page.texts("#actions [data-role=\(role)]") == [title])
                }
                #expect(try await page.texts("#under-title") == ["Note"])
                #expect(try await page.sight().leaf == "AppCoordinator/FormCoordinator/AlertCoordinator")
                let screen = "#screen[role=alertdialog][aria-labelledby=screen-title][aria-describedby=screen-message]"
                try await page.wait(for: screen)
                // The Back button had the focus, and an alert replaced it.
                #expect(try await page.evaluate("return document.activeElement.id") == "screen-title")
                #expect(
                    try await page.announced()
                        == "/form. Discard changes? The note is not saved. navigation.back handled by AppCoordinator.")
                for (width, height) in [(320, 568), (1_440, 900)] {
                    try await page.resize(width: width, height: height)
                    let isCentered = """
                        const [card, phone] = ["content", "phone"].map((id) => document.getElementById(id))
                          .map((element) => element.getBoundingClientRect());
                        return Math.round(Math.abs((card.left + card.right) - (phone.left + phone.right))) === 0
                          && card.left > phone.left && card.top > phone.top && card.bottom < phone.bottom
                          && document.getElementById("screen").scrollHeight <= document.getElementById("screen").clientHeight;
                        """
                    #expect(try await page.evaluate(isCentered) == true, "\(width)")
                }
                try await page.press(.tab)
                try await page.press(.tab)
                try await page.press(.enter)
                try await page.wait(until: 4)
                #expect(try await page.texts("#phone.asking, #under").isEmpty)
                #expect(try await page.texts("#rows .row-title") == ["Ring twice"])
                try await page.press("#back", version: 5)
                try await page.press("#actions button", text: "Discard", version: 6)
                #expect(try await page.texts("#phone.asking, #under").isEmpty)
                #expect(try await page.sight().path == "/home")
                // The past shows it again, without its choices.
                try await page.click("#frames [data-version='5'] .frame-travel")
                try await page.wait(for: "body.in-past #phone.asking")
                #expect(try await page.texts("#actions button:enabled:not([aria-haspopup=dialog])").isEmpty)
                try await page.click("#now")
                try await page.wait(untilGone: "#phone.asking")
            }
        }

        @Test func aParkedLinkIsShownUntilItOpens() async throws {
            try await withInspector(of: GateApp()) { page, _ in
                #expect(try await page.texts("#parked").isEmpty)
                try await page.openPath("/orders/17")
                try await page.wait(until: 1)
                #expect(try await page.sight().path == "/login")
                #expect(try await page.texts("#parked") == ["Parked /orders/17"])
                // It is announced once, by the announcer.
                #expect(
                    try await page.announced()
                        == "/login. navigation.open handled by AppCoordinator. Parked: /orders/17.")
                let isSpoken = "return document.querySelector('#parked').closest('[aria-live], [role]')"
                #expect(try await page.evaluate(isSpoken) == .null)
                for (width, height) in [(320, 568), (1_024, 700), (1_440, 900)] {
                    try await page.resize(width: width, height: height)
                    try await page.expectNoOverflow()
                    let box = "document.querySelector('#parked').getBoundingClientRect()"
                    let bottom = "return Math.ceil(\(box).bottom - innerHeight)"
                    #expect(try await page.evaluate(bottom).int ?? 1 <= 0, "\(width)")
                }
                try await page.press("#actions button", text: "Log in", version: 2)
                #expect(try await page.sight().path == "/orders/17")
                #expect(try await page.texts("#parked").isEmpty)
            }
        }
    }
}
