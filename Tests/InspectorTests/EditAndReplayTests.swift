import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// A past event is changed, dropped, or followed by another one, and the session's events are replayed in a fork.
    struct EditAndReplayTests {
        @Test func aChangedEventIsReplayedBesideTheOriginal() async throws {
            try await withThreeEvents { page, server in
                try await page.press("#back", version: 4)
                let id = try await page.session()
                try await page.click("#entries [data-version='2'] .entry-edit")
                try await page.wait(for: "#editor")
                #expect(try await page.texts("#editor-what").first?.contains("teams.didSelect team: ferrari") == true)
                #expect(try await page.value(of: "#editor-field-team") == "ferrari")
                try await page.choose("haas", in: "#editor-field-team")
                try await page.click("#editor-go")
                try await page.wait(untilLeaving: id)
                try await page.wait(for: "#timelines [data-first]")
                #expect(
                    try await page.texts("#compare-counts")
                        == ["Replayed in a new session: 3 events kept, 1 changed. Its work is withheld."])
                #expect(
                    try await page.texts("#timelines-rows td") == [
                        "1 splash.didFinish", "1 splash.didFinish",
                        "2 teams.didSelect team: ferrari → /main/teams/team/ferrari",
                        "2 teams.didSelect team: haas → /main/teams/team/haas",
                        "3 teams.setFavorite team: ferrari → /main/teams/team/ferrari",
                        "3 teams.setFavorite team: ferrari → /main/teams/team/haas",
                        "4 navigation.back", "4 navigation.back",
                    ])
                #expect(try await page.texts("#timelines [data-first] td").last?.contains("haas") == true)
                #expect(try await server.client(headers: ["Session": id]).route().version == 4)
                try await page.click("#compare-close")
                try await page.wait(for: "#withheld")
                try await page.wait(for: "#forked-parent", text: "\(id.prefix(6)), version 4")
            }
        }
    }
}
