import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The session in the page's address, and leaving a session.
    struct SessionAddressTests {
        @Test func anInvalidIDDoesNotChangeTheSession() async throws {
            try await withInspector { page, _ in
                let session = try await page.session()
                for id in ["..", "%2e%2e", "AAAAAAAAAAAAAAAAAAAAAB"] {
                    try await page.show(id)
                    try await page.wait(for: "#problem")
                    #expect(try await page.texts("#problem-content")[0].contains("Not a session id"))
                    #expect(try await page.session() == session)
                    try await page.click("#problem-close")
                    try await page.wait(untilGone: "#problem")
                }
                try await page.press("#actions button", text: "Continue", version: 1)
            }
        }

        @Test(arguments: [
            (String(repeating: "A", count: 22), "It has ended or never existed."), ("..", "“..” is not a session id"),
        ])
        func anUnknownSessionLeadsToTheStart(id: String, reason: String) async throws {
            try await withVisit(to: "/#session=\(id)", expecting: [404]) { page, server in
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains(reason))
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.wait(untilGone: "#problem")
                #expect(try await page.session() != id)
            }
        }

        @Test func endingASessionNeedsConfirmation() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let id = try await page.session()
                try await page.click("#connection")
                // A server without a key has no login.
                #expect(try await page.texts(".log-out").isEmpty)
                try await page.click("#session-end")
                try await page.wait(for: "#ending")
                #expect(try await page.evaluate("return document.activeElement.id") == "ending-cancel")
                try await page.press(.escape)
                try await page.wait(untilGone: "#ending")
                #expect(try await page.evaluate("return document.activeElement.id") == "session-end")
                #expect(try await server.client().get("/sessions/\(id)").status == 200)
                try await page.press(.enter)
                try await page.wait(for: "#ending")
                try await page.tab(to: "#ending-end")
                try await page.press(.enter)
                try await page.wait(for: "#ended")
                #expect(try await server.client().get("/sessions/\(id)").status == 404)
            }
        }
    }
}
