import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Playing the journal.
    struct ScrubberTests {
        /// A session with five events. `window.film` records every version that the page shows from then on.
        private func withFilm(_ body: (Page, SessionClient) async throws -> Void) async throws {
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
                try await body(page, client)
            }
        }

        private func film(_ page: Page) async throws -> [String] {
            var film: [String] = []
            for version in try await page.evaluate("return film").array.compactMap(\.string)
            where version != film.last { film.append(version) }
            return film
        }

        @Test(arguments: ["fast", "4", "1"])
        func playingStartsAtTheBeginningAtAnySpeed(speed: String) async throws {
            try await withFilm { page, _ in
                try await page.choose(speed, in: "#speed")
                try await page.click("#play")
                try await page.wait("for the end", until: "film.at(-1) === '5'")
                try await page.wait(for: "#play[aria-label=Play]")
                #expect(try await film(page) == ["0", "1", "2", "3", "4", "5"])
                try await page.wait(untilGone: "body.in-past")
                #expect(try await page.evaluate("return document.querySelector('#scrubber').value") == "5")
            }
        }

        @Test func playingStartsAtTheShownVersion() async throws {
            try await withFilm { page, _ in
                try await page.click("#entries [data-version='2'] .entry-travel")
                try await page.wait(until: 2)
                try await page.choose("fast", in: "#speed")
                try await page.click("#play")
                try await page.wait("for the end", until: "film.at(-1) === '5'")
                #expect(try await film(page) == ["2", "3", "4", "5"])
            }
        }

        @Test(arguments: ["#play", "#now", "#entries [data-version='4'] .entry-travel"])
        func theUserCanStopPlaying(button: String) async throws {
            try await withFilm { page, _ in
                // Playing does not end by itself.
                try await page.hold("version=3")
                try await page.click("#play")
                try await page.wait("for the film", until: "film.includes('0')")
                try await page.wait(for: "#play[aria-label=Pause]")
                try await page.click(button)
                // It can have reached the held version.
                try await page.evaluate("for (const each of held.splice(0)) each();")
                try await page.wait(for: "#play[aria-label=Play]")
            }
        }

        @Test func newEventsArePlayedAsWell() async throws {
            try await withFilm { page, client in
                try await page.click("#play")
                try await page.wait("for the film", until: "film.includes('1')")
                try await client.emit("navigation.back")
                try await page.wait(
                    "for the sixth",
                    until: "document.querySelector('#scrubber').getAttribute('aria-valuetext').endsWith('of 6')")
                try await page.choose("fast", in: "#speed")
                try await page.wait("for the end", until: "film.at(-1) === '6'")
                #expect(try await film(page) == ["0", "1", "2", "3", "4", "5", "6"])
            }
        }

        @Test func aNewSpeedAppliesFromTheNextVersion() async throws {
            try await withFilm { page, _ in
                try await page.choose("4", in: "#speed")
                try await page.hold("version=2")
                try await page.click("#play")
                try await page.wait("for something to hold", until: "held.length > 0")
                try await page.choose("fast", in: "#speed")
                try await page.release()
                try await page.wait("for the end", until: "film.at(-1) === '5'")
                #expect(try await film(page) == ["0", "1", "2", "3", "4", "5"])
            }
        }

        @Test func theSliderLeadsToAnyVersion() async throws {
            try await withFilm { page, _ in
                let slide = """
                    const slider = document.querySelector("#scrubber");
                    slider.value = arguments[0];
                    slider.dispatchEvent(new Event("input", { bubbles: true }));
                    """
                try await page.evaluate(slide, 3)
                try await page.wait(until: 3)
                #expect(
                    try await page.evaluate("return document.querySelector('#scrubber').ariaValueText")
                        == "Version 3 of 5")
                // Of several versions in a row, the last one counts.
                for version in [4, 2, 0, 1] { try await page.evaluate(slide, .int(version)) }
                try await page.wait(until: 1)
                try await page.tab(to: "#scrubber")
                try await page.press(.down)
                try await page.wait(until: 0)
                try await page.click("#now")
                try await page.wait(until: 5)
                #expect(try await page.evaluate("return document.querySelector('#scrubber').value") == "5")
            }
        }

        @Test func aNewSessionHasNothingToPlay() async throws {
            try await withInspector { page, _ in
                #expect(try await page.texts("#play:disabled").count == 1)
                #expect(try await page.evaluate("return document.querySelector('#scrubber').disabled") == true)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.wait(for: "#play:enabled")
            }
        }
    }
}
