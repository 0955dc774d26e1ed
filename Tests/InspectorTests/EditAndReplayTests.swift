import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// A past event is changed, dropped, or followed by another one, and the session's events are replayed in a fork.
    struct EditAndReplayTests {
        /// A session that marks a team and goes back to the list.
        private func withFourEvents(
            expecting expected: [Int] = [], _ body: (Page, TestServer) async throws -> Void
        ) async throws {
            try await withThreeEvents(expecting: expected) { page, server in
                try await page.press("#back", version: 4)
                try await body(page, server)
            }
        }

        private func edit(_ version: Int, _ page: Page) async throws {
            try await page.click("#entries [data-version='\(version)'] .entry-edit")
            try await page.wait(for: "#editor")
        }

        /// Replays, and waits for the fork and both timelines.
        private func replay(_ page: Page) async throws {
            let id = try await page.session()
            try await page.click("#editor-go")
            try await page.wait("for the fork", until: "!location.hash.includes(given[0])", .string(id))
            try await page.wait(for: "#timelines [data-first]")
        }

        /// The rows of both timelines: `left | right`.
        private func rows(_ page: Page) async throws -> [String] {
            try await page.evaluate(
                "return seen('#timelines-rows tr', null).map((row) => [...row.cells].map(said).join(' | '))"
            ).array.compactMap(\.string)
        }

        @Test func aChangedEventIsReplayedBesideTheOriginal() async throws {
            try await withFourEvents { page, server in
                let id = try await page.session()
                try await edit(2, page)
                #expect(try await page.texts("#editor-what").first?.contains("teams.didSelect team: ferrari") == true)
                #expect(
                    try await page.evaluate("return document.querySelector('#editor-field-team').value") == "ferrari")
                try await page.choose("haas", in: "#editor-field-team")
                try await replay(page)
                #expect(
                    try await page.texts("#compare-counts")
                        == ["Replayed in a new session: 3 events kept, 1 changed. Its work is withheld."])
                #expect(
                    try await rows(page) == [
                        "1 splash.didFinish | 1 splash.didFinish",
                        "2 teams.didSelect team: ferrari → /main/teams/team/ferrari | "
                            + "2 teams.didSelect team: haas → /main/teams/team/haas",
                        "3 teams.setFavorite team: ferrari → /main/teams/team/ferrari | "
                            + "3 teams.setFavorite team: ferrari → /main/teams/team/haas",
                        "4 navigation.back | 4 navigation.back",
                    ])
                #expect(try await page.texts("#timelines [data-first] td").last?.contains("haas") == true)
                #expect(try await server.client(headers: ["Session": id]).route().version == 4)
                try await page.click("#compare-close")
                try await page.wait(for: "#withheld")
                try await page.wait(for: "#forked-parent", text: "\(id.prefix(6)), version 4")
            }
        }

        @Test func aDroppedEventIsMissingInTheFork() async throws {
            try await withFourEvents { page, _ in
                try await edit(3, page)
                try await page.click("#editor-drop")
                try await page.wait(untilGone: "#editor-event")
                try await replay(page)
                #expect(
                    try await rows(page) == [
                        "2 teams.didSelect team: ferrari | 2 teams.didSelect team: ferrari",
                        "3 teams.setFavorite team: ferrari → /main/teams/team/ferrari | Dropped",
                        "4 navigation.back | 3 navigation.back",
                    ])
                #expect(try await page.texts("#compare-words li").contains("Profile badge 1 → 0"))
            }
        }

        @Test func anEventIsInsertedAfterAnother() async throws {
            try await withFourEvents { page, _ in
                try await edit(4, page)
                try await page.click("#editor-insert")
                try await page.choose("teams.didSelect", in: "#editor-event")
                try await page.choose("alpine", in: "#editor-field-team")
                try await replay(page)
                try await page.click("#compare-close")
                try await page.wait(until: 5)
                #expect(try await page.sight().path == "/main/teams/team/alpine")
            }
        }

        @Test func atTheStartAnEventCanOnlyBeInserted() async throws {
            try await withFourEvents { page, _ in
                try await edit(0, page)
                let disabled =
                    "return ['change', 'drop', 'insert'].map((kind) => document.querySelector(`#editor-${kind}`).disabled)"
                #expect(try await page.evaluate(disabled) == [true, true, false])
                try await page.press(.escape)
                try await page.wait(untilGone: "#editor")
            }
        }

        @Test func anInvalidPayloadIsMarkedAndKeptAndLeavesNoFork() async throws {
            try await withFourEvents { page, server in
                let id = try await page.session()
                let long = String(repeating: "x", count: 81)
                try await edit(4, page)
                try await page.click("#editor-insert")
                try await page.choose("profile.rename", in: "#editor-event")
                try await page.fill("#editor-field-name", with: long)
                try await page.click("#editor-go")
                try await page.wait(for: "#editor-problem .problem-pointer", text: "At /payload/name")
                let field = "const field = document.querySelector('#editor-field-name');"
                #expect(
                    try await page.evaluate(field + "return [field.value, field.ariaInvalid, field.matches(':focus')]")
                        == [.string(long), "true", true])
                #expect(try await page.session() == id)
                #expect(try await server.client().get("/sessions").json["sessions"]?.array.count == 1)
                try await page.evaluate(field + "field.select()")
                try await page.type("Ada")
                try await page.wait(untilGone: "#editor-problem")
                try await replay(page)
                #expect(try await rows(page).last == " | 5 profile.rename name: Ada → /main/teams, not handled")
            }
        }

        @Test func aPayloadThatDoesNotFitIsMarkedInItsForm() async throws {
            try await withInspector(of: ParcelApp(), expecting: [422]) { page, _ in
                try await page.compose("parcels.weigh", ["weight": "1.5"])
                try await page.wait(until: 1)
                try await edit(1, page)
                try await page.choose("parcels.send", in: "#editor-event")
                try await page.fill("#editor-field-items", with: "no JSON")
                try await page.click("#editor-go")
                try await page.wait(for: "#editor-problem")
                #expect(
                    try await page.evaluate("return document.querySelector('#editor-field-items').value") == "no JSON")
            }
        }

        @Test func eventsThatAreNoLongerAcceptedAreNamedWithTheReason() async throws {
            try await withInspector { page, server in
                let id = try await server.session(["options": ["liveResults": true]])
                let client = server.client(headers: ["Session": id])
                for (event, payload) in [("splash.didFinish", [:]), ("drivers.didSelect", ["driver": "leclerc"])]
                    as [(String, JSON)]
                {
                    try await client.emit(event, payload)
                }
                try await client.settle()
                try await page.evaluate("location.hash = `#session=${arguments[0]}`", .string(id))
                try await page.wait(until: 3)
                try await edit(2, page)
                try await page.click("#editor-drop")
                try await replay(page)
                #expect(
                    try await page.texts("#compare-counts")
                        == ["Replayed in a new session: 1 event kept, 1 dropped, 1 not accepted. Its work is withheld."]
                )
                let refused = try #require(try await page.texts("#compare-refused li").first)
                #expect(refused.hasPrefix("Version 3 was not accepted. "))
                #expect(try await rows(page).last?.contains("Not accepted: ") == true)
            }
        }
    }
}
