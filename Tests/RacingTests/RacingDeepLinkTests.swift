import Coordinate
import Testing

@testable import Racing

/// Each path of the app, and the paths below its screen.
private let backStacks: [(path: String, below: [String])] = [
    ("/splash", []),
    ("/main/teams", []),
    ("/main/teams/team/ferrari", ["/main/teams"]),
    ("/main/teams/driver/leclerc", ["/main/teams"]),
    ("/main/teams/compare/leclerc", ["/main/teams", "/main/teams/driver/leclerc"]),
    (
        "/main/teams/compare/leclerc/norris",
        ["/main/teams", "/main/teams/driver/leclerc", "/main/teams/compare/leclerc"]
    ),
    ("/main/drivers", []),
    ("/main/drivers/driver/norris", ["/main/drivers"]),
    ("/main/drivers/team/mclaren", ["/main/drivers"]),
    ("/main/drivers/compare/norris", ["/main/drivers", "/main/drivers/driver/norris"]),
    (
        "/main/drivers/compare/norris/leclerc",
        ["/main/drivers", "/main/drivers/driver/norris", "/main/drivers/compare/norris"]
    ),
    ("/main/profile", []),
    ("/main/profile/edit", ["/main/profile"]),
]

private let paths = backStacks.map(\.path)

struct RacingDeepLinkTests {
    @Test(arguments: backStacks)
    func aLinkBuildsTheStackBelowItsScreen(path: String, below: [String]) throws {
        let app = try AppCoordinator.started(at: path)
        #expect(app.path == path)
        #expect(app.trail == below + [path])
        for former in below.reversed() {
            let action = try #require(app.navigationState.back ?? app.navigationState.dismiss)
            #expect(try app.send(action).isHandled)
            #expect(app.path == former)
        }
        #expect(!app.emit(NavigationEvents.back).isHandled)
        #expect(!app.emit(NavigationEvents.dismiss).isHandled)
    }

    @Test(arguments: paths)
    func aLinkShowsTheSameFromEveryOtherPath(path: String) throws {
        let cold = try AppCoordinator.started(at: path).navigationState
        for former in paths {
            let warm = try AppCoordinator.started(at: former, path).navigationState
            #expect(warm.path == cold.path, "from \(former)")
            #expect(warm.leaf == cold.leaf, "from \(former)")
            #expect(warm.breadcrumbs == cold.breadcrumbs, "from \(former)")
            #expect(warm.screen == cold.screen, "from \(former)")
            #expect(warm.visibleNodes.map(\.id) == cold.visibleNodes.map(\.id), "from \(former)")
            #expect(warm.visibleNodes.map(\.route) == cold.visibleNodes.map(\.route), "from \(former)")
        }
    }

    @Test(arguments: [
        "/", "/main", "/splash/", "/splash/more", "/main/teams/", "/main/teams/team", "/main/teams/team/toyota",
        "/main/teams/team/leclerc", "/main/teams/driver/ferrari", "/main/drivers/compare", "/main/drivers/compare/x",
        "/main/drivers/compare/leclerc/x", "/main/drivers/compare/leclerc/leclerc", "/main/profile/editor",
        "/main/profile/edit/name", "/main/settings", "/Main/teams", "main/teams", "", "/main//teams",
        "/main/teams/team/Ferrari",
    ])
    func anUnknownPathIsNotHandledAndChangesNothing(path: String) throws {
        for known in ["/splash", "/main/profile/edit", "/main/drivers/compare/norris/leclerc"] {
            let app = try AppCoordinator.started(at: known)
            let before = app.navigationState
            #expect(!app.open(path).isHandled)
            #expect(app.navigationState == before)
            let routes = RacingApp(season: app.season).routes
            #expect(RoutePath(path).map { routes.contains($0, in: app.dependencies) } != true)
        }
    }

    @Test func theCatalogListsAllPaths() {
        let browse = ["", "/team/{team}", "/driver/{driver}", "/compare/{driver}", "/compare/{driver}/{driver}"]
        let expected =
            ["splash", "main/profile", "main/profile/edit"] + browse.map { "main/teams\($0)" }
            + browse.map { "main/drivers\($0)" }
        let patterns = AppCoordinator.Route.declaration.patterns
        #expect(patterns.sorted() == expected.sorted())
    }
}
