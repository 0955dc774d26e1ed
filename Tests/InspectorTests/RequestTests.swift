import CoordinateSessions
import CoordinateTesting
import Foundation
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Requests besides the app's own actions: deep links, documents, and the commands for events.
    struct RequestTests {
        @Test func aDeepLinkIsOpenedInTheAddressBar() async throws {
            try await withInspector { page, _ in
                for (index, (path, title)) in [
                    ("/main/teams/team/ferrari", "Ferrari"), ("/main/drivers/driver/leclerc", "Charles Leclerc"),
                    ("/main/profile/edit", "Edit profile"), ("/splash", "Formula Racing"),
                ].enumerated() {
                    try await page.openPath(path)
                    try await page.wait(until: index + 1)
                    #expect(try await page.sight().path == path)
                    #expect(try await page.sight().title == title)
                }
                try await page.fill("#address", with: "/main/teams/team")
                try await page.click("#suggestions [role=option]", text: "/main/teams/team/{team}")
                // The missing value is selected, so that typing replaces it.
                #expect(try await page.evaluate("return getSelection().toString()") == "{team}")
                try await page.evaluate("document.execCommand('insertText', false, 'haas')")
                try await page.click("#address-go")
                try await page.wait(until: 5)
                #expect(try await page.sight().title == "Haas")
            }
        }

        @Test func anUnknownPathShowsTheServersProblemAndStaysForCorrection() async throws {
            try await withInspector(expecting: [422]) { page, server in
                for path in ["/nowhere", "/main/teams/team/{team}", "main", "/main/taems/team/ferari"] {
                    try await page.openPath(path)
                    try await page.wait(for: "#problem")
                    let answer = try await server.client().put("/route", json: ["path": .string(path)])
                    let problem = try answer.decode(Document.Problem.self)
                    let said = try await page.texts("#problem-content")[0]
                    #expect(said.contains(problem.title))
                    #expect(said.contains(problem.detail))
                    #expect(try await page.evaluate("return document.body.dataset.version") == "0")
                    if path.contains("taems") { break }
                    try await page.click("#problem-close")
                    try await page.wait(untilGone: "#problem")
                    #expect(try await page.value(of: "#address") == path)
                    try await page.wait(for: "#address[aria-invalid]")
                }
                try await page.click("#problem-content .suggestion", text: "/main/teams/team/ferrari")
                #expect(try await page.value(of: "#address") == "/main/teams/team/ferrari")
                // The next success removes the problem.
                try await page.click("#address-go")
                try await page.wait(until: 1)
                try await page.wait(untilGone: "#problem")
                #expect(try await page.sight().title == "Ferrari")
            }
        }

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
                    try await page.click("#compose")
                    try await page.wait(for: "#problem")
                    try await page.evaluate("window.catalogIsAway = false")
                    try await page.compose("splash.didFinish", [:])
                    try await page.wait(until: 1)
                    try await page.wait(untilGone: "#problem")
                    try await page.click("#address")
                    try await page.wait(for: "#suggestions [role=option]", text: "/main/profile")
                }
            }
        }

        @Test func documentsAreShownAsSent() async throws {
            try await withInspector { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                let client = server.client(headers: ["Session": try await page.session()])
                for (button, document) in [
                    ("#route-json", try await client.get("/route").json),
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
