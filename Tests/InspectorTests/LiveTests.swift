import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Changes from elsewhere arrive without reloading.
    struct LiveTests {
        @Test func severalPagesAndAClientShareOneSession() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("splash.didFinish")
                let address = "\(server.url)/#session=\(try await page.session())"
                try await withPage { other in
                    try await other.open(address)
                    try await other.wait(until: 1)
                    try await other.waitUntilLive()
                    try await other.press("#rows [data-row=ferrari] .tap", version: 2)
                    try await page.wait(until: 2)
                    #expect(
                        try await page.sight()
                            == Sight(
                                title: "Ferrari", path: "/main/teams/team/ferrari", handled: "MainCoordinator",
                                leaf: "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator",
                                entries: ["teams.didSelect", "splash.didFinish"]))
                    try await page.press("#actions button", text: "Add to favorites", version: 3)
                    try await other.wait(until: 3)
                    #expect(try await page.sight() == other.sight())
                }
                // As many events as in twenty seconds at fifty per second, sent as fast as possible.
                for number in 0..<1_000 {
                    let event = number.isMultiple(of: 2) ? "teams.unsetFavorite" : "teams.setFavorite"
                    try await client.emit(event, ["team": "ferrari"])
                }
                try await page.wait(until: 1_003)
                try await page.wait(for: "#frames [data-version='1003'][data-event]")
                try await page.press("#actions button", text: "Remove from favorites", version: 1_004)
                try await page.press("#back", version: 1_005)
                #expect(try await page.sight().title == "Teams")
                // The timeline reads entries that are not loaded when the user goes there.
                try await page.reload(until: 1_005)
                try await page.evaluate("location.hash += '&version=900'")
                try await page.wait(until: 900)
                try await page.expect("#story-event", shows: ["teams.unsetFavorite"])
                try await page.wait(for: "#frames [data-version='900'][data-event]")
                try await page.click("#now")
                try await page.wait(until: 1_005)
            }
        }
    }
}
