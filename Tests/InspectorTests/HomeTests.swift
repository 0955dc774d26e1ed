import CoordinateServer
import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The list of all sessions, at `#home`.
    struct HomeTests {
        @Test func sessionsAreListedFoundAndOpened() async throws {
            try await withInspector { page, server in
                let own = try await page.session()
                let first = try await server.session(["path": "/main/teams/compare/hamilton/leclerc"])
                let fork = try await server.fork(of: first, at: 1)
                let second = try await server.fork(of: fork, at: 0)
                let other = try await server.session(["path": "/main/drivers"])
                try await page.showHome()
                try await page.wait(for: ".session[data-session='\(first)'] .session[data-session='\(fork)']")
                try await page.wait(for: ".session[data-session='\(fork)'] .session[data-session='\(second)']")
                try await page.wait(for: "#home-list > .session[data-session='\(other)']")
                try await page.wait(for: "#home-count", text: "5 sessions, last used first.")
                let row = ".session[data-session='\(fork)'] > .session-row"
                #expect(try await page.texts("\(row) .session-path") == ["/main/teams/compare/hamilton/leclerc"])
                #expect(try await page.texts("\(row) .session-version") == ["version 1"])
                #expect(try await page.texts("\(row) .session-parent") == ["forked from \(first.prefix(6)), version 1"])
                for (width, height) in [(360, 740), (1_280, 800)] {
                    try await page.resize(width: width, height: height)
                    try await page.expectNoOverflow()
                    let cut =
                        "const home = document.querySelector('#home'); return home.scrollWidth - home.clientWidth"
                    #expect(try await page.evaluate(cut).int ?? 1 <= 0)
                }
                // The filter is in the address.
                try await page.fill("#home-text", with: "/main/drivers")
                try await page.choose("live", in: "#home-state")
                try await page.wait("for the address", until: "location.hash.endsWith('&state=live')")
                let isFiltered = {
                    try await page.wait(for: "#home-count", text: "1 session, last used first.")
                    #expect(try await page.value(of: "#home-text") == "/main/drivers")
                }
                try await isFiltered()
                try await page.reload()
                try await isFiltered()
                // A session opens, and Back returns to the list.
                try await page.click("#home-list [data-session='\(other)'] .session-path")
                try await page.wait(until: 1)
                #expect(try await page.session() == other)
                #expect(try await page.sight().path == "/main/drivers")
                try await page.evaluate("history.back()")
                try await isFiltered()
                try await page.show(own)
                try await page.wait(until: 0)
                // The session that the page showed before continues, and one press returns to it.
                try await page.showHome()
                try await page.wait(for: "#home-count", text: "5 sessions, last used first.")
                try await page.click("#home-back")
                try await page.wait(untilGone: "#home")
                try await page.press("#actions button", text: "Continue", version: 1)
            }
        }

        @Test func theListCreatesNoSession() async throws {
            try await withVisit(to: "/#home") { page, server in
                try await page.wait(for: "#home-count", text: "No sessions match.")
                #expect(try await page.texts("#home-back").isEmpty)
                let listed = try await server.client().get("/sessions").json["sessions"]
                #expect(listed == [])
                // Then the page knows that the app has options.
                try await page.wait(for: "#app-name", text: "Racing")
                try await page.click("#home-new")
                try await page.click("#starter-start")
                try await page.wait(until: 0)
                try await page.wait(untilGone: "#home")
            }
        }

        @Test func aSessionIsExportedAndEnded() async throws {
            try await withInspector { page, server in
                let other = try await server.session(["path": "/main/drivers"])
                try await page.showHome()
                let row = "#home-list [data-session='\(other)']"
                let file = try await page.saved { try await page.click("\(row) .session-export") }
                let client = server.client(headers: ["Accept": "application/x-ndjson"])
                let exported = try await client.get("/sessions/\(other)/events").text
                #expect(String(decoding: file.content, as: UTF8.self) == exported)
                #expect(file.name == "\(other.prefix(6))-1.ndjson")
                try await page.click("\(row) .session-end")
                try await page.click("#ending-end")
                try await page.wait(untilGone: row)
                #expect(try await server.client().get("/sessions/\(other)").status == 404)
            }
        }
    }
}

extension TestServer {
    /// Creates a fork and returns its id.
    fileprivate func fork(of session: String, at version: Int) async throws -> String {
        try await client().post("/sessions/\(session)/forks", json: ["version": .int(version)])
            .decode(Document.Session.self).id
    }
}
