import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Rows with a value, and with buttons, some of which open forms. `Tests/page/screen.test.js` has their parts.
    struct RowTests {
        /// A page with the list of dishes, at version 1.
        private func withDishes(
            expecting statuses: [Int] = [], _ body: (Page, SessionClient) async throws -> Void
        ) async throws {
            try await withInspector(of: FormApp(), expecting: statuses) { page, server in
                try await page.press("#actions button", text: "Join", version: 1)
                try await page.waitUntilLive()
                try await body(page, server.client(headers: ["Session": try await page.session()]))
            }
        }

        @Test func buttonsAndFormsOfARowAreUsedByKeyboard() async throws {
            try await withDishes(expecting: [422]) { page, client in
                let focused = { try await page.evaluate("return document.activeElement.ariaLabel") }
                #expect(try await page.texts("#rows .row-value") == ["0", "1"])
                try await page.press("[data-row=bread] .row-button", text: "+", version: 2)
                try await page.press(.enter)
                try await page.wait(until: 3)
                #expect(try await page.texts("#rows .row-value") == ["2", "1"])
                #expect(try await focused() == "+: bread")
                try await page.press("[data-row=soup] .delete", version: 4)
                #expect(try await page.texts("#rows .row-value") == ["2", "0"])

                try await page.click("#rows [data-row=bread] .row-button", text: "Set")
                try await page.wait(for: "#rows [data-row=bread] form[aria-label='Set: bread']")
                #expect(try await page.evaluate("return document.activeElement.name") == "count")
                try await page.type("1.5")
                try await page.press(.enter)
                try await page.wait(for: "#rows .field-error")
                // Others use the session meanwhile.
                _ = try await client.post(
                    "/events", json: ["event": "form.bring", "payload": ["dish": "soup", "count": 5]])
                try await page.expect("#rows .row-value", shows: ["2", "5"])
                #expect(try await page.entries() == ["1.5"])
                try await page.enter("7", in: "count")
                try await page.press(.enter)
                try await page.wait(untilGone: "#rows form")
                try await page.expect("#rows .row-value", shows: ["7", "5"])
                #expect(try await focused() == "Set: bread")
                try await page.press(.enter)
                try await page.wait(for: "#rows form")
                try await page.press(.escape)
                try await page.wait(untilGone: "#rows form")
                #expect(try await focused() == "Set: bread")
            }
        }

        @Test func imagesAreSeenBesideTheWordsOfTheirRows() async throws {
            try await withInspector(of: GalleryApp()) { page, _ in
                #expect(try await page.texts("#rows .section-title") == ["Red", "Others"])
                #expect(try await page.texts("#rows .section-footer") == ["Two of them have a color of their own."])
                #expect(try await page.texts("#rows .row-title").count == 5)
                try await page.wait(
                    "for the picture", until: "document.querySelector('#rows img')?.naturalWidth > 0")
                let places = try await page.evaluate(
                    """
                    return seen("#rows .row:has(.image)", null).map((row) => {
                      const [image, words] = [".row-image", ".row-words"].map((each) => row.querySelector(each).getBoundingClientRect());
                      return image.width > 30 && image.width === image.height && image.right < words.left;
                    });
                    """)
                #expect(places == [true, true, true, true, true])
                let colors = try await page.evaluate(
                    """
                    const style = (row) => getComputedStyle(document.querySelector(`[data-row=${row}] .image`));
                    return [
                      style("number").backgroundColor, style("number").color, style("bright").color, style("symbol").stroke,
                    ];
                    """)
                #expect(colors == ["rgb(232, 0, 45)", "rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(39, 244, 210)"])
                #expect(try await page.texts("#tabs .tab-glyph") == ["C"])
                try await page.press("#actions button", text: "Delete all", version: 1)
                #expect(try await page.texts("#rows .row, #screen-empty") == ["There are no cars."])
            }
        }

        @Test func rowsAndTheFormOfASheetFitThePhone() async throws {
            try await withDishes { page, _ in
                let isWithin = """
                    const screen = document.getElementById("screen");
                    const { left, right } = screen.getBoundingClientRect();
                    return screen.scrollWidth <= screen.clientWidth && seen("#rows *, #phone .form *", null).every((element) => {
                      const bounds = element.getBoundingClientRect();
                      return bounds.left >= left && bounds.right <= right;
                    });
                    """
                let checkSizes = {
                    for (width, height) in [(320, 568), (390, 844), (1_024, 600), (1_440, 900)] {
                        try await page.resize(width: width, height: height)
                        #expect(try await page.evaluate(isWithin) == true, "\(width)")
                    }
                }
                try await checkSizes()
                try await page.press("#actions button", text: "Invite", version: 2)
                try await page.wait(for: "#face.sheet #actions form")
                try await page.enter("80", in: "zip")
                try await page.press("#actions [type=submit]", version: 3)
                try await checkSizes()
                try await page.press("#dismiss", version: 4)
                try await page.wait(untilGone: "#face.sheet")
            }
        }
    }
}
