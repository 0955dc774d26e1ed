import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Where an event came from that nobody pressed or sent.
    struct OriginTests {
        private static let prices: JSON = [
            "id": "1-1", "name": "prices", "kind": "work", "at": "AppCoordinator/MainCoordinator", "due": .null,
        ]

        /// A page with four events: one of a client, one that work told, one of a timer, one of the host.
        private func withOrigins(pending: JSON, _ body: (Page, TestServer) async throws -> Void) async throws {
            let amendments: JSON = [
                "routes": ["1": ["pending": pending]],
                "entries": [
                    "1": ["origin": "client", "pending": .null], "2": ["origin": "work", "pending": "1-1"],
                    "3": ["origin": "timer", "pending": "1-2"], "4": ["origin": "host", "pending": .null],
                ],
                "events": ["teams.didSelect": ["origin": "app"]],
            ]
            try await withInspector(amending: amendments) { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await body(page, server)
            }
        }

        @Test func theJournalSaysWhereAnEventCameFrom() async throws {
            try await withOrigins(pending: []) { page, _ in
                try await page.press("#actions button", text: "Add to favorites", version: 3)
                try await page.press("#back", version: 4)
                let origin = { (version: Int) in
                    try await page.texts("#entries [data-version='\(version)'] .entry-origin")
                }
                #expect(try await origin(1).isEmpty)
                #expect(try await origin(2) == ["from work 1-1"])
                #expect(try await origin(3) == ["from timer 1-2"])
                #expect(try await origin(4) == ["from the host"])
            }
        }

        @Test func theStorySaysWhichWorkToldAnEvent() async throws {
            try await withOrigins(pending: [Self.prices]) { page, _ in
                #expect(try await page.texts("#story-origin") == ["The work prices, asked for at version 1, emitted"])
                #expect(try await page.texts("#story-event") == ["teams.didSelect"])
                let announced = try await page.evaluate("return document.querySelector('#announcer').textContent")
                let sentence =
                    "The work prices, asked for at version 1, emitted teams.didSelect, handled by MainCoordinator."
                #expect(announced.string?.contains(sentence) == true)
                try await page.press("#actions button", text: "Add to favorites", version: 3)
                #expect(try await page.texts("#story-origin") == ["The timer 1-2, set at version 1, emitted"])
                try await page.press("#back", version: 4)
                #expect(try await page.texts("#story-origin") == ["The host emitted"])
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                #expect(try await page.texts("#story-origin") == ["Event"])
            }
        }

        @Test func whereTheNameIsNotKnownTheStorySaysTheID() async throws {
            try await withOrigins(pending: []) { page, _ in
                let origin = try await page.texts("#story-origin")
                #expect(origin == ["The work 1-1, asked for at version 1, emitted"])
            }
        }

        @Test func anEventThatOnlyTheAppEmitsIsNotToBeCopied() async throws {
            try await withOrigins(pending: []) { page, _ in
                try await page.wait(untilGone: "#entries [data-version='2'] .entry-copy")
                #expect(try await page.texts("#entries [data-version='1'] .entry-copy").count == 1)
                try await page.click("#entries [data-version='2'] .entry-json")
                try await page.wait(for: "#raw-curl:disabled")
                try await page.click("#raw-route")
                try await page.wait(for: "#raw-curl:enabled")
            }
        }

        @Test func onANarrowScreenTheOriginIsASignWithAText() async throws {
            try await withOrigins(pending: [Self.prices]) { page, _ in
                try await page.resize(width: 360, height: 740)
                #expect(try await page.texts("#story-icon").count == 1)
                #expect(try await page.texts("#story-origin") == ["The work prices, asked for at version 1, emitted"])
            }
        }
    }
}
