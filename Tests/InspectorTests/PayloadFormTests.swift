import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The composer's fields for payloads, and how a refusal changes them.
    struct PayloadFormTests {
        private func withParcels(
            expecting statuses: [Int] = [], _ body: (Page, TestServer) async throws -> Void
        ) async throws {
            try await withInspector(of: ParcelApp(), expecting: statuses) { page, server in try await body(page, server)
            }
        }

        /// The payload of the newest event.
        private func sent(_ page: Page, _ server: TestServer) async throws -> JSON? {
            let client = server.client(headers: ["Session": try await page.session()])
            return try await client.get("/events").json["events"]?.array.last?["payload"]
        }

        /// The options of a field's menu, or none if it has no menu.
        private func menu(_ page: Page, _ field: String) async throws -> [String] {
            let options = try await page.evaluate(
                "return [...document.querySelectorAll(`#composer [data-field='${arguments[0]}'] option`)].map((o) => o.value)",
                .string(field))
            return options.array.compactMap(\.string)
        }

        @Test func theRightFieldIsOfferedForEachType() async throws {
            try await withParcels { page, _ in
                try await page.click("#compose")
                try await page.wait(for: "#composer")
                #expect(
                    try await page.texts("#composer-fields label")
                        == ["items array, as JSON", "customer string", "speed string", "note string, optional"])
                #expect(try await menu(page, "customer") == ["", "ada", "grace", "katherine"])
                #expect(try await menu(page, "speed") == ["", "standard", "express"])
                let example = "return document.querySelector('#composer [data-field=items]').placeholder"
                #expect(try await page.evaluate(example) == #"[{"name":"","count":0,"size":[0]}]"#)
                try await page.choose("parcels.weigh", in: "#composer-event")
                #expect(try await page.texts("#composer-fields label").first == "weight number, optional")
                #expect(try await menu(page, "isFragile") == ["", "true", "false"])
            }
        }

        @Test func enteredValuesAreSentWithTheirType() async throws {
            try await withParcels { page, server in
                let items = #"[{"name": "Hat", "count": 2, "size": [0.5, 1]}, {"name": "Pin", "count": 1}]"#
                try await page.compose("parcels.send", ["items": items, "customer": "grace", "speed": "express"])
                try await page.wait(until: 1)
                #expect(
                    try await sent(page, server) == [
                        "items": [["name": "Hat", "count": 2, "size": [0.5, 1]], ["name": "Pin", "count": 1]],
                        "customer": "grace", "speed": "express",
                    ])
                try await page.compose("parcels.weigh", ["isFragile": "false"])
                try await page.wait(until: 2)
                #expect(try await sent(page, server) == ["isFragile": false])
            }
        }

        @Test func aRefusedFieldIsMarkedAtAnyDepth() async throws {
            try await withParcels(expecting: [422]) { page, _ in
                try await page.compose(
                    "parcels.send",
                    ["items": #"[{"name": "Hat", "count": 0}]"#, "customer": "ada", "speed": "express"])
                try await page.wait(for: "#composer-problem .problem-pointer", text: "At /payload/items/0")
                let focused = "return document.activeElement.dataset.field"
                #expect(try await page.evaluate(focused) == "items")
            }
        }

        @Test(arguments: [
            ("speed", "/payload/speed", "expres", "express"),
            ("items", "/payload/items/1/a~1b", #"[{},{"a/b":"c"}]"#, #"[{},{"a/b":"express"}]"#),
            ("items", "/payload/items/1/a~1b", "no JSON", "no JSON"),
        ])
        func theSuggestedValueIsPutIntoItsField(
            field: String, pointer: String, typed: String, corrected: String
        ) async throws {
            try await withInspector { page, _ in
                let value = try await page.evaluate(
                    """
                    const [name, pointer, typed] = arguments;
                    const modules = ["fields", "inputs", "entries"].map((each) => import(`/inspector/${each}.js`));
                    return Promise.all(modules).then(([{ makeField }, { inputFor }, { putValue }]) => {
                      const type = name === "items" ? "array" : "string";
                      const input = inputFor(name, { type, default: typed });
                      const field = makeField({ ...input, prefix: "test", pointer: `/payload/${name}` });
                      putValue(field, pointer, "express");
                      return field.querySelector("[data-field]").value;
                    });
                    """, .string(field), .string(pointer), .string(typed))
                #expect(value == .string(corrected))
            }
        }

        @Test func theSuggestedPathIsFilledIn() async throws {
            try await withInspector(expecting: [422]) { page, _ in
                try await page.openPath("/main/taems/team/ferari")
                try await page.click("#problem-content .suggestion", text: "/main/teams/team/ferrari")
                #expect(
                    try await page.evaluate("return document.getElementById('address').value")
                        == "/main/teams/team/ferrari")
                try await page.click("#address-go")
                try await page.wait(until: 1)
                #expect(try await page.sight().title == "Ferrari")
            }
        }
    }
}
