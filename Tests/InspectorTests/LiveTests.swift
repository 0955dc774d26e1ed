import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Changes from elsewhere arrive without reloading.
    struct LiveTests {
        @Test func aChangeOfAnotherClientArrivesInAllThreePanes() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("splash.didFinish")
                try await client.emit("teams.didSelect", ["team": "ferrari"])
                try await page.wait(until: 2)
                #expect(
                    try await page.sight()
                        == Sight(
                            title: "Ferrari", path: "/main/teams/team/ferrari", handled: "MainCoordinator",
                            leaf: "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator",
                            entries: ["teams.didSelect", "splash.didFinish"]))
            }
        }

        @Test func aBurstOfEventsArrivesWhole() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.open("/main/teams")
                for _ in 0..<40 {
                    try await client.emit("teams.didSelect", ["team": "ferrari"])
                    try await client.emit("navigation.back")
                }
                try await page.wait(until: 81)
                let versions = try await page.evaluate(
                    "return seen('#entries [data-version]', null).map((entry) => Number(entry.dataset.version))")
                let newestFirst = versions.array.compactMap(\.int)
                #expect(newestFirst.first == 81)
                #expect(zip(newestFirst, newestFirst.dropFirst()).allSatisfy { $0 == $1 + 1 })
            }
        }

        /// As many events as in twenty seconds at fifty per second, sent as fast as possible.
        @Test func aThousandEventsLeaveThePageUsable() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.open("/main/teams/team/ferrari")
                for number in 0..<1_000 {
                    let event = number.isMultiple(of: 2) ? "teams.setFavorite" : "teams.unsetFavorite"
                    try await client.emit(event, ["team": "ferrari"])
                }
                try await page.wait(until: 1_001)
                try await page.press("#actions button", text: "Add to favorites", version: 1_002)
                try await page.press("#back", version: 1_003)
                #expect(try await page.sight().title == "Teams")
            }
        }

        @Test func severalPagesShowOneSession() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                try await page.press("#actions button", text: "Continue", version: 1)
                let address = "\(server.url)/#session=\(try await page.session())"
                try await withPage { other in
                    try await other.open(address)
                    try await other.wait(until: 1)
                    try await other.waitUntilLive()
                    try await other.press("#rows [data-row=ferrari] .tap", version: 2)
                    try await page.wait(until: 2)
                    try await page.press("#actions button", text: "Add to favorites", version: 3)
                    try await other.wait(until: 3)
                    #expect(try await page.sight() == other.sight())
                }
            }
        }

        @Test func theFragmentJoinsASession() async throws {
            try await withInspector { page, server in
                let client = server.client()
                try await client.open("/main/drivers")
                let id = try #require(client.sessionID)
                try await page.evaluate("location.hash = `#session=${arguments[0]}`", .string(id))
                try await page.wait(until: 1)
                try await page.waitUntilLive()
                #expect(try await page.sight().path == "/main/drivers")
                try await client.emit("navigation.selectTab", ["tab": "ProfileCoordinator"])
                try await page.wait(until: 2)
                #expect(try await page.sight().path == "/main/profile")
            }
        }

        @Test(arguments: ["", "http://localhost/#session="])
        func theDialogJoinsASessionByItsIDOrAddress(prefix: String) async throws {
            try await withInspector { page, server in
                let client = server.client()
                try await client.open("/main/drivers")
                let id = try #require(client.sessionID)
                try await page.click("#connection")
                try await page.fill("#session-join", with: prefix + id)
                try await page.press(.enter)
                try await page.wait(until: 1)
                #expect(try await page.session() == id)
                #expect(try await page.sight().path == "/main/drivers")
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

        @Test func aSessionThatNeverExistedSaysSo() async throws {
            try await withRacing { server in
                try await withPage(expecting: [404]) { page in
                    try await page.open("\(server.url)/#session=\(String(repeating: "A", count: 22))")
                    try await page.wait(for: "body.unknown #ended")
                    try await page.startAnew()
                    try await page.wait(until: 0)
                }
            }
        }
    }
}
