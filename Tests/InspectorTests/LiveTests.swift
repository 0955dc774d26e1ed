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
                let versions = try await page.versions()
                #expect(versions.count > 80)
                #expect(versions == Array((1_004 - versions.count...1_003).reversed()))
                try await page.press("#actions button", text: "Remove from favorites", version: 1_004)
                try await page.press("#back", version: 1_005)
                #expect(try await page.sight().title == "Teams")
                try await readsOldEntries(page, client)
            }
        }

        /// A long journal is read from its end, and older entries are read when they are needed.
        private func readsOldEntries(_ page: Page, _ client: SessionClient) async throws {
            try await page.reload(until: 1_005)
            try await page.waitUntilLive()
            #expect(try await page.versions().count == 50)
            // The banner shows versions that are not loaded.
            try await page.travel(to: 1_004)
            try await page.evaluate("for (let i = 0; i < 60; i++) document.querySelector('#earlier').click()")
            try await page.wait(until: 944)
            try await page.expect("#story-event", shows: ["teams.unsetFavorite"])
            try await page.wait(for: "#entries [data-version='944'] [aria-current]")
            try await page.click("#now")
            try await page.wait(until: 1_005)
            let scroll = "document.querySelector('#entries').parentElement.scrollTop = 1e7"
            try await page.wait(
                "for the beginning", until: "(\(scroll), seen('#entries [data-version=\"0\"]', null)[0])")
            try await client.emit("navigation.dismiss")
            try await page.wait(until: 1_006)
            #expect(try await page.versions() == Array((0...1_006).reversed()))
            // Hidden entries are not laid out.
            let isSkipped = """
                !document.querySelector("#entries [data-version='500'] .entry-event")
                  .checkVisibility({ contentVisibilityAuto: true })
                """
            try await page.wait("for distant entries to be skipped", until: isSkipped)
        }

        @Test func aSessionIsJoinedByItsIDOrAddress() async throws {
            try await withInspector(expecting: [404]) { page, server in
                let own = try await page.session()
                let client = server.client()
                try await client.open("/main/drivers")
                let id = try #require(client.sessionID)
                try await page.show(id)
                try await page.wait(until: 1)
                try await page.waitUntilLive()
                #expect(try await page.sight().path == "/main/drivers")
                try await client.emit("navigation.selectTab", ["tab": "ProfileCoordinator"])
                try await page.wait(until: 2)
                #expect(try await page.sight().path == "/main/profile")
                for prefix in ["", "http://localhost/#session="] {
                    try await page.show(own)
                    try await page.wait(until: 0)
                    try await page.click("#connection")
                    // An unknown session keeps the shown one.
                    for unknown in ["unknown", String(repeating: "A", count: 22)] {
                        try await page.fill("#session-join", with: unknown)
                        try await page.press(.enter)
                        try await page.wait(for: "#session-join-problem")
                        #expect(try await page.session() == own)
                    }
                    try await page.fill("#session-join", with: prefix + id)
                    try await page.press(.enter)
                    try await page.wait(until: 2)
                    #expect(try await page.session() == id)
                }
            }
        }

        @Test func anEndedSessionSaysSoAndOffersANewOne() async throws {
            try await withInspector(expecting: [404]) { page, server in
                try await page.waitUntilLive()
                try await page.press("#actions button", text: "Continue", version: 1)
                let id = try await page.session()
                #expect(try await server.client().delete("/sessions/\(id)").status == 204)
                try await page.wait(for: "#ended")
                try await page.wait(for: "#connection[data-status=ended]")
                #expect(try await page.texts("#ended-reason")[0].contains("has ended"))
                #expect(try await page.evaluate("return seen('#phone button:enabled', null).length") == 0)
                try await page.startAnew()
                try await page.wait(until: 0)
                try await page.wait(untilGone: "#ended")
                #expect(try await page.session() != id)
            }
        }
    }
}
