import CoordinateSessions
import CoordinateTesting
import Foundation
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Requests besides the app's own actions: the catalog and documents.
    struct RequestTests {
        @Test func aMissingCatalogIsReadWhenNeeded() async throws {
            try await withRacing { server in
                try await withPage { page in
                    try await page.runFirst(
                        """
                        window.catalogIsAway = true;
                        const send = window.fetch;
                        window.fetch = (address, ...rest) => address === "/catalog" && catalogIsAway
                          ? Promise.reject(new TypeError("away")) : send(address, ...rest);
                        """)
                    try await page.open(server.url)
                    try await page.begin()
                    try await page.wait(until: 0)
                    try await page.waitUntilLive()
                    try await page.click("#tree [data-coordinator=AppCoordinator] > .node")
                    try await page.wait(for: "#problem")
                    try await page.evaluate("window.catalogIsAway = false")
                    try await page.click("#tree [data-coordinator=AppCoordinator] > .node")
                    try await page.wait(for: "#palette-text:focus")
                    try await page.wait(untilGone: "#problem")
                    try await page.press(.escape)
                    try await page.compose("splash.didFinish", [:])
                    try await page.wait(until: 1)
                }
            }
        }

        @Test func documentsAreShownAsSent() async throws {
            try await withInspector { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                let client = server.client(headers: ["Session": try await page.session()])
                try await page.run("Show the route document")
                for (button, document) in [
                    ("#raw-route", try await client.get("/route").json),
                    ("#raw-entry", try await client.get("/events").json["events"][0]),
                ] {
                    try await page.click(button)
                    let field = button == "#raw-entry" ? "event" : "screen"
                    try await page.wait(
                        "for the document", until: "seen('#raw-json', null)[0]?.textContent.includes(`\"\(field)\"`)")
                    let text = try await page.texts("#raw-json")[0]
                    #expect(try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) == document)
                }
                try await page.click("#raw-close")
                try await page.wait(untilGone: "#raw")
            }
        }
    }
}
