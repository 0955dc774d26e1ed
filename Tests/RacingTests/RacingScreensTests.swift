import Coordinate
import Testing

@testable import Racing

/// A user's taps, as the screens emit them.
struct RacingScreensTests {
    private let app: AppCoordinator

    init() throws {
        app = try AppCoordinator.started()
    }

    private func screen<Screen: ViewController>(_ type: Screen.Type) throws -> Screen {
        try #require(app.visibleLeaf.getRootViewController() as? Screen)
    }

    @Test func tapsLeadFromTheSplashScreenToAComparisonAndBack() throws {
        try screen(SplashViewController.self).didTapContinue()
        try screen(TeamsListViewController.self).didSelectRow(at: 0)
        try screen(TeamsDetailsViewController.self).didSelectRow(at: 1)
        try screen(DriversDetailsViewController.self).didTapCompare()
        try screen(ComparisonChoiceViewController.self).didSelectRow(at: 3)
        let drivers = app.season.drivers
        let driver = app.season.teams[0].drivers[1]
        let other = drivers.filter { $0 != driver }[3]
        #expect(app.path == "/main/teams/compare/\(driver.id)/\(other.id)")
        try screen(ComparisonResultViewController.self).didTapFinish()
        #expect(app.path == "/main/teams/driver/\(driver.id)")
        try screen(DriversDetailsViewController.self).didTapFavorite()
        #expect(app.navigationState.tabs.map(\.badge) == [nil, nil, "1"])
        try screen(DriversDetailsViewController.self).didTapFavorite()
        #expect(app.navigationState.tabs.map(\.badge) == [nil, nil, nil])
    }

    @Test func aTeamAboveItsDriverIsAnotherScreen() throws {
        app.open("/main/teams/driver/leclerc")
        for _ in 1...2 { app.emit(AppEvents.Teams.didSelect(try app.team("ferrari"))) }
        #expect(app.navigationState.breadcrumbs.map(\.title) == ["Teams", "Charles Leclerc", "Ferrari", "Ferrari"])
    }

    @Test func aTabKeepsItsStackAndASecondTapPopsToItsList() throws {
        app.open("/main/teams/team/ferrari")
        for (tab, path) in [
            ("DriversCoordinator", "/main/drivers"), ("TeamsCoordinator", "/main/teams/team/ferrari"),
            ("TeamsCoordinator", "/main/teams"),
        ] {
            app.emit(NavigationEvents.selectTab(tab))
            #expect(app.path == path)
        }
    }

    @Test func theCatalogFindsEveryCoordinator() {
        #expect(
            Set(CoordinatorCensus(RacingApp(season: app.season)).names) == [
                "AppCoordinator", "SplashCoordinator", "MainCoordinator", "TeamsCoordinator", "TeamsListCoordinator",
                "TeamsDetailsCoordinator", "DriversCoordinator", "DriversListCoordinator", "DriversDetailsCoordinator",
                "ComparisonCoordinator", "ComparisonResultCoordinator", "ProfileCoordinator",
                "ProfileEditorCoordinator",
            ])
    }
}
