import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Forms on the phone: filling in, refusals, and keeping input while others use the session.
    struct FormTests {
        private static let password = "swordfish 7"

        private func withForm(
            size: (width: Int, height: Int) = (1_440, 900), expecting statuses: [Int] = [],
            _ body: (Page, SessionClient) async throws -> Void
        ) async throws {
            try await withInspector(of: FormApp(), size: size, expecting: statuses) { page, server in
                try await page.waitUntilLive()
                try await body(page, server.client(headers: ["Session": try await page.session()]))
            }
        }

        @Test func aFormHasAFieldForEachInput() async throws {
            try await withForm { page, _ in
                #expect(
                    try await page.texts("#actions .form label")
                        == ["Name", "Zip", "Country", "Guests", "Newsletter", "Password"])
                let types = try await page.evaluate(
                    "return [...document.querySelectorAll('#phone [data-field]')].map(({ type }) => type)")
                #expect(types == ["text", "text", "select-one", "number", "checkbox", "password"])
                let required = try await page.evaluate(
                    "return [...document.querySelectorAll('#phone [aria-required]')].map(({ name }) => name)")
                #expect(required == ["name", "zip", "country", "password"])
                let choices = try await page.evaluate(
                    "return [...document.querySelectorAll('#phone option')].map(({ label, value }) => `${label} ${value}`)"
                )
                #expect(choices == ["Switzerland ch", "Germany de", "France fr"])
                #expect(try await page.entries() == ["", "8001", "ch", "", "false", ""])
                #expect(try await page.texts("#actions button") == ["Join"])
                #expect(try await page.texts("#phone.bare").isEmpty)
            }
        }

        @Test func enteredValuesAreSentInThePayload() async throws {
            try await withForm { page, client in
                try await page.enter("Ada", in: "name")
                try await page.choose("de", in: "#phone [data-field=country]")
                try await page.enter("3", in: "guests")
                try await page.click("#phone [data-field=newsletter]")
                try await page.press(.enter)
                try await page.wait(until: 1)
                let entry = try await client.get("/events").json["events"]?[0]
                #expect(entry?["event"] == "form.join")
                #expect(
                    entry?["payload"] == [
                        "name": "Ada", "zip": "8001", "country": "de", "guests": 3, "newsletter": true,
                    ])
                #expect(try await page.sight().title == "Dishes")
                #expect(try await page.evaluate("return document.activeElement.id") == "screen-title")
            }
        }

        @Test func aRefusalIsShownAtItsField() async throws {
            try await withForm { page, _ in
                try await page.enter("Ada", in: "name")
                try await page.enter("80", in: "zip")
                try await page.press("#actions button", text: "Join", version: 1)
                try await page.wait(for: "#phone .field-error", text: "has four digits")
                // The stream can be faster than the answer, which completes the form.
                try await page.wait("for the answer", until: "document.activeElement.name === 'zip'")
                #expect(
                    try await page.evaluate(
                        """
                        const { activeElement: zip } = document;
                        return [zip.name, zip.ariaInvalid, said(document.getElementById(zip.getAttribute("aria-describedby")))];
                        """) == ["zip", "true", "has four digits"])
                #expect(try await page.entries() == ["Ada", "80", "ch", "", "false", ""])
                try await page.enter("8002", in: "zip")
                try await page.press(.enter)
                try await page.wait(until: 2)
                #expect(try await page.texts(".field-error").isEmpty)
            }
        }

        @Test func typedTextStaysWhileOthersUseTheSession() async throws {
            try await withForm { page, client in
                try await page.enter("Ada", in: "name")
                _ = try await client.post("/events", json: ["event": "form.drop", "payload": ["dish": "soup"]])
                try await page.wait(until: 1)
                #expect(try await page.entries().first == "Ada")
                #expect(try await page.evaluate("return document.activeElement.name") == "name")

                let join: JSON = [
                    "name": "", "zip": "90", "country": "fr", "newsletter": true, "password": "other",
                ]
                _ = try await client.post("/events", json: ["event": "form.join", "payload": join])
                try await page.wait(until: 2)
                #expect(try await page.entries() == ["Ada", "90", "fr", "", "true", ""])
                #expect(try await page.evaluate("return document.activeElement.name") == "name")
            }
        }

        @Test func typedTextStaysWhileThePastIsShown() async throws {
            try await withForm { page, client in
                _ = try await client.post("/events", json: ["event": "form.drop", "payload": ["dish": "soup"]])
                try await page.wait(until: 1)
                try await page.enter("Ada", in: "name")
                try await page.enter(Self.password, in: "password")
                try await page.click("#entries [data-version='0'] .entry-travel")
                try await page.wait(for: "body.in-past")
                #expect(try await page.entries() == ["", "8001", "ch", "", "false", ""])
                #expect(
                    try await page.texts("#phone :is(input, select, button):enabled").isEmpty)
                try await page.click("#now")
                try await page.wait(untilGone: "body.in-past")
                #expect(try await page.entries() == ["Ada", "8001", "ch", "", "false", ""])
                #expect(try await page.texts("#phone :disabled").isEmpty)
            }
        }

        @Test func aSecretIsClearedAfterSending() async throws {
            try await withForm { page, _ in
                try await page.enter("80", in: "zip")
                try await page.enter(Self.password, in: "password")
                try await page.press("#actions button", text: "Join", version: 1)
                try await page.wait(for: "#phone .field-error")
                // The answer clears it. The stream can be faster.
                let password = "document.querySelector('#phone [data-field=password]')"
                try await page.wait("for the password to go", until: "\(password).value === ''")
                #expect(try await page.entries().last == "")
                let command = try await page.copied { try await page.click("#entries [data-version='1'] .entry-copy") }
                #expect(command.contains(#""password":"<password>""#))
                #expect(
                    try await page.evaluate("return document.documentElement.outerHTML.includes('\(Self.password)')")
                        == false)
            }
        }

        @Test func aSecretIsClearedWithItsForm() async throws {
            try await withForm { page, client in
                try await page.enter(Self.password, in: "password")
                try await page.evaluate("window.field = document.querySelector('#phone [data-field=password]')")
                let join: JSON = ["name": "", "zip": "8002", "country": "fr", "newsletter": true, "password": ""]
                _ = try await client.post("/events", json: ["event": "form.join", "payload": join])
                try await page.wait(until: 1)
                #expect(try await page.evaluate("return [field.isConnected, field.value]") == [false, ""])
            }
        }

        @Test func theProfileIsEditedByTyping() async throws {
            try await withInspector(expecting: [422]) { page, _ in
                try await page.openPath("/main/profile")
                try await page.wait(until: 1)
                try await page.press("#actions button", text: "Edit profile", version: 2)
                #expect(try await page.entries() == ["Coordinate Ambassador"])
                try await page.enter(String(repeating: "x", count: 81), in: "name")
                try await page.press(.enter)
                try await page.wait(for: "#phone [data-field=name][aria-invalid]")
                let error = try await page.texts("#phone .field-error")
                #expect(error.first?.contains("1 to 80 characters") == true)
                #expect(try await page.texts("#problem").isEmpty)

                try await page.enter("Zoë", in: "name")
                #expect(try await page.texts("#phone .field-error").isEmpty)
                try await page.press("#actions button", text: "Save", version: 3)
                #expect(try await page.sight().title == "Zoë")
                #expect(try await page.sight().entries.first == "profile.rename")
            }
        }

        @Test func aFormIsReadOnlyAfterItsSessionHasEnded() async throws {
            try await withForm { page, client in
                try await page.enter(Self.password, in: "password")
                _ = try await client.delete("/sessions/\(try await page.session())")
                try await page.wait(for: "#ended")
                #expect(try await page.texts("#phone :is(input, select, button):enabled").isEmpty)
                #expect(try await page.entries() == ["", "8001", "ch", "", "false", ""])
            }
        }

        @Test(arguments: [(320, 568), (390, 844), (1_024, 600), (1_440, 900)])
        func aFormFitsThePhone(width: Int, height: Int) async throws {
            try await withForm(size: (width, height)) { page, _ in
                try await page.enter("80", in: "zip")
                try await page.press("#actions button", text: "Join", version: 1)
                let isWithin = try await page.evaluate(
                    """
                    const screen = document.getElementById("screen");
                    const { left, right } = screen.getBoundingClientRect();
                    return screen.scrollWidth <= screen.clientWidth && seen("#phone .form *", null).every((element) => {
                      const bounds = element.getBoundingClientRect();
                      return bounds.left >= left && bounds.right <= right;
                    });
                    """)
                #expect(isWithin == true)
            }
        }
    }
}

extension Page {
    /// Fills in a field of a form on the phone, as if typed.
    func enter(_ text: String, in field: String) async throws {
        try await fill("#phone [data-field='\(field)']", with: text)
    }

    /// The contents of the fields on the phone, in order.
    func entries() async throws -> [String] {
        let entries = try await evaluate(
            """
            return [...document.querySelectorAll("#phone [data-field]")]
              .map((control) => control.type === "checkbox" ? String(control.checked) : control.value);
            """)
        return entries.array.compactMap(\.string)
    }
}
