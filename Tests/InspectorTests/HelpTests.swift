import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The page's help, and the API reference.
    struct HelpTests {
        @Test func aKeyOpensTheHelp() async throws {
            try await withInspector { page, _ in
                // In a text field, the key is a character.
                try await page.fill("#address", with: "/main?")
                #expect(try await page.texts("#help").isEmpty)
                try await page.press(.escape)
                try await page.press(.escape)
                try await page.evaluate("document.activeElement.blur()")
                try await page.press("?")
                try await page.wait(for: "#help-close:focus")
                let keys = try await page.texts("#help-keys dt")
                for key in ["?", "Esc", "↑", "EnterSpace", "+="] { #expect(keys.contains(key)) }
                try await page.press(.escape)
                try await page.wait(untilGone: "#help")
                try await page.click("#open-help")
                try await page.click("#help-home")
                try await page.wait(for: "#home-list .session")
                #expect(try await page.texts("#help").isEmpty)
            }
        }

        @Test func aRequestIsTriedOnTheShownSession() async throws {
            try await withInspector { page, server in
                let session = try await page.session()
                try await page.click("#open-help")
                try await page.click("#help-api")
                try await page.click("#postSessionEvent summary")
                let form = "#postSessionEvent .tryout"
                try await page.wait(for: form)
                #expect(try await page.value(of: "\(form) [data-session]") == session)
                try await page.fill("\(form) textarea", with: #"{"event": "splash.didFinish"}"#)
                try await page.wait(
                    for: "\(form) .tryout-command",
                    text: #"curl --json '{"event": "splash.didFinish"}' '\#(server.url)/sessions/\#(session)/events'"#)
                try await page.click("\(form) [type=submit]")
                try await page.wait(
                    "for the outcome", until: "JSON.parse(seen(given[0], null)[0]?.textContent || null)?.version === 1",
                    .string("\(form) .tryout-answer"))
                #expect(try await page.texts("\(form) .tryout-status") == ["200 OK"])
                try await page.click("#back")
                try await page.wait(until: 1)
                #expect(try await page.session() == session)
            }
        }

        @Test func aStreamIsShownUntilItIsStopped() async throws {
            try await withInspector { page, server in
                let session = try await page.session()
                try await page.open("\(server.url)/api.html#session=\(session)")
                try await page.click("#getSessionEvents summary")
                let form = "#getSessionEvents .tryout"
                try await page.choose("text/event-stream", in: "#try-getSessionEvents-accept")
                try await page.click("\(form) [type=submit]")
                let holds = "seen('#getSessionEvents .tryout-answer', null)[0]?.textContent.includes(given[0])"
                try await page.wait("for the stream", until: holds, #""version":0"#)
                _ = try await server.client().post("/sessions/\(session)/events", json: ["event": "splash.didFinish"])
                try await page.wait("for the next message", until: holds, #""version":1"#)
                try await page.click("\(form) button", text: "Stop")
                try await page.wait(untilGone: "\(form) button:nth-of-type(2)")
                #expect(try await page.texts("\(form) .tryout-status")[0].hasSuffix("Stopped."))
            }
        }

        @Test func theWholeDescriptionIsShown() async throws {
            try await withRacing { server in
                try await withPage { page in
                    try await page.open("\(server.url)/api.html")
                    let document = try await server.client().get("/openapi.json").json
                    try await page.wait(for: "#getSessionRoute")
                    let operations = try #require(document["paths"]).object.values.flatMap { path in
                        path.object.values.compactMap { $0["operationId"]?.string }
                    }
                    #expect(operations.count > 15)
                    for operation in operations {
                        try await page.evaluate("document.getElementById(arguments[0]).open = true", .string(operation))
                        try await page.wait(for: "#\(operation) .tryout")
                    }
                    let schemas = try #require(document["components"]["schemas"]).object.keys
                    #expect(try await page.texts(".schema h3").sorted() == schemas.sorted())
                    // The name of a document links to it.
                    let dead = """
                        return [...document.querySelectorAll("main a[href^='#']")]
                          .filter((link) => !document.getElementById(link.hash.slice(1))).map(({ hash }) => hash)
                        """
                    #expect(try await page.evaluate(dead) == [])
                    for (width, height) in [(360, 740), (1_280, 800)] {
                        try await page.resize(width: width, height: height)
                        try await page.expectNoOverflow()
                    }
                }
            }
        }
    }
}
