import CoordinateTesting
import Testing
import WebDriver

@testable import Shop

/// Whether everyone can use the shop as web pages, in both languages, in light and dark, and on narrow and wide screens.
@Suite(
    .serialized, .enabled(if: Browser.isInstalled && Axe.installed != nil, "\(Axe.advice), and chromium"),
    .timeLimit(.minutes(10)))
struct ShopAccessibilityTests {
    @Test(arguments: Language.allCases)
    func axeFindsNothingOnAnyScreen(language: Language) async throws {
        let axe = try #require(Axe.installed)
        let screens = ExploredScreen.all(of: ShopApp())
        #expect(Set(screens.map(\.state.screen)).count == 11)
        try await withCustomer(runsScripts: true) { page, server in
            for screen in screens {
                let client = try await screen.open(on: server, options: ["locale": .string(language.rawValue)])
                try await page.enter(client.sessionID ?? "", of: server.url)
                try await page.open(server.url + "/app")
                #expect(try await page.evaluate("return document.documentElement.lang") == .string(language.rawValue))
                for violation in try await axe.violationsInAllLooks(of: page) {
                    Issue.record("\(screen), \(violation)")
                }
            }
        }
    }
}
