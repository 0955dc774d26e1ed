import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Events that clients cannot send, and secret fields.
    struct SecretTests {
        private static let password = "pit lane 44"

        private let world = World()

        private func withWork(_ body: (Page) async throws -> Void) async throws {
            try await withInspector(of: WorkApp(world)) { page, _ in try await body(page) }
        }

        private func fillIn(_ page: Page) async throws {
            try await page.click("#compose")
            try await page.choose("work.login", in: "#composer-event")
            try await page.fill("#composer [data-field=password]", with: Self.password)
        }

        @Test func anEventThatOnlyTheAppEmitsIsDisabled() async throws {
            try await withWork { page in
                try await page.click("#compose")
                try await page.wait(for: "#composer")
                let option = try await page.evaluate(
                    """
                    const option = document.querySelector("#composer-event [value='work.didFinish']");
                    return [option.disabled, option.label, document.querySelector("#composer-event").value];
                    """)
                #expect(option[0] == true)
                #expect(option[1] == "work.didFinish (only the app can emit it)")
                #expect(option[2] == "work.ask")
            }
        }

        @Test func aSecretIsTypedAsAPasswordAndSent() async throws {
            try await withWork { page in
                try await fillIn(page)
                let type = "return document.querySelector('#composer [data-field=password]').type"
                #expect(try await page.evaluate(type) == "password")
                try await page.click("#composer-send")
                try await page.wait(until: 1)
                #expect(await world.call(0).secret == Self.password)
                let kept = "JSON.stringify({ ...sessionStorage, ...localStorage })"
                for place in ["document.documentElement.outerHTML", kept] {
                    #expect(try await page.evaluate("return \(place).includes('\(Self.password)')") == false)
                }
            }
        }

        @Test func aCopiedCommandHasAPlaceholderForASecret() async throws {
            try await withWork { page in
                try await fillIn(page)
                let typed = try await page.copied { try await page.click("#composer-copy") }
                #expect(typed.contains(#""payload":{"password":"<password>"}"#))
                #expect(!typed.contains(Self.password))
                try await page.click("#composer-send")
                try await page.wait(until: 1)
                let sent = try await page.copied { try await page.click("#entries [data-version='1'] .entry-copy") }
                #expect(sent.contains(#""payload":{"password":"<password>"}"#))
            }
        }

        @Test(
            arguments: [
                (["type": "string"], "1", "1"), (["type": "string", "secret": true], "1", "<field>"),
                (["type": "array", "items": ["secret": true]], [1, 2], ["<field>", "<field>"]),
                (
                    ["type": "object", "fields": ["pin": ["secret": true], "id": [:]]], ["id": 1],
                    ["id": 1, "pin": "<pin>"]
                ),
                (["type": "object", "fields": ["pin": ["secret": true]]], "not an object: 1", "<field>"),
            ] as [(JSON, JSON, JSON)])
        func valuesWithSecretsAreHidden(type: JSON, value: JSON, concealed: JSON) async throws {
            try await withInspector { page, _ in
                let payload = try await page.evaluate(
                    """
                    const [type, value] = arguments;
                    return import("/inspector/catalog.js").then(({ Catalog }) =>
                      new Catalog({ events: [{ name: "a.b", payload: { field: type } }] })
                        .withoutSecrets({ event: "a.b", payload: { field: value } }).payload);
                    """, type, value)
                #expect(payload == ["field": concealed])
            }
        }

        @Test func aSecretIsClearedWithTheFormAndStoredNowhere() async throws {
            try await withWork { page in
                try await fillIn(page)
                try await page.click("#composer-cancel")
                try await page.wait(untilGone: "#composer")
                try await fillIn(page)
                try await page.click("#composer-send")
                try await page.wait(until: 1)
                try await page.wait(untilGone: "#composer")
                let kept = try await page.evaluate(
                    """
                    const inputs = [...document.querySelectorAll("input")].map(({ value }) => value);
                    return [...inputs, location.href, history.state, localStorage.length, sessionStorage.length];
                    """)
                #expect(!kept.array.contains(.string(Self.password)))
                #expect(kept.array.suffix(3) == [.null, 0, 0])
            }
        }
    }
}
