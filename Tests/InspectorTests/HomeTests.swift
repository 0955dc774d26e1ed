import CoordinateServer
import CoordinateTesting
import Logging
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The list of all sessions, at `#home`.
    struct HomeTests {
        @Test func forksAreListedBelowTheirOriginals() async throws {
            try await withInspector { page, server in
                let first = try await server.session(["path": "/main/teams/team/ferrari"])
                let fork = try await server.fork(of: first, at: 1)
                let second = try await server.fork(of: fork, at: 0)
                let other = try await server.session(["path": "/main/drivers"])
                try await page.click("#open-home")
                try await page.wait(for: ".session[data-session='\(first)'] .session[data-session='\(fork)']")
                try await page.wait(for: ".session[data-session='\(fork)'] .session[data-session='\(second)']")
                try await page.wait(for: "#home-list > .session[data-session='\(other)']")
                try await page.wait(for: "#home-count", text: "5 sessions, last used first.")
                let row = ".session[data-session='\(fork)'] > .session-row"
                #expect(try await page.texts("\(row) .session-path") == ["/main/teams/team/ferrari"])
                #expect(try await page.texts("\(row) .session-version") == ["version 1"])
                #expect(try await page.texts("\(row) .session-parent") == ["forked from \(first.prefix(6)), version 1"])
                // The session that the page showed before continues, and one press returns to it.
                try await page.click("#home-back")
                try await page.wait(untilGone: "#home")
                try await page.press("#actions button", text: "Continue", version: 1)
            }
        }

        @Test func sessionsAreFoundByPathStateAndText() async throws {
            try await withInspector { page, server in
                let team = try await server.session(["path": "/main/teams/team/ferrari"])
                _ = try await server.session(["path": "/main/drivers"])
                try await page.click("#open-home")
                let listed = { try await page.texts("#home-list .session-path") }
                try await page.wait(for: "#home-count", text: "3 sessions, last used first.")
                try await page.fill("#home-text", with: "/main/")
                try await page.wait(for: "#home-count", text: "2 sessions, last used first.")
                #expect(try await listed().sorted() == ["/main/drivers", "/main/teams/team/ferrari"])
                try await page.fill("#home-text", with: String(team.prefix(8)).lowercased())
                try await page.wait(for: "#home-count", text: "1 session, last used first.")
                #expect(try await listed() == ["/main/teams/team/ferrari"])
                try await page.choose("quarantined", in: "#home-state")
                try await page.wait(for: "#home-count", text: "No sessions match.")
            }
        }

        @Test func theFilterIsInTheAddress() async throws {
            try await withInspector { page, server in
                let team = try await server.session(["path": "/main/teams/team/ferrari"])
                _ = try await server.session(["path": "/main/drivers"])
                try await page.click("#open-home")
                try await page.fill("#home-text", with: "/main/teams")
                try await page.choose("live", in: "#home-state")
                try await page.wait("for the address", until: "location.hash.endsWith('&state=live')")
                let isShown = {
                    try await page.wait(for: "#home-count", text: "1 session, last used first.")
                    #expect(
                        try await page.evaluate("return document.querySelector('#home-text').value") == "/main/teams")
                }
                try await isShown()
                try await page.evaluate("location.reload()")
                try await isShown()
                try await page.click("#home-list [data-session='\(team)'] .session-path")
                try await page.wait(until: 1)
                try await page.evaluate("history.back()")
                try await isShown()
                try await page.click("#open-home")
                try await page.wait(for: "#home-count", text: "3 sessions, last used first.")
            }
        }

        @Test func aSessionOpensAndBackReturnsToTheList() async throws {
            try await withInspector { page, server in
                let own = try await page.session()
                let other = try await server.session(["path": "/main/drivers"])
                try await page.click("#open-home")
                try await page.click("#home-list [data-session='\(other)'] .session-path")
                try await page.wait(until: 1)
                #expect(try await page.session() == other)
                #expect(try await page.sight().path == "/main/drivers")
                try await page.evaluate("history.back()")
                try await page.wait(for: "#home-list [data-session='\(own)']")
                try await page.evaluate("history.back()")
                try await page.wait(until: 0)
                #expect(try await page.session() == own)
            }
        }

        @Test func theListCreatesNoSession() async throws {
            try await withRacing { server in
                try await withPage { page in
                    try await page.open("\(server.url)/#home")
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
        }

        @Test func endingASessionNeedsConfirmation() async throws {
            try await withInspector(expecting: [404]) { page, server in
                let other = try await server.session(["path": "/main/drivers"])
                try await page.click("#open-home")
                let row = "#home-list [data-session='\(other)']"
                try await page.click("\(row) .session-end")
                try await page.wait(for: "#home-ending[open] #home-ending-cancel:focus")
                try await page.press(.escape)
                try await page.wait(untilGone: "#home-ending")
                #expect(try await server.client().get("/sessions/\(other)").status == 200)
                try await page.click("\(row) .session-end")
                try await page.click("#home-ending-end")
                try await page.wait(untilGone: row)
                #expect(try await server.client().get("/sessions/\(other)").status == 404)
                // Ending a session that has ended already succeeds.
                let gone = try await server.session([:])
                try await page.evaluate("location.reload()")
                try await page.wait(for: "#home-list [data-session='\(gone)']")
                _ = try await server.client().delete("/sessions/\(gone)")
                try await page.click("#home-list [data-session='\(gone)'] .session-end")
                try await page.click("#home-ending-end")
                try await page.wait(untilGone: "#home-list [data-session='\(gone)']")
            }
        }

        @Test func aJournalIsExportedAsAFile() async throws {
            try await withInspector { page, server in
                let other = try await server.session(["path": "/main/drivers"])
                try await page.click("#open-home")
                try await page.wait(for: "#home-list [data-session='\(other)']")
                try await page.evaluate(
                    """
                    URL.createObjectURL = (file) => {
                      file.text().then((text) => { window.saved = text; });
                      return "#";
                    };
                    HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
                    """)
                try await page.click("#home-list [data-session='\(other)'] .session-export")
                let journal = try await page.wait("for the file", until: "window.saved").string
                let exported = try await server.client(headers: ["Accept": "application/x-ndjson"])
                    .get("/sessions/\(other)/events").text
                #expect(journal == exported)
                #expect(try await page.evaluate("return savedAs") == .string("\(other.prefix(6))-1.ndjson"))
            }
        }

        @Test func aLongListIsReadAPageAtATime() async throws {
            try await withInspector { page, server in
                for _ in 0..<60 { _ = try await server.session([:]) }
                try await page.click("#open-home")
                try await page.wait(for: "#home-count", text: "50 sessions, last used first; there are more.")
                try await page.click("#home-more")
                try await page.wait(for: "#home-count", text: "61 sessions, last used first.")
                try await page.wait(untilGone: "#home-more")
            }
        }

        @Test func aServerThatOthersCanReachExplainsWhyTheListIsHidden() async throws {
            var configuration = ServerConfiguration()
            configuration.host = "0.0.0.0"
            configuration.port = 0
            let logger = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
            let server = try Server(app: try RacingApp.make(), configuration: configuration, logger: logger)
            try await withServer(server) { server in
                try await withPage(expecting: [403]) { page in
                    try await page.open("\(server.url)/#home")
                    try await page.wait(for: "#home-problem")
                    let said = try await page.texts("#home-problem")[0]
                    #expect(said.contains("This server can be reached from other machines."))
                    // Then the page knows that the app has options.
                    try await page.wait(for: "#app-name", text: "Racing")
                    try await page.click("#home-new")
                    try await page.click("#starter-start")
                    try await page.wait(until: 0)
                }
            }
        }

        @Test(arguments: [(360, 740), (1_280, 800)])
        func nothingIsWiderThanTheList(width: Int, height: Int) async throws {
            try await withInspector(size: (width, height)) { page, server in
                let first = try await server.session(["path": "/main/teams/compare/hamilton/leclerc"])
                _ = try await server.fork(of: try await server.fork(of: first, at: 1), at: 1)
                try await page.click("#open-home")
                try await page.wait(for: ".session .session .session")
                for box in ["document.documentElement", "document.querySelector('#home')"] {
                    #expect(try await page.evaluate("return \(box).scrollWidth - \(box).clientWidth").int ?? 1 <= 0)
                }
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
