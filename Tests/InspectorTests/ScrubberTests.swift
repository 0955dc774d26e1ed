import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Playing the journal. `Tests/page/controls.test.js` has the speeds, and how playing stops.
    struct ScrubberTests {
        @Test func playingShowsEveryVersionAndNewEvents() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.open("/main/teams/team/ferrari")
                for _ in 0..<4 { try await client.emit("navigation.back") }
                try await page.wait(until: 5)
                try await page.evaluate(
                    """
                    window.film = [];
                    new MutationObserver(() => film.push(document.body.dataset.version))
                      .observe(document.body, { attributeFilter: ["data-version"] });
                    """)
                try await page.choose("fast", in: "#speed")
                try await page.hold("version=3")
                try await page.click("#play")
                try await page.wait(for: "#play[aria-label=Pause]")
                try await page.wait("for something to hold", until: "held.length > 0")
                try await client.emit("navigation.back")
                try await page.wait(
                    "for the sixth",
                    until: "document.querySelector('#scrubber').getAttribute('aria-valuetext').endsWith('of 6')")
                try await page.release()
                try await page.wait("for the end", until: "film.at(-1) === '6'")
                try await page.wait(for: "#play[aria-label=Play]")
                let film = "film.filter((version, index) => version !== film[index - 1]).join()"
                #expect(try await page.evaluate("return \(film)") == "0,1,2,3,4,5,6")
                try await page.wait(untilGone: "body.in-past")
                #expect(try await page.value(of: "#scrubber") == "6")
                // The user stops playing, and moves the slider by keyboard.
                try await page.evaluate("film.length = 0")
                try await page.choose("1", in: "#speed")
                try await page.click("#play")
                try await page.wait("for the film", until: "film.includes('0')")
                try await page.click("#now")
                try await page.wait(for: "#play[aria-label=Play]")
                try await page.wait(until: 6)
                try await page.tab(to: "#scrubber")
                try await page.press(.down)
                try await page.wait(until: 5)
            }
        }
    }
}
