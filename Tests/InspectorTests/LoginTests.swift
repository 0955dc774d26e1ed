import CoordinateServer
import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The page of a server with a key.
    struct LoginTests {
        @Test func thePageAsksForTheKeyAndGoesOnWithIt() async throws {
            let server = try Server.showing(try RacingApp.make(), apiKey: "s3cret")
            try await withServer(server) { server in
                try await withPage(expecting: [401]) { page in
                    try await page.open(server.url)
                    try await page.wait(for: "#login[open] #login-key:focus")
                    try await page.fill("#login-key", with: "wrong")
                    try await page.click("#login-send")
                    try await page.wait(for: "#login-problem:not([hidden])")
                    try await page.fill("#login-key", with: "s3cret")
                    try await page.click("#login-send")
                    try await page.wait(until: 0)
                    try await page.waitUntilLive()
                    try await page.wait(untilGone: "#login[open]")
                    try await page.press("#actions button", text: "Continue", version: 1)
                }
            }
        }
    }
}
