import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Forms on the phone: filling in, refusals, and keeping input while others use the session.
    /// `Tests/page/forms.test.js` has what their fields send.
    struct FormTests {
        private static let password = "swordfish 7"

        private func withForm(_ body: (Page, SessionClient) async throws -> Void) async throws {
            try await withInspector(of: FormApp()) { page, server in
                try await page.waitUntilLive()
                try await body(page, server.client(headers: ["Session": try await page.session()]))
            }
        }

        @Test func aFormIsFilledInRefusedAndSent() async throws {
            try await withForm { page, client in
                #expect(try await page.entries() == ["", "8001", "ch", "", "false", ""])
                try await page.enter("Ada", in: "name")
                try await page.enter("80", in: "zip")
                try await page.choose("de", in: "#phone [data-field=country]")
                try await page.enter("3", in: "guests")
                try await page.click("#phone [data-field=newsletter]")
                try await page.enter(Self.password, in: "password")
                try await page.press(.enter)
                try await page.wait(until: 1)
                try await page.wait(for: "#phone .field-error", text: "has four digits")
                // The stream can be faster than the answer, which completes the form and clears the secret.
                try await page.wait("for the answer", until: "document.activeElement.name === 'zip'")
                let zip = """
                    const { activeElement: zip } = document;
                    return [zip.ariaInvalid, said(document.getElementById(zip.getAttribute("aria-describedby")))];
                    """
                #expect(try await page.evaluate(zip) == ["true", "has four digits"])
                #expect(try await page.entries() == ["Ada", "80", "de", "3", "true", ""])
                let isKept = "document.documentElement.outerHTML.includes('\(Self.password)')"
                #expect(try await page.evaluate("return \(isKept)") == false)
                let command = try await page.copied { try await page.pressTool("copy", of: 1) }
                #expect(command.contains(#""password":"<password>""#))

                try await page.enter("8002", in: "zip")
                try await page.press(.enter)
                try await page.wait(for: "#screen-title", text: "Dishes")
                #expect(try await page.texts(".field-error").isEmpty)
                #expect(
                    try await client.get("/events").json["events"]?.array.last?["payload"] == [
                        "name": "Ada", "zip": "8002", "country": "de", "guests": 3, "newsletter": true,
                    ])
                #expect(try await page.evaluate("return document.activeElement.id") == "screen-title")
            }
        }

        @Test func typedTextStaysWhileOthersUseTheSessionAndInThePast() async throws {
            try await withForm { page, client in
                try await page.enter("Ada", in: "name")
                try await page.evaluate("window.field = document.querySelector('#phone [data-field=password]')")
                _ = try await client.post("/events", json: ["event": "form.drop", "payload": ["dish": "soup"]])
                try await page.wait(until: 1)
                #expect(try await page.entries().first == "Ada")
                #expect(try await page.evaluate("return document.activeElement.name") == "name")
                var join: JSON = ["name": "", "zip": "90", "country": "fr", "newsletter": true, "password": "other"]
                _ = try await client.post("/events", json: ["event": "form.join", "payload": join])
                try await page.wait(until: 2)
                #expect(try await page.entries() == ["Ada", "90", "fr", "", "true", ""])
                #expect(try await page.evaluate("return document.activeElement.name") == "name")

                try await page.enter(Self.password, in: "password")
                try await page.travel(to: 0)
                #expect(try await page.entries() == ["", "8001", "ch", "", "false", ""])
                #expect(try await page.texts("#phone :is(input, select, button):enabled").isEmpty)
                try await page.click("#now")
                try await page.wait(untilGone: "body.in-past")
                #expect(try await page.entries() == ["Ada", "90", "fr", "", "true", ""])
                #expect(try await page.texts("#phone :disabled").isEmpty)
                // A secret is cleared with its form.
                try await page.enter(Self.password, in: "password")
                join = ["name": "", "zip": "8002", "country": "fr", "newsletter": true, "password": ""]
                _ = try await client.post("/events", json: ["event": "form.join", "payload": join])
                try await page.wait(until: 3)
                #expect(try await page.evaluate("return [field.isConnected, field.value]") == [false, ""])
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
