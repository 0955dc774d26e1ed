import Coordinate
import Testing

@testable import Racing

/// A user's flows in the racing app, without a server.
struct RacingFlowTests {
    private let app: AppCoordinator

    init() throws {
        app = try AppCoordinator.make()
        app.start()
    }

    @Test func theSplashScreenLeadsToTheTeams() {
        app.emit(AppEvents.Splash.didFinish)
        #expect(app.navigationState.path == "/main/teams")
        #expect(app.navigationState.leaf == "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsListCoordinator")
        #expect(app.navigationState.tabs.map(\.title) == ["Teams", "Drivers", "Profile"])
        #expect(app.navigationState.tabs.map(\.isSelected) == [true, false, false])
        #expect(app.childCoordinators.keys.sorted() == ["MainCoordinator"])
    }

    @Test func aTeamsDriversTeamIsAStackOfFour() throws {
        app.emit(AppEvents.Splash.didFinish)
        let ferrari = try #require(app.season.team(withID: "ferrari"))
        let dispatch = app.emit(AppEvents.Teams.didSelect(ferrari))
        #expect(
            dispatch.trace.map(\.coordinator) == [
                "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsListCoordinator",
                "AppCoordinator/MainCoordinator/TeamsCoordinator",
                "AppCoordinator/MainCoordinator",
            ])
        #expect(dispatch.handledBy == "AppCoordinator/MainCoordinator")
        app.emit(AppEvents.Drivers.didSelect(ferrari.drivers[0]))
        app.emit(AppEvents.Teams.didSelect(ferrari))
        #expect(app.navigationState.breadcrumbs.map(\.title) == ["Teams", "Ferrari", "Charles Leclerc", "Ferrari"])
        #expect(
            app.navigationState.breadcrumbs.map(\.path) == [
                "/main/teams", "/main/teams/team/ferrari", "/main/teams/driver/leclerc", "/main/teams/team/ferrari",
            ])
        #expect(
            app.navigationState.leaf
                == "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator-2")
        #expect(app.navigationState.back?.title == "Charles Leclerc")
        app.emit(NavigationEvents.back)
        #expect(app.navigationState.path == "/main/teams/driver/leclerc")
    }

    @Test func aFavoriteIsShownOnTheBadgeAndInTheProfile() throws {
        app.emit(AppEvents.Splash.didFinish)
        let ferrari = try #require(app.season.team(withID: "ferrari"))
        app.emit(AppEvents.Teams.didSelect(ferrari))
        app.emit(AppEvents.Teams.setFavorite(ferrari))
        #expect(app.navigationState.tabs.map(\.badge) == [nil, nil, "1"])
        #expect(app.navigationState.screen.actions.map(\.title) == ["Remove from favorites"])
        app.emit(NavigationEvents.back)
        #expect(app.navigationState.screen.rows.filter(\.isFavorite).map(\.id) == ["ferrari"])
        app.emit(NavigationEvents.selectTab("ProfileCoordinator"))
        #expect(app.navigationState.path == "/main/profile")
        #expect(app.navigationState.screen.rows.map(\.id) == ["ferrari"])
        app.emit(AppEvents.Teams.unsetFavorite(ferrari))
        #expect(app.navigationState.tabs.map(\.badge) == [nil, nil, nil])
        #expect(app.navigationState.screen.rows.isEmpty)
    }

    @Test func aTabKeepsItsStackAndASecondTapPopsToItsList() throws {
        app.emit(AppEvents.Splash.didFinish)
        let ferrari = try #require(app.season.team(withID: "ferrari"))
        app.emit(AppEvents.Teams.didSelect(ferrari))
        app.emit(NavigationEvents.selectTab("DriversCoordinator"))
        #expect(app.navigationState.path == "/main/drivers")
        app.emit(NavigationEvents.selectTab("TeamsCoordinator"))
        #expect(app.navigationState.path == "/main/teams/team/ferrari")
        app.emit(NavigationEvents.selectTab("TeamsCoordinator"))
        #expect(app.navigationState.path == "/main/teams")
    }
}
