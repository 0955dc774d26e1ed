import Coordinate
import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

extension Appearance {
    /// Whether everyone can use the web pages, in light and dark, and on narrow and wide screens.
    @Suite(.enabled(if: Axe.installed != nil, "\(Axe.advice)"))
    struct WebAccessibilityTests {
        @Test func axeFindsNothingOnTheScreensOfTheRacingApp() async throws {
            let app = try RacingApp.make()
            let screens = ExploredScreen.all(of: app)
            #expect(screens.count > 8)
            try await withWebPage(of: app) { page, server in
                for screen in screens {
                    let client = try await screen.open(on: server)
                    try await page.enter(client.sessionID ?? "", of: server.url)
                    try await page.expectNothingWrong(at: server.url + "/app", "\(screen)")
                }
            }
        }

        @Test func axeFindsNothingOnFormsWithMistakes() async throws {
            try await withWebPage(of: FormApp(), expecting: [422]) { page, server in
                try await page.expectNothingWrong(at: server.url + "/app", "form")
                try await page.fill(labelled: "Zip", with: "80")
                try await page.evaluate("document.querySelector('[type=number]').type = 'text'")
                try await page.fill(labelled: "Guests", with: "many")
                try await page.click("main button", text: "Join")
                try await page.wait(for: "main .notice")
                try await page.expectNothingWrong("refused form")
                try await page.fill(labelled: "Guests", with: "2")
                try await page.click("main button", text: "Join")
                try await page.wait(for: "main .error", text: "has four digits")
                try await page.expectNothingWrong("form with an error")
                try await page.fill(labelled: "Zip", with: "8002")
                try await page.click("main button", text: "Join")
                try await page.wait(for: "main button", text: "Invite")
                try await page.expectNothingWrong("rows with forms")
            }
        }

        @Test func axeFindsNothingOnMessages() async throws {
            let server = try Server.showing(apiKey: "swordfish")
            try await withVisit(to: "/app", of: server, expecting: [401, 404]) { page, server in
                try await page.expectNothingWrong("login")
                try await page.fill(labelled: "Key of this server", with: "cod")
                try await page.click("button", text: "Log in")
                try await page.wait(for: ".error")
                try await page.expectNothingWrong("refused login")
                try await page.fill(labelled: "Key of this server", with: "swordfish")
                try await page.click("button", text: "Log in")
                try await page.wait(for: "h1", text: "Formula Racing")
                try await page.expectNothingWrong(at: server.url + "/app/main/teams/team/ferari", "unknown path")
            }
        }
    }
}

extension Page {
    /// Records what axe finds on the page that is shown, or at an address.
    fileprivate func expectNothingWrong(
        at address: String? = nil, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        if let address { try await open(address) }
        let axe = try #require(Axe.installed)
        for violation in try await axe.violationsInAllLooks(of: self) {
            Issue.record("\(what), \(violation)", sourceLocation: sourceLocation)
        }
    }
}
