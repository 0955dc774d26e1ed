import CoordinateTesting
import Foundation
import Testing
import WebDriver

extension Inspector {
    /// The journal as a file, and its entries as copied text.
    struct JournalFileTests {
        /// Drops a file on the journal like the browser, or chooses one in its dialog.
        private static let drop = """
            const transfer = new DataTransfer();
            transfer.items.add(new File([arguments[0]], "recorded.ndjson"));
            const area = document.querySelector("#journal-pane");
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

        @Test func theWholeJournalIsDownloaded() async throws {
            try await withInspector { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.evaluate(
                    """
                    const original = URL.createObjectURL;
                    URL.createObjectURL = (blob) => {
                      blob.text().then((text) => { window.saved = text; });
                      return original.call(URL, blob);
                    };
                    HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
                    """)
                try await page.click("#journal-more")
                try await page.click("#download")
                let text = try await page.wait("for the file", until: "window.saved").string
                let id = try await page.session()
                let client = server.client(headers: ["Session": id])
                #expect(try await text == String(decoding: client.exportedJournal(), as: UTF8.self))
                #expect(try await page.evaluate("return savedAs") == .string("racing-\(id.prefix(6)).ndjson"))
            }
        }

        @Test(arguments: [drop, choose])
        func aJournalBecomesASession(script: String) async throws {
            try await withInspector { page, server in
                let id = try await page.session()
                let client = server.client()
                try await client.open("/main/drivers")
                try await client.emit("drivers.didSelect", ["driver": "leclerc"])
                let journal = try await client.exportedJournal()
                try await page.noteNotices()
                try await page.evaluate(script, .string(String(decoding: journal, as: UTF8.self)))
                try await page.wait(until: 2)
                #expect(try await page.sight().title == "Charles Leclerc")
                try await page.wait(
                    "for a notice", until: "notices.some((each) => each.includes('2 events from recorded.ndjson'))")
                let imported = try await page.session()
                #expect(imported != id && imported != client.sessionID)
                // Compares everything except the start time.
                let events = try await server.client(headers: ["Session": imported]).journal().events
                #expect(try await events == client.journal().events)
                try await page.wait(untilGone: ".dropping")
            }
        }

        @Test func aFileThatIsNoJournalReportsTheWrongLine() async throws {
            try await withInspector(expecting: [422]) { page, server in
                let id = try await page.session()
                let client = server.client()
                try await client.open("/main/drivers")
                let journal = String(decoding: try await client.exportedJournal(), as: UTF8.self)
                try await page.evaluate(Self.drop, .string(journal + "{}\n"))
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains("Line 3"))
                #expect(try await page.session() == id)
            }
        }

        @Test func anEntryIsCopiedAsALineOfTheJournal() async throws {
            try await withInspector { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                let line = try await page.copied {
                    try await page.click("#journal-more")
                    try await page.click("#copy-line")
                }
                let client = server.client(headers: ["Session": try await page.session()])
                let lines = String(decoding: try await client.exportedJournal(), as: UTF8.self).split(separator: "\n")
                #expect(line == lines[1])
                let command = try await page.copied {
                    try await page.click("#journal-more")
                    try await page.click("#copy-curl")
                }
                #expect(command.contains(#"{"event":"splash.didFinish","at":"AppCoordinator/SplashCoordinator"}"#))
            }
        }

        @Test func theFirstVersionHasNoEventToCopy() async throws {
            try await withInspector { page, _ in
                try await page.click("#journal-more")
                #expect(try await page.texts("#journal-menu button:disabled").count == 2)
            }
        }
    }
}
