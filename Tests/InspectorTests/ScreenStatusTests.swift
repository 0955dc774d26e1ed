import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Screens that load, and screens that could not.
    struct ScreenStatusTests {
        /// A page whose screen says something at version 1, and nothing of the kind later.
        private func withScreen(_ screen: JSON, _ body: (Page) async throws -> Void) async throws {
            try await withInspector(amending: ["routes": ["1": ["screen": screen]]]) { page, _ in
                #expect(try await page.texts("#screen-status").isEmpty)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await body(page)
            }
        }

        @Test(arguments: [(.null, "Loading…"), ("Loading the teams", "Loading the teams")] as [(JSON, String)])
        func aScreenThatLoadsSaysSoAboveItsRows(message: JSON, text: String) async throws {
            try await withScreen(["status": "loading", "message": message]) { page in
                #expect(try await page.texts("#screen-message") == [text])
                #expect(try await page.texts("#screen-failed").isEmpty)
                #expect(try await page.texts("#screen-status .activity").count == 1)
                #expect(try await page.texts("#rows .row-title").count == 10)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                #expect(try await page.texts("#screen-status").isEmpty)
            }
        }

        @Test func aScreenThatFailedSaysWhyAboveItsRows() async throws {
            try await withScreen(["status": "failed", "message": "The source is away"]) { page in
                #expect(try await page.texts("#screen-message") == ["The source is away"])
                #expect(try await page.texts("#screen-status") == ["Failed: The source is away"])
                #expect(try await page.texts("#screen-status .activity").isEmpty)
                #expect(try await page.texts("#rows .row-title").count == 10)
                let announced = try await page.evaluate("return document.querySelector('#announcer').textContent")
                #expect(
                    announced
                        == "/main/teams. Failed: The source is away. splash.didFinish handled by AppCoordinator.")
            }
        }

        @Test func aScreenThatIsReadySaysNothing() async throws {
            try await withScreen(["status": "ready", "message": .null]) { page in
                let status = try await page.texts("#screen-status")
                #expect(status.isEmpty)
            }
        }
    }
}
