import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Appearance {
    /// The API reference, `/api.html`.
    struct ReferenceTests {
        @Test func aRequestIsTriedOnTheChosenSession() async throws {
            try await withReference { page, server in
                let session = try await server.startSession()
                try await page.open("\(server.url)/api.html#session=\(session)")
                // What changes a session is not sent before the user has seen it.
                try await page.click("#postSessionEvent .send")
                try await page.wait(for: "#try-postSessionEvent-body:focus")
                #expect(try await page.value(of: "#try-postSessionEvent-path-id") == session)
                try await page.fill("#postSessionEvent textarea", with: #"{"event": "splash.didFinish"}"#)
                let address = "'\(server.url)/sessions/\(session)/events'"
                try await page.wait(
                    for: "#postSessionEvent .sample pre",
                    text: #"curl --json '{"event": "splash.didFinish"}' \ "# + address)
                try await page.click("#postSessionEvent .send", text: "Send")
                try await page.wait(for: "#postSessionEvent .status", text: "200 OK")
                try await page.wait(
                    "for the outcome", until: "JSON.parse(seen(given[0], null)[0]?.textContent || null)?.version === 1",
                    "#postSessionEvent .answer pre")
                #expect(try await page.texts("#postSessionEvent .headers dl").isEmpty)
                try await page.click("#postSessionEvent .headers summary")
                #expect(try await page.texts("#postSessionEvent .headers dt").contains("content-type"))
                #expect(
                    try await page.evaluate("return document.querySelector('#back').href").string
                        == "\(server.url)/#session=\(session)")
            }
        }

        @Test func aStreamIsShownUntilItIsStopped() async throws {
            try await withReference { page, server in
                let session = try await server.startSession()
                try await page.open("\(server.url)/api.html#session=\(session)")
                try await page.click("#getSessionEvents-form summary")
                try await page.choose("text/event-stream", in: "#try-getSessionEvents-Accept")
                try await page.click("#getSessionEvents .send")
                let holds = "seen('#getSessionEvents .answer pre', null)[0]?.textContent.includes(given[0])"
                try await page.wait("for the stream", until: holds, #""version":0"#)
                _ = try await server.client().post("/sessions/\(session)/events", json: ["event": "splash.didFinish"])
                try await page.wait("for the next message", until: holds, #""version":1"#)
                try await page.click("#getSessionEvents .answer button", text: "Stop")
                try await page.wait(untilGone: "#getSessionEvents .answer .sample-head button")
                #expect(try await page.texts("#getSessionEvents .answer [role=status]")[0].hasSuffix("Stopped."))
            }
        }

        @Test func theSearchIsUsedByKeyboard() async throws {
            try await withReference { page, _ in
                try await page.press("/")
                try await page.wait(for: "#search:focus")
                try await page.type("teams")
                try await page.press(.down)
                try await page.expect("#results [aria-selected=true] strong", shows: ["teams.setFavorite"])
                try await page.press(.enter)
                try await page.wait(for: "#postSessionEvent h3 a:focus")
                #expect(try await page.value(of: "#postSessionEvent textarea")?.contains("teams.setFavorite") == true)
                try await page.press("/")
                try await page.type("unknown-event")
                try await page.press(.enter)
                try await page.wait(for: "#schema-UnknownEvent[open] > summary:focus")
                try await page.press("/")
                try await page.type("nothing like this")
                try await page.wait(for: "#search-state", text: "Nothing found.")
                try await page.press(.escape)
                #expect(try await page.value(of: "#search") == "")
            }
        }

        @Test func anAddressOpensAnOperationWhichStaysOpen() async throws {
            try await withReference { page, server in
                try await page.open("\(server.url)/api.html#getSessionChanges")
                try await page.wait(for: "#getSessionChanges h3 a:focus")
                try await page.wait(for: "#try-getSessionChanges-query-from")
                // The operation without the session in its path is at the same place.
                try await page.evaluate("location.hash = 'putRoute'")
                try await page.wait(for: "#putSessionRoute h3 a:focus")
                try await page.evaluate("history.replaceState(null, '', '/api.html')")
                try await page.reload()
                try await page.wait(for: "#try-getSessionChanges-query-from")
                try await page.wait(for: "#try-putSessionRoute-body")
            }
        }

        @Test func theWholeDescriptionIsShownAtEveryWidth() async throws {
            try await withReference { page, server in
                let document = try await server.client().get("/openapi.json").json
                let operations = try #require(document["paths"]).object.values.flatMap { path in
                    path.object.values.compactMap { $0["operationId"]?.string }
                }
                #expect(operations.count > 15)
                let missing = "return arguments[0].filter((id) => !document.getElementById(id))"
                #expect(try await page.evaluate(missing, .array(operations.map(JSON.string))) == [])
                // Documents are in folds of their own.
                for _ in 1...2 {
                    try await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
                    try await page.wait(
                        "until all is open",
                        until: "seen('.fold[open]', null).every((each) => each.childElementCount > 1)")
                }
                let schemas = try #require(document["components"]["schemas"]).object.keys
                let shown = try await page.evaluate("return document.querySelectorAll('.schema').length").int
                #expect(shown == schemas.count)
                // The name of a document links to it.
                let dead = """
                    return [...document.querySelectorAll("main a[href^='#']")]
                      .filter((link) => !document.getElementById(link.hash.slice(1))).map(({ hash }) => hash)
                    """
                #expect(try await page.evaluate(dead) == [])
                let isBeside = """
                    const [words, sample] = document.querySelector("#postSessionEvent").children;
                    return sample.getBoundingClientRect().left >= words.getBoundingClientRect().right
                    """
                for (width, height) in [(390, 740), (768, 1_024), (1_000, 800), (1_280, 800), (1_920, 1_080)] {
                    try await page.resize(width: width, height: height)
                    try await page.expectNoOverflow()
                    #expect(try await page.evaluate(isBeside) == .bool(width > 900), "\(width)")
                }
            }
        }

        @Test func axeFindsNothingInWhatIsOpen() async throws {
            try await withReference { page, server in
                try await page.open("\(server.url)/api.html#session=\(try await server.startSession())")
                try await page.click("#getSessionRoute .send")
                try await page.wait(for: "#getSessionRoute .status", text: "200 OK")
                try await page.click("#getSessionRoute-answers summary")
                try await page.evaluate("location.hash = 'schema-UnknownEvent'")
                try await page.wait(for: "#schema-UnknownEvent[open]")
                try await page.press("/")
                try await page.type("session")
                try await page.wait(for: "#results li")
                for look in ["light", "dark", "forced colors"] {
                    try await page.prefer(dark: look == "dark", forcedColors: look == "forced colors")
                    #expect(try await #require(Axe.installed).violations(on: page) == [], "\(look)")
                }
            }
        }

        /// Runs a test with the racing app's server and the page, which has shown its operations.
        private nonisolated(nonsending) func withReference(
            _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Void
        ) async throws {
            try await withVisit(to: "/api.html") { page, server in
                try await page.wait(for: "#getSessionRoute")
                try await body(page, server)
            }
        }
    }
}

extension TestServer {
    fileprivate func startSession() async throws -> String {
        try #require(await client().post("/sessions").json["id"]?.string)
    }
}
