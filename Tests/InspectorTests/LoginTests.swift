import CoordinateServer
import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The page of a server that requires a key.
    struct LoginTests {
        @Test func thePageShowsTheLoginAndContinuesAfterIt() async throws {
            try await withKey { page, key in
                try await page.wait(for: "#login[open] #login-key:focus")
                try await page.fill("#login-key", with: "wrong")
                try await page.click("#login-send")
                try await page.wait(for: "#login-problem", text: "Wrong key. Check the key and try again.")
                #expect(try await page.texts("#ended").isEmpty)
                try await page.logIn(key)
                try await page.begin()
                try await page.wait(until: 0)
                try await page.waitUntilLive()
                try await page.press("#actions button", text: "Continue", version: 1)
                // A command reads the key from the shell.
                let command = try await page.copied { try await page.pressTool("copy", of: 1) }
                #expect(command.contains(#"-H "Authorization: Bearer $COORDINATE_API_KEY""#))
                #expect(!command.contains(key))
                try await page.showHome()
                try await page.wait(for: "#home-count", text: "1 session, last used first.")
                try await page.click("#home .log-out")
                try await page.logIn(key)
                try await page.wait(for: "#home-count", text: "1 session, last used first.")
            }
        }

        /// As after one day, or after a restart with another key.
        @Test func anExpiredLoginIsRequestedAtTheNextPress() async throws {
            try await withKey { page, key in
                try await page.logIn(key)
                try await page.begin()
                try await page.wait(until: 0)
                try await page.waitUntilLive()
                // The page requests the map until it is complete.
                try await page.wait(for: "#storyboard:not([aria-busy])")
                let session = try await page.session()
                try await page.evaluate("return fetch('/logout', { method: 'POST' }).then(() => true)")
                try await page.click("#actions button", text: "Continue")
                try await page.logIn(key)
                try await page.wait(until: 0)
                #expect(try await page.session() == session)
                try await page.press("#actions button", text: "Continue", version: 1)
            }
        }

        /// Clients may use the app, but not read the journal.
        @Test func theLoginIsRequestedForWhatOnlyTheOperatorMayDo() async throws {
            try await withKey(clients: .app, expecting: [403]) { page, key in
                try await page.begin()
                try await page.logIn(key)
                try await page.wait(until: 0)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.wait(for: "#frames [data-version='1']")
            }
        }

        @Test func tryingARequestWithoutTheKeyShowsTheLogin() async throws {
            try await withKey(at: "/api.html") { page, key in
                try await page.click("#getCatalog .send")
                try await page.logIn(key)
                try await page.wait(for: "#getCatalog .status", text: "401 Unauthorized")
                try await page.click("#getCatalog .send")
                try await page.wait(for: "#getCatalog .status", text: "200 OK")
            }
        }

        /// Each server has its own key, because the browser's cookies apply to all ports of a host.
        private nonisolated(nonsending) func withKey(
            clients: ClientAccess? = nil, at path: String = "/", expecting statuses: [Int] = [401],
            _ body: nonisolated(nonsending) (Page, _ key: String) async throws -> Void
        ) async throws {
            let key = "key-\(UInt64.random(in: 0 ... .max))"
            let server = try Server.showing(apiKey: key, clients: clients)
            try await withVisit(to: path, of: server, expecting: statuses) { page, _ in try await body(page, key) }
        }
    }
}

extension Page {
    /// Enters the key in the login dialog.
    fileprivate func logIn(_ key: String) async throws {
        try await wait(for: "#login[open] #login-key:focus")
        try await fill("#login-key", with: key)
        try await click("#login-send")
        try await wait(untilGone: "#login")
    }
}
