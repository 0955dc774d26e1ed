import CoordinateTesting
import Testing

/// A walk with curl and a cookie jar, from the splash screen to the profile.
struct CurlSessionTests {
    @Test(.racing) func aSessionCanBeDrivenWithOfferedActionsOnly() async throws {
        let splash = try await client.route()
        #expect(splash.path == "/splash")
        #expect(splash.version == 0)
        #expect(splash.screen.actions.map(\.title) == ["Continue"])
        #expect(client.sessionID == splash.session)

        let started = try await client.emit("splash.didFinish")
        #expect(started.version == 1)
        #expect(started.handledBy == "AppCoordinator")
        #expect(started.path == "/main/teams")

        let row = try #require(started.route?.screen.rows.first { $0.id == "ferrari" })
        let team = try await client.emit(#require(row.action))
        #expect(team.path == "/main/teams/team/ferrari")
        #expect(team.leaf == "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator")
        #expect(team.handledBy == "AppCoordinator/MainCoordinator")
        #expect(
            team.trace.map(\.coordinator) == [
                "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsListCoordinator",
                "AppCoordinator/MainCoordinator/TeamsCoordinator", "AppCoordinator/MainCoordinator",
            ])
        #expect(team.trace.map(\.intercepted) == [false, false, true])

        let favorite = try #require(try await client.press("Add to favorites").route)
        #expect(favorite.screen.actions.map(\.title) == ["Remove from favorites"])
        #expect(favorite.navigation.tabs.map(\.badge) == [nil, nil, "1"])

        let back = try #require(favorite.navigation.back)
        #expect(back.title == "Teams")
        let list = try #require(try await client.emit(back).route)
        #expect(list.path == "/main/teams")
        #expect(list.screen.rows.filter(\.favorite).map(\.id) == ["ferrari"])
        #expect(list.tree.all.first { $0.coordinator == "TeamsCoordinator" }?.route == nil)

        let profile = try #require(try await client.press("Profile").route)
        #expect(profile.path == "/main/profile")
        #expect(profile.screen.rows.map(\.id) == ["ferrari"])
        #expect(profile.screen.rows.map(\.title) == ["Ferrari"])

        let empty = try #require(try await client.press("Remove from favorites", inRow: "Ferrari").route)
        #expect(empty.screen.rows.isEmpty)
        #expect(empty.navigation.tabs.map(\.badge) == [nil, nil, nil])

        let events = try await client.journal().events
        #expect(
            events.map(\.event) == [
                "splash.didFinish", "teams.didSelect", "teams.setFavorite", "navigation.back",
                "navigation.selectTab", "teams.unsetFavorite",
            ])
        #expect(events.map(\.version) == [1, 2, 3, 4, 5, 6])
        #expect(events.map(\.path).last == "/main/profile")
    }

    @Test(.racing) func anUnhandledEventIsAResult() async throws {
        try await client.start()
        let outcome = try await client.emit("navigation.back", expecting: .unhandled)
        #expect(outcome.version == 2)
        #expect(outcome.handledBy == nil)
        #expect(outcome.trace.map(\.coordinator).last == "AppCoordinator")
        #expect(outcome.trace.allSatisfy { !$0.intercepted })
        #expect(try await client.journal().events.last?.handled == false)
        #expect(try await client.get("/events?after=1").json["events"]?[0]?["handledBy"] == .null)
        #expect(try await client.metric("coordinate_events_unhandled_total") == 1)
    }
}
