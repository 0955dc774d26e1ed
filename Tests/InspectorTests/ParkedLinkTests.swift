import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// A parked link is shown beside the path while it waits.
    struct ParkedLinkTests {
        /// A page at the login, at version 1, while a link to an order waits.
        private func withParkedLink(
            size: (width: Int, height: Int) = (1_440, 900), _ body: (Page, TestServer) async throws -> Void
        ) async throws {
            try await withInspector(of: GateApp(), size: size) { page, server in
                #expect(try await page.texts("#parked").isEmpty)
                try await page.openPath("/orders/17")
                try await page.wait(until: 1)
                try await body(page, server)
            }
        }

        @Test func aParkedLinkIsShownUntilItOpens() async throws {
            try await withParkedLink { page, _ in
                #expect(try await page.sight().path == "/login")
                #expect(try await page.texts("#parked") == ["Parked /orders/17"])
                try await page.press("#actions button", text: "Log in", version: 2)
                #expect(try await page.sight().path == "/orders/17")
                #expect(try await page.texts("#parked").isEmpty)
            }
        }

        @Test func aLinkParkedByAnotherClientAppearsLive() async throws {
            try await withInspector(of: GateApp()) { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.open("/checkout")
                try await page.wait(for: "#parked", text: "Parked /checkout")
                try await client.open("/orders/18")
                try await page.wait(for: "#parked", text: "Parked /orders/18")
                try await client.open("/home")
                try await page.wait(untilGone: "#parked")
            }
        }

        @Test func aParkedLinkIsShownInThePast() async throws {
            try await withParkedLink { page, _ in
                try await page.press("#actions button", text: "Log in", version: 2)
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(for: "body.in-past")
                #expect(try await page.texts("#parked") == ["Was parked /orders/17"])
                try await page.click("#earlier")
                try await page.wait(until: 0)
                #expect(try await page.texts("#parked").isEmpty)
                try await page.click("#now")
                try await page.wait(until: 2)
                #expect(try await page.texts("#parked").isEmpty)
            }
        }

        @Test func aParkedLinkIsAnnounced() async throws {
            try await withParkedLink { page, _ in
                let announced = try await page.evaluate("return document.querySelector('#announcer').textContent")
                #expect(announced == "/login. navigation.open handled by AppCoordinator. Parked: /orders/17.")
                // It is announced once, by the announcer.
                let isSpoken = "return document.querySelector('#parked').closest('[aria-live], [role]')"
                #expect(try await page.evaluate(isSpoken) == .null)
            }
        }

        @Test(arguments: [(320, 568), (1_024, 700), (1_440, 900)])
        func aParkedLinkFits(width: Int, height: Int) async throws {
            try await withParkedLink(size: (width, height)) { page, _ in
                try await page.wait(for: "#parked", text: "Parked /orders/17")
                let overflow = "return document.documentElement.scrollWidth - innerWidth"
                #expect(try await page.evaluate(overflow).int ?? 1 <= 0)
                let bottom = "return document.querySelector('#parked').getBoundingClientRect().bottom - innerHeight"
                #expect(try await page.evaluate(bottom).int ?? 1 <= 0)
            }
        }
    }
}
