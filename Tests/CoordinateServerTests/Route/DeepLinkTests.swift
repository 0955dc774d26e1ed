import CoordinateServer
import CoordinateTesting
import Testing

/// Deep links over HTTP: `PUT /route`, and a session that begins at a path.
struct DeepLinkTests {
    @Test func aDeepLinkIsAnEventFromTheRootDown() async throws {
        try await withRacing { server in
            let client = server.client()
            try await client.start()
            let outcome = try await client.open("/main/drivers/compare/leclerc/hamilton")
            #expect(outcome.version == 2)
            #expect(outcome.event == "navigation.open")
            #expect(outcome.handledBy == "AppCoordinator")
            #expect(outcome.path == "/main/drivers/compare/leclerc/hamilton")
            let route = try await client.route()
            #expect(outcome.route == route)
            #expect(
                route.breadcrumbs.map(\.path) == [
                    "/main/drivers", "/main/drivers/driver/leclerc", "/main/drivers/compare/leclerc",
                    "/main/drivers/compare/leclerc/hamilton",
                ])
            let entry = try #require(try await client.journal(after: 1).events.first)
            #expect(entry.event == "navigation.open")
            #expect(entry.payload == ["path": "/main/drivers/compare/leclerc/hamilton"])
        }
    }

    @Test func finishingTheComparisonPopsOnlyItsOwnScreens() async throws {
        try await withRacing { server in
            let client = server.client()
            try await client.open("/main/teams/compare/leclerc/hamilton")
            let sections = try await client.route().tree.all.filter { $0.section != nil }
            #expect(sections.map(\.coordinator) == ["ComparisonCoordinator", "ComparisonResultCoordinator"])
            #expect(Set(sections.map(\.section)) == ["ComparisonCoordinator"])
            let outcome = try await client.emit("comparison.finish")
            #expect(outcome.path == "/main/teams/driver/leclerc")
        }
    }

    @Test func aSessionMayStartAtAPath() async throws {
        try await withRacing { server in
            let answer = try await server.client().post("/sessions", json: ["path": "/main/teams/team/ferrari"])
            #expect(answer.status == 201)
            let session = try answer.decode(Document.Session.self)
            #expect(session.version == 1)
            #expect(session.path == "/main/teams/team/ferrari")
        }
    }

    @Test func theProfileIsRenamedInItsModal() async throws {
        try await withRacing { server in
            let client = server.client()
            try await client.open("/main/profile/edit")
            let route = try await client.route()
            #expect(route.breadcrumbs.map(\.path) == ["/main/profile", "/main/profile/edit"])
            #expect(route.navigation.dismiss?.title == "Close")
            let outcome = try await client.emit("profile.rename", ["name": "Tifoso"])
            #expect(outcome.path == "/main/profile")
            #expect(try await client.route().screen.title == "Tifoso")
        }
    }
}
