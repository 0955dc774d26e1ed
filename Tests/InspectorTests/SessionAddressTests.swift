import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The session in the page's address, and leaving a session.
    struct SessionAddressTests {
        @Test(arguments: ["..", "unknown", "%2e%2e", "../catalog", "AAAAAAAAAAAAAAAAAAAAAB"])
        func anInvalidIDDoesNotChangeTheSession(id: String) async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                let session = try await page.session()
                try await page.evaluate("location.hash = `#session=${arguments[0]}`", .string(id))
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains("Not a session id"))
                #expect(try await page.session() == session)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.wait(untilGone: "#problem")
            }
        }

        @Test func openingThePageWithAnInvalidIDSaysSo() async throws {
            try await withRacing { server in
                try await withPage { page in
                    try await page.open("\(server.url)/#session=..")
                    try await page.wait(for: "body.unknown #ended")
                    #expect(try await page.texts("#ended-reason")[0].contains("“..” is not a session id"))
                    try await page.startAnew()
                    try await page.wait(until: 0)
                    try await page.wait(untilGone: "body.unknown")
                }
            }
        }

        @Test(arguments: ["unknown", "AAAAAAAAAAAAAAAAAAAAAA"])
        func joiningAnUnknownSessionKeepsTheShownOne(id: String) async throws {
            try await withInspector(expecting: id == "unknown" ? [] : [404]) { page, _ in
                let session = try await page.session()
                try await page.click("#connection")
                try await page.fill("#session-join", with: id)
                try await page.press(.enter)
                try await page.wait(for: "#session-join-problem")
                #expect(try await page.session() == session)
                try await page.click("#session-close")
                try await page.press("#actions button", text: "Continue", version: 1)
            }
        }

        @Test func endingASessionNeedsConfirmation() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let id = try await page.session()
                try await page.click("#connection")
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
