import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The page before a session exists.
    struct FirstVisitTests {
        @Test func theFirstPressCreatesTheSession() async throws {
            try await withVisit { page, server in
                try await page.wait(for: "#screen-title", text: "Formula Racing")
                #expect(try await server.client().get("/sessions").json["sessions"] == [])
                // The phone is never empty, and keeps its size.
                try await page.evaluate(
                    """
                    const phone = document.querySelector("#phone");
                    const size = () => `${phone.offsetWidth} ${phone.offsetHeight}`;
                    window.seen = new Set([size()]);
                    window.isEmpty = false;
                    new MutationObserver(() => {
                      window.seen.add(size());
                      window.isEmpty ||= document.querySelector("#screen-title").textContent === "";
                    }).observe(phone, { childList: true, subtree: true, characterData: true, attributes: true });
                    """)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.waitUntilLive()
                #expect(try await page.evaluate("return [window.seen.size, window.isEmpty]") == [1, false])
                #expect(try await page.sight().entries == ["splash.didFinish"])
                let sessions = try await server.client().get("/sessions").json["sessions"]
                #expect(sessions?.array.map { $0["id"]?.string } == [try await page.session()])
                // The address of the start shows the start again.
                try await page.evaluate("history.back()")
                try await page.wait(for: "#screen-title", text: "Formula Racing")
                #expect(try await server.client().get("/sessions").json["sessions"]?.array.count == 1)
            }
        }

        @Test func theKeyboardKeepsTheFocusInThePhone() async throws {
            try await withVisit { page, server in
                try await page.wait(for: "#actions button", text: "Continue")
                try await page.tab(to: "#actions button")
                try await page.press(.enter)
                try await page.wait(until: 1)
                try await page.waitUntilLive()
                let isInside = "return document.querySelector('#phone').contains(document.activeElement)"
                #expect(try await page.evaluate(isInside) == true)
                try await page.tab(to: "#rows .tap")
                try await page.press(.enter)
                try await page.wait(until: 2)
                #expect(try await page.evaluate(isInside) == true)
            }
        }

        @Test func withoutScriptsThePageLeadsToTheWebPages() async throws {
            try await withVisit(runsScripts: false) { page, server in
                #expect(try await page.texts("a") == ["Open the app as web pages"])
                #expect(try await page.texts("button, input, .pane").isEmpty)
                try await page.click("a", text: "Open the app as web pages")
                try await page.wait(for: "h1", text: "Formula Racing")
            }
        }
    }
}
