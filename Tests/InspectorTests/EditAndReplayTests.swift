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
                try await page.pressTool("edit", of: 2)
                try await page.wait(for: "#editor")
                #expect(try await page.texts("#editor-what").first?.contains("teams.didSelect team: ferrari") == true)
                #expect(try await page.value(of: "#editor-field-team") == "ferrari")
                try await page.choose("haas", in: "#editor-field-team")
                try await page.click("#editor-go")
                try await page.wait(untilLeaving: id)
                try await page.wait(for: "#timeline-sentence", text: "Replayed 4 events. 2 differ.")
                try await page.expect("#other-frames .frame-number", shows: ["2", "3", "4"])
                for lane in ["frames", "other-frames"] {
                    try await page.expect("#\(lane) [data-outline=differs] .frame-number", shows: ["2", "3"])
                }
                #expect(try await server.client(headers: ["Session": id]).route().version == 4)
                // The arrow keys lead from one lane to the other.
                try await page.tab(to: "#frames .frame-travel")
                try await page.press(.up)
                try await page.press(.enter)
                try await page.wait(until: 4)
                #expect(try await page.session() == id)
                // The fork starts after the step before the edit.
                try await page.click("#frames [data-version='1'] .frame-fork")
                try await page.wait(for: "#timeline-sentence")
                try await page.click("#timeline-close")
                try await page.wait(untilGone: "#other-frames .frame")
                try await page.expect("#forked-parent", shows: ["\(id.prefix(6)), step 4"])
            }
        }

        @Test func aDroppedEventLeavesAGap() async throws {
            try await withThreeEvents { page, _ in
                let id = try await page.session()
                try await page.pressTool("edit", of: 2)
                try await page.click("#editor-drop")
                try await page.click("#editor-go")
                try await page.wait(untilLeaving: id)
                try await page.expect("#frames .gap", shows: ["Dropped"])
                try await page.wait("for the sentence", until: "seen('#timeline-sentence', null)[0]?.textContent")
            }
        }
    }
}
