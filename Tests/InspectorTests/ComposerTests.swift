import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The composer: the payload of any event. `Tests/page/controls.test.js` has its fields.
    struct ComposerTests {
        private static let password = "pit lane 44"

        @Test func anEventIsSentFromACoordinatorOfTheTree() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                let main = "AppCoordinator/MainCoordinator"
                try await page.click("#tree [data-coordinator='\(main)'] > .node")
                try await page.wait(for: "#palette-text[aria-label$=MainCoordinator]:focus")
                try await page.type("set fav team")
                try await page.press(.enter)
                try await page.wait(for: "#composer-field-team:focus")
                #expect(try await page.value(of: "#composer-at") == main)
                try await page.choose("haas", in: "#composer-field-team")
                try await page.click("#composer-send")
                try await page.wait(until: 2)
                try await page.wait(untilGone: "#composer")
                try await page.expect("#tabs .badge", shows: ["1"])
                #expect(try await page.texts("#rows [data-row=haas] .favorite").count == 1)
            }
        }

        @Test func aMissingCatalogIsReadWhenNeeded() async throws {
            try await withVisit(
                runningFirst: """
                    window.catalogIsAway = true;
                    const send = window.fetch;
                    window.fetch = (address, ...rest) => address === "/catalog" && catalogIsAway
                      ? Promise.reject(new TypeError("away")) : send(address, ...rest);
                    """
            ) { page, server in
                try await page.begin()
                try await page.wait(until: 0)
                try await page.click("#tree [data-coordinator=AppCoordinator] > .node")
                try await page.wait(for: "#problem")
                try await page.evaluate("window.catalogIsAway = false")
                try await page.click("#tree [data-coordinator=AppCoordinator] > .node")
                try await page.wait(for: "#palette-text:focus")
                try await page.wait(untilGone: "#problem")
            }
        }

        @Test func aSecretIsSentAndKeptNowhere() async throws {
            let world = World()
            try await withInspector(of: WorkApp(world)) { page, _ in
                let fillIn = {
                    try await page.find("work.login")
                    try await page.press(.enter)
                    try await page.fill("#composer [data-field=password][type=password]", with: Self.password)
                }
                try await fillIn()
                let typed = try await page.copied { try await page.click("#composer-copy") }
                #expect(typed.contains(#""payload":{"password":"<password>"}"#))
                #expect(!typed.contains(Self.password))
                try await page.click("#composer-cancel")
                try await page.wait(untilGone: "#composer")
                try await fillIn()
                try await page.click("#composer-send")
                try await page.wait(until: 1)
                try await page.wait(untilGone: "#composer")
                #expect(await world.call(0).secret == Self.password)
                let kept = """
                    [
                      document.documentElement.outerHTML, location.href, JSON.stringify(history.state),
                      JSON.stringify({ ...sessionStorage, ...localStorage }),
                      ...[...document.querySelectorAll("input")].map(({ value }) => value),
                    ].some((text) => text.includes(given[0]))
                    """
                try await page.wait("for the secret to go", until: "!\(kept)", .string(Self.password))
                let sent = try await page.copied { try await page.pressTool("copy", of: 1) }
                #expect(sent.contains(#""payload":{"password":"<password>"}"#))
            }
        }
    }
}
