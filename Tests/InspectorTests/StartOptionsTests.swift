import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// New sessions, and what an app lets be chosen for them.
    struct StartOptionsTests {
        private static let options: JSON = [
            ["name": "liveResults", "type": "boolean", "default": false],
            ["name": "locale", "type": "string", "default": "en"], ["name": "laps", "type": "integer", "default": 3],
        ]

        @Test func optionsAreOfferedForANewSession() async throws {
            try await withInspector(amending: ["catalog": ["options": Self.options]]) { page, _ in
                let id = try await page.session()
                try await page.click("#connection")
                try await page.click("#session-new")
                try await page.wait(for: "#starter")
                #expect(
                    try await page.texts("#starter label") == ["liveResults boolean", "locale string", "laps integer"])
                try await page.click("#starter [data-field=liveResults]")
                try await page.fill("#starter [data-field=locale]", with: "de")
                try await page.press(.enter)
                try await page.wait("for another session", until: "!location.hash.includes(given[0])", .string(id))
                try await page.wait(untilGone: "#starter")
                try await page.wait(until: 0)
                #expect(
                    try await page.evaluate("return startedWith")
                        == [["liveResults": true, "locale": "de", "laps": 3]])
            }
        }

        @Test func nothingIsStartedWithoutTheForm() async throws {
            try await withInspector(amending: ["catalog": ["options": Self.options]]) { page, _ in
                let id = try await page.session()
                try await page.click("#connection")
                try await page.click("#session-new")
                try await page.click("#starter-cancel")
                try await page.wait(untilGone: "#starter")
                #expect(try await page.session() == id)
                #expect(try await page.evaluate("return startedWith") == [])
            }
        }

        @Test func anOptionThatIsRefusedIsPointedOut() async throws {
            try await withInspector(amending: ["catalog": ["options": Self.options]]) { page, _ in
                try await page.evaluate(
                    """
                    const whole = fetch;
                    fetch = async (path, request) => {
                      if (path !== "/sessions") return whole(path, request);
                      fetch = whole;
                      const problem = { title: "Wrong", detail: "Send a number.", pointer: "/options/laps" };
                      return new Response(JSON.stringify(problem), { status: 422 });
                    };
                    """)
                try await page.click("#connection")
                try await page.click("#session-new")
                try await page.click("#starter-start")
                try await page.wait(for: "#starter-problem")
                #expect(try await page.texts("#starter-problem")[0].contains("Send a number."))
                #expect(try await page.evaluate("return document.activeElement.dataset.field") == "laps")
                try await page.click("#starter-start")
                try await page.wait(untilGone: "#starter")
            }
        }

        @Test func afterASessionHasEndedTheOptionsAreOfferedToo() async throws {
            try await withInspector(amending: ["catalog": ["options": Self.options]]) { page, _ in
                try await page.waitUntilLive()
                try await page.click("#connection")
                try await page.click("#session-end")
                try await page.startAnew()
                try await page.wait(untilGone: "#ended")
                try await page.wait(until: 0)
                let options = try await page.evaluate("return startedWith")
                #expect(options == [["liveResults": false, "locale": "en", "laps": 3]])
            }
        }

        @Test func withoutOptionsASessionStartsAtOnce() async throws {
            try await withInspector(amending: ["catalog": ["options": []]]) { page, _ in
                let id = try await page.session()
                try await page.click("#connection")
                try await page.click("#session-new")
                try await page.wait("for another session", until: "!location.hash.includes(given[0])", .string(id))
                try await page.wait(until: 0)
                #expect(try await page.texts("#starter").isEmpty)
            }
        }
    }
}
