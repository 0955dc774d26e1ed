import CoordinateTesting
import Foundation
import Testing
import WebDriver

extension Inspector {
    /// A journal in a file becomes a session.
    struct JournalFileTests {
        /// Drops a file on the timeline like the browser, or chooses one in its dialog.
        private static let drop = """
            const transfer = new DataTransfer();
            transfer.items.add(new File([arguments[0]], "recorded.ndjson"));
            const area = document.querySelector("#timeline");
            for (const name of ["dragenter", "dragover", "drop"]) {
              area.dispatchEvent(new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }));
            }
            """
        private static let choose = """
            const transfer = new DataTransfer();
            transfer.items.add(new File([arguments[0]], "recorded.ndjson"));
            document.querySelector("#journal-file").files = transfer.files;
            document.querySelector("#journal-file").dispatchEvent(new Event("change", { bubbles: true }));
            """

        @Test func aJournalBecomesASession() async throws {
            try await withInspector(expecting: [422]) { page, server in
                var id = try await page.session()
                let client = server.client()
                try await client.open("/main/drivers")
                try await client.emit("drivers.didSelect", ["driver": "leclerc"])
                let journal = String(decoding: try await client.exportedJournal(), as: UTF8.self)
                try await page.evaluate(Self.drop, .string(journal + "{}\n"))
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains("Line 4"))
                #expect(try await page.session() == id)
                try await page.noteNotices()
                for script in [Self.drop, Self.choose] {
                    // Both notices have the same text. While the first is shown, the second would change nothing.
                    try await page.evaluate(
                        "notices.length = 0; document.querySelector('#notice').textContent = ''")
                    try await page.evaluate(script, .string(journal))
                    try await page.wait(untilLeaving: id)
                    try await page.wait(until: 2)
                    #expect(try await page.sight().title == "Charles Leclerc")
                    try await page.wait(
                        "for a notice",
                        until: "notices.some((each) => each.includes('2 events from recorded.ndjson'))")
                    id = try await page.session()
                    #expect(id != client.sessionID)
                    // Compares everything except the start time.
                    let events = try await server.client(headers: ["Session": id]).journal().events
                    #expect(try await events == client.journal().events)
                    try await page.wait(untilGone: ".dropping")
                }
            }
        }
    }
}
