import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Rows with a value, and with buttons, some of which open forms.
    struct RowTests {
        /// A page with the list of dishes, at version 1.
        private func withDishes(
            size: (width: Int, height: Int) = (1_440, 900), expecting statuses: [Int] = [],
            _ body: (Page, SessionClient) async throws -> Void
        ) async throws {
            try await withInspector(of: FormApp(), size: size, expecting: statuses) { page, server in
                try await page.press("#actions button", text: "Join", version: 1)
                try await page.waitUntilLive()
                try await body(page, server.client(headers: ["Session": try await page.session()]))
            }
        }

        @Test func aRowShowsItsValueAndItsButtons() async throws {
            try await withDishes { page, _ in
                #expect(try await page.texts("#rows .row-value") == ["0", "1"])
                #expect(try await page.texts("#rows [data-row=bread] button") == ["−", "+", "Set"])
                #expect(try await page.texts("#rows .favorite").count == 1)
                let names = try await page.evaluate(
                    "return seen('#rows [data-row=soup] button', null).map(({ ariaLabel }) => ariaLabel)")
                #expect(names == ["−: soup", "+: soup", "Set: soup", "Drop: soup"])
            }
        }

        @Test func aButtonCanBePressedAgainAndAgain() async throws {
            try await withDishes { page, _ in
                try await page.press("[data-row=bread] .row-button", text: "+", version: 2)
                try await page.press(.enter)
                try await page.wait(until: 3)
                #expect(try await page.texts("#rows .row-value") == ["2", "1"])
                #expect(try await page.evaluate("return document.activeElement.ariaLabel") == "+: bread")
                try await page.press("[data-row=soup] .delete", version: 4)
                #expect(try await page.texts("#rows .row-value") == ["2", "0"])
            }
        }

        @Test func aButtonWithAnInputOpensItsFormBelowTheRow() async throws {
            try await withDishes(expecting: [422]) { page, _ in
                try await page.click("#rows [data-row=bread] .row-button", text: "Set")
                try await page.wait(for: "#rows [data-row=bread] form[aria-label='Set: bread']")
                #expect(try await page.texts("#rows .row-button[aria-expanded=true]") == ["Set"])
                #expect(try await page.evaluate("return document.activeElement.name") == "count")
                try await page.type("1.5")
                try await page.press(.enter)
                try await page.wait(for: "#rows .field-error")
                try await page.enter("7", in: "count")
                try await page.press(.enter)
                try await page.wait(until: 2)
                try await page.wait(untilGone: "#rows form")
                #expect(try await page.texts("#rows .row-value") == ["7", "1"])
                #expect(try await page.evaluate("return document.activeElement.ariaLabel") == "Set: bread")
            }
        }

        @Test func aFormBelowARowClosesWithoutSending() async throws {
            try await withDishes { page, client in
                try await page.click("#rows [data-row=bread] .row-button", text: "Set")
                try await page.enter("7", in: "count")
                try await page.press(.escape)
                try await page.wait(untilGone: "#rows form")
                #expect(try await page.evaluate("return document.activeElement.ariaLabel") == "Set: bread")

                try await page.click("#rows [data-row=bread] .row-button", text: "Set")
                #expect(try await page.entries() == ["0"])
                try await page.click("#rows [data-row=soup] .row-button", text: "Set")
                #expect(try await page.texts("#rows form label") == ["How many"])
                #expect(try await page.entries() == ["1"])
                try await page.click("#rows [data-row=soup] .row-button", text: "Set")
                #expect(try await page.texts("#rows form").isEmpty)
                #expect(try await client.route().version == 1)
            }
        }

        @Test func typedTextStaysWhileItsRowExists() async throws {
            try await withDishes { page, client in
                try await page.click("#rows [data-row=bread] .row-button", text: "Set")
                try await page.enter("7", in: "count")
                let more: JSON = ["event": "form.bring", "payload": ["dish": "soup", "count": 5]]
                _ = try await client.post("/events", json: more)
                try await page.wait(until: 2)
                #expect(try await page.texts("#rows .row-value") == ["0", "5"])
                #expect(try await page.entries() == ["7"])
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(for: "body.in-past")
                #expect(try await page.texts("#rows form").isEmpty)
                try await page.click("#now")
                try await page.wait(for: "#rows form")
                #expect(try await page.entries() == ["7"])
                _ = try await client.post("/events", json: ["event": "form.invite"])
                try await page.wait(until: 3)
                #expect(try await page.texts("#rows form").isEmpty)
            }
        }

        @Test func theStyleMakesAModalASheet() async throws {
            try await withDishes { page, _ in
                #expect(try await page.texts("#face.sheet").isEmpty)
                try await page.press("#actions button", text: "Invite", version: 2)
                try await page.wait(for: "#face.sheet")
                #expect(try await page.texts("#actions form label").first == "Name")
                try await page.press("#dismiss", version: 3)
                #expect(try await page.texts("#face.sheet").isEmpty)
            }
        }

        @Test(arguments: [(320, 568), (390, 844), (1_024, 600), (1_440, 900)])
        func aRowFitsThePhone(width: Int, height: Int) async throws {
            try await withDishes(size: (width, height)) { page, _ in
                let isWithin = try await page.evaluate(
                    """
                    const { left, right } = document.getElementById("rows").getBoundingClientRect();
                    return seen("#rows *", null).every((element) => {
                      const bounds = element.getBoundingClientRect();
                      return bounds.left >= left && bounds.right <= right;
                    });
                    """)
                #expect(isWithin == true)
            }
        }
    }
}
