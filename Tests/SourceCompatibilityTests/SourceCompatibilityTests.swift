import Coordinate
import Testing

/// An app written for the original library on a phone compiles here unchanged and behaves as before.
struct SourceCompatibilityTests {
    private let app = AppCoordinator()

    init() {
        app.start()
    }

    /// The visible screen.
    private func screen<Screen: UIViewController>(_ type: Screen.Type) throws -> Screen {
        try #require(app.visibleLeaf.getRootViewController() as? Screen)
    }

    private func main() throws -> MainCoordinator {
        try screen(SplashViewController.self).didTapContinue()
        return try #require(app.getCached(MainCoordinator.self))
    }

    @Test func theSplashScreenLeadsToTheTeams() throws {
        #expect(app.childCoordinators.keys.sorted() == ["Splash"])
        #expect(app.currentViewController is SplashViewController)
        let main = try main()
        #expect(app.activeRoute == .main)
        #expect(app.currentViewController === main.rootViewController)
        #expect(app.childCoordinators["Splash"] == nil)
        #expect(main.dependencies?.dataManager === app.dependencies?.dataManager)
        #expect(try screen(TeamsListViewController.self).teams.map(\.name) == ["Alpine", "Ferrari", "McLaren"])
        #expect(app.visibleLeaf.id == "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsListCoordinator")
    }

    @Test func aTeamIsPushedAndBackUncoversTheList() throws {
        let teams = try #require(main().getCached(TeamsCoordinator.self))
        try screen(TeamsListViewController.self).didSelectRow(at: 1)
        #expect(teams.rootViewController.topViewController?.title == "Ferrari")
        #expect(teams.activeRoute == .team(Team(name: "Ferrari")))
        app.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(teams.rootViewController.topViewController?.title == "Teams")
        #expect(teams.activeRoute == .list)
        #expect(teams.poppedBackTo == ["TeamsListCoordinator"])
    }

    @Test func twoDetailsOfOneClassAreBothConnected() throws {
        let teams = try #require(main().getCached(TeamsCoordinator.self))
        teams.goTo(.team(Team(name: "Ferrari")))
        teams.goTo(.team(Team(name: "McLaren")))
        #expect(
            teams.childCoordinators.keys.sorted() == [
                "TeamsDetailsCoordinator", "TeamsDetailsCoordinator-2", "TeamsListCoordinator",
            ])
        try screen(TeamsDetailsViewController.self).didTapFavorite()
        #expect(app.dependencies?.dataManager.favorites.map(\.name) == ["McLaren"])
        teams.backToList()
        #expect(teams.rootViewController.viewControllers.map(\.title) == ["Teams"])
        #expect(teams.activeRoute == .list)
    }

    @Test func aFavoriteIsShownOnTheBadgeAndInTheListAfterBack() throws {
        let main = try main()
        try screen(TeamsListViewController.self).didSelectRow(at: 1)
        try screen(TeamsDetailsViewController.self).didTapFavorite()
        #expect(main.favoritesBadge == "1")
        #expect(main.rootViewController.tabBar.items?.map(\.badgeValue) == [nil, nil, "1"])
        app.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(try screen(TeamsListViewController.self).favorites.map(\.name) == ["Ferrari"])
        try screen(TeamsListViewController.self).emitEvent(AppEvents.Teams.removeFavorite(Team(name: "Ferrari")))
        #expect(main.favoritesBadge == nil)
    }

    @Test func aTapOnATabGoesThroughTheApp() throws {
        let main = try main()
        #expect(main.rootViewController.tabBar.items?.map(\.title) == ["Teams", "News", "Profile"])
        app.visibleLeaf.emitEvent(NavigationEvents.selectTab("Latest"))
        #expect(main.tappedTabs == ["Latest"])
        #expect(main.activeRoute == .news)
        #expect(main.rootViewController.selectedIndex == 1)
        app.visibleLeaf.emitEvent(NavigationEvents.selectTab("ProfileCoordinator"))
        #expect(main.rootViewController.selectedViewController?.title == "Ambassador")
        #expect(try screen(ProfileViewController.self).parentCoordinator is ProfileCoordinator)
    }

    @Test func theProfileIsEditedInAModal() throws {
        let main = try main()
        main.goTo(.profile)
        let profile = try #require(main.getCached(ProfileCoordinator.self))
        try screen(ProfileViewController.self).didTapEdit()
        #expect(profile.presentations == 1)
        let editor = try screen(EditorViewController.self)
        #expect(editor.userName == "Ambassador")
        #expect(editor.presentingViewController === profile.rootViewController)
        editor.didTapSave("Ada")
        #expect(editor.userName == nil)
        #expect(try screen(ProfileViewController.self).title == "Ada")
    }
}
