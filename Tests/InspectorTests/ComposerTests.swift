import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The composer: finding events, and remembering payloads.
    struct ComposerTests {
        @Test func anEventIsFoundByTyping() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.click("#compose")
                try await page.wait(for: "#composer-find:focus")
                try await page.type("fav team")
                try await page.wait(for: "#composer-found", text: "2 of 19 events")
                let event = { try await page.evaluate("return document.querySelector('#composer-event').value") }
                #expect(try await event() == "teams.setFavorite")
                try await page.press(.down)
                #expect(try await event() == "teams.unsetFavorite")
                try await page.press(.up)
                // If nothing matches, nothing is selected, and nothing can be sent.
                try await page.type("x")
                try await page.wait(for: "#composer-found", text: "No events match.")
                #expect(try await event() == "")
                try await page.wait(for: "#composer-send:disabled")
                try await page.evaluate("document.querySelector('#composer-find').select()")
                try await page.type("set fav team")
                try await page.wait(for: "#composer-send:enabled")
                try await page.press(.enter)
                try await page.wait(for: "#composer-field-team:focus")
                try await page.choose("haas", in: "#composer-field-team")
                try await page.click("#composer-send")
                try await page.wait(until: 2)
                #expect(try await page.texts("#rows [data-row=haas] .favorite").count == 1)
            }
        }

        @Test func theLastPayloadIsOfferedAgain() async throws {
            try await withInspector { page, _ in
                try await page.compose("profile.rename", ["name": "Anna"])
                // The payload is remembered when the answer arrives.
                try await page.wait(untilGone: "#composer")
                try await page.wait(until: 1)
                try await page.evaluate("document.body.dataset.version = 'old'; location.reload()")
                try await page.wait(until: 1)
                try await page.click("#compose")
                try await page.choose("profile.rename", in: "#composer-event")
                let name = "return document.querySelector('#composer-field-name').value"
                #expect(try await page.evaluate(name) == "Anna")
            }
        }

        @Test func aSlowPressIsShownAsBusy() async throws {
            try await withInspector { page, _ in
                try await page.waitUntilLive()
                try await page.evaluate(
                    """
                    const send = window.fetch;
                    window.fetch = (...request) => new Promise((resolve) => {
                      window.release = () => { window.fetch = send; resolve(send(...request)); };
                    });
                    """)
                try await page.click("#actions button", text: "Continue")
                try await page.wait(for: "#actions button[aria-busy=true]")
                try await page.evaluate("release()")
                try await page.wait(until: 1)
                try await page.wait(untilGone: "[aria-busy=true]")
            }
        }
    }
}
