import Coordinate
import Testing

private final class TeamsCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: Equatable {
        case list
        case team(_ team: String)
        case filter
    }

    var activeRoute: Route = .list
    private let list = TeamsListCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        dismiss()
        root(list, for: .list)
        switch route {
        case .list: break
        case .team(let team): show(TeamsDetailsCoordinator(team: team), for: route)
        case .filter: present(FilterCoordinator(), for: .filter)
        }
    }
}

private final class TeamsListCoordinator: Coordinator<ViewController> {
    override init() {
        super.init()
        rootViewController.title = "Teams"
    }
}

private final class TeamsDetailsCoordinator: Coordinator<ViewController> {
    init(team: String) {
        super.init()
        rootViewController.title = team
    }
}

private final class FilterCoordinator: Coordinator<ViewController> {}
private final class HelpCoordinator: Coordinator<ViewController> {}
private final class ProfileCoordinator: Coordinator<ViewController> {}

private final class MainCoordinator: TabBarCoordinator<TabBarController>, HasRoutes {
    enum Route: Equatable {
        case teams(TeamsCoordinator.Route?)
        case profile
    }

    var activeRoute: Route = .teams(nil)
    private let teams = TeamsCoordinator()
    private let profile = ProfileCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        let first = activeRoute
        setCoordinators([(teams, .teams(nil)), (profile, .profile)])
        goTo(first)
    }

    func goTo(_ route: Route) {
        switch route {
        case .teams(let route): select(teams, at: route)
        case .profile:
            select(profile)
        }
    }
}

extension TeamsCoordinator.Route: DeclaredRoutes {
    fileprivate static let declaration = RouteDeclaration<Self>(
        .route("", .list),
        .route("team/{team}", Self.team) { if case .team(let team) = $0 { team } else { nil } },
        .route("filter", .filter)
    )
}

extension MainCoordinator.Route: DeclaredRoutes {
    fileprivate static let declaration = RouteDeclaration<Self>(
        .nested("teams", Self.teams) { if case .teams(let route) = $0 { route } else { nil } },
        .route("profile", .profile)
    )
}

private final class ForgetfulCoordinator: TabBarCoordinator<TabBarController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case first, second

        static let declaration = RouteDeclaration<Self>(.route("first", .first), .route("second", .second))
    }

    var activeRoute: Route = .first
    private let tabs = [HelpCoordinator(), HelpCoordinator()]

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([(tabs[0], .first), (tabs[1], .second)])
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        select(tabs[route == .first ? 0 : 1])
    }
}

private final class SampledCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    typealias Route = TeamsCoordinator.Route

    var activeRoute: Route = .list

    func goTo(_ route: Route) {
        root(getCached(TeamsListCoordinator.self) ?? TeamsListCoordinator())
        activeRoute = .list
        if case .team(let team) = route { show(TeamsDetailsCoordinator(team: team), sender: self) }
        activeRoute = route
    }
}

private enum SessionEvents: CoordinateEvents {
    case loginNeeded
}

private final class GateCoordinator: ContainerCoordinator<ViewController>, HasRoutes {
    enum Route: Equatable {
        case home
        case login
    }

    var activeRoute: Route = .home

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case SessionEvents.loginNeeded = event else { return false }
        goTo(.login)
        return true
    }

    func goTo(_ route: Route) {
        switch route {
        case .home: root(HomeCoordinator(), for: .home)
        case .login: root(LoginCoordinator(), for: .login)
        }
    }
}

private final class HomeCoordinator: Coordinator<ViewController> {
    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        emitEvent(SessionEvents.loginNeeded)
    }
}

private final class LoginCoordinator: Coordinator<ViewController> {}

/// A tap goes through `goTo(_:)`, as tabs without routes need it.
private final class TappedCoordinator: TabBarCoordinator<TabBarController>, HasRoutes {
    typealias Route = MainCoordinator.Route

    var activeRoute: Route = .teams(nil)
    private let teams = TeamsCoordinator()
    private let profile = ProfileCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([teams, profile])
        goTo(activeRoute)
    }

    override func tabTapped(for coordinator: any Coordinating) {
        goTo(coordinator === teams ? .teams(nil) : .profile)
    }

    func goTo(_ route: Route) {
        switch route {
        case .teams(let route):
            select(teams, at: route)
            activeRoute = .teams(nil)
        case .profile:
            select(profile)
            activeRoute = .profile
        }
    }
}

struct RoutesArticleTests {
    private let main = MainCoordinator()

    init() throws {
        try main.turn { main.start() }
    }

    private var crumbs: [String] { main.navigationState.breadcrumbs.map(\.path) }
    private var teams: TeamsCoordinator? { main.getCached(TeamsCoordinator.self) }

    @Test func aRouteBelongsToWhatIsShown() {
        main.goTo(.teams(.team("Ferrari")))
        #expect(teams?.activeRoute == .team("Ferrari"))
        main.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(teams?.activeRoute == .list)
    }

    @Test func aPathIsTheActiveRoutes() {
        #expect(main.path == "/teams")
        main.goTo(.teams(.team("Ferrari")))
        #expect(main.path == "/teams/team/Ferrari")
        #expect(crumbs == ["/teams", "/teams/team/Ferrari"])
        let catalog = RouteCatalog(MainCoordinator.Route.self)
        #expect(catalog.patterns == ["teams", "teams/team/{team}", "teams/filter", "profile"])
    }

    @Test func aRedirectNeedsNoOrder() throws {
        let gate = GateCoordinator()
        try gate.turn { gate.start() }
        #expect(gate.visibleLeaf is LoginCoordinator)
        #expect(gate.activeRoute == .login)
    }

    @Test func aTapOnATabWithoutARouteGoesThroughGoTo() throws {
        let tapped = TappedCoordinator()
        tapped.goToOnceStarted(.profile)
        try tapped.turn { tapped.start() }
        #expect(tapped.path == "/profile")
        tapped.visibleLeaf.emitEvent(NavigationEvents.selectTab("TeamsCoordinator"))
        #expect(tapped.path == "/teams")
        tapped.visibleLeaf.emitEvent(NavigationEvents.selectTab("ProfileCoordinator"))
        #expect(tapped.path == "/profile")
    }

    @Test func aStackMayChangeUnderAModal() {
        main.goTo(.teams(.filter))
        teams?.show(TeamsDetailsCoordinator(team: "Ferrari"), for: .team("Ferrari"))
        #expect(main.path == "/teams/filter")
        main.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(main.path == "/teams/team/Ferrari")
    }

    @Test func aModalHasItsRouteOnTopOfTheOthers() {
        main.goTo(.teams(.filter))
        #expect(crumbs == ["/teams", "/teams/filter"])
        main.goTo(.teams(.team("Ferrari")))
        #expect(crumbs == ["/teams", "/teams/team/Ferrari"])
    }

    @Test func aTapOnATabNeedsNoCode() {
        main.visibleLeaf.emitEvent(NavigationEvents.selectTab("ProfileCoordinator"))
        #expect(main.activeRoute == .profile)
        #expect(main.path == "/profile")
    }

    @Test func whatIsShownWithoutARouteHasTheOneBelow() {
        main.goTo(.teams(.team("Ferrari")))
        teams?.show(HelpCoordinator(), sender: nil)
        #expect(crumbs == ["/teams", "/teams/team/Ferrari", "/teams/team/Ferrari"])
        teams?.present(HelpCoordinator(), animated: true)
        #expect(main.path == "/teams/team/Ferrari")
    }

    @Test func aContainerKeepsItsRouteUnderSomethingWithoutOne() throws {
        let box = BoxCoordinator()
        try box.turn {
            box.start()
            box.goTo(.second)
        }
        box.root(ProfileCoordinator())
        #expect(box.path == "/second")
    }

    private final class BoxCoordinator: ContainerCoordinator<ViewController>, HasRoutes {
        var activeRoute = ForgetfulCoordinator.Route.first
        func goTo(_ route: ForgetfulCoordinator.Route) { root(HelpCoordinator(), for: route) }
    }

    @Test func aTabWithoutARouteHasNone() throws {
        main.setCoordinators([TeamsCoordinator(), HelpCoordinator()])
        main.goTo(.teams(nil))
        let help = try #require(main.getCached(HelpCoordinator.self))
        main.select(help)
        #expect(main.path == "/")
    }

    @Test func aWishIsToBeReadBeforeAnythingIsShown() throws {
        let wishful = MainCoordinator()
        wishful.goToOnceStarted(.profile)
        try wishful.turn { wishful.start() }
        #expect(wishful.path == "/profile")

        let forgetful = ForgetfulCoordinator()
        forgetful.goToOnceStarted(.second)
        try forgetful.turn { forgetful.start() }
        #expect(forgetful.path == "/first")
    }

    @Test func whatAnAppSetsItselfIsSampled() throws {
        let sampled = SampledCoordinator()
        try sampled.turn {
            sampled.start()
            sampled.goTo(.team("Ferrari"))
        }
        #expect(sampled.navigationState.breadcrumbs.map(\.path) == ["/", "/team/Ferrari"])
        sampled.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(sampled.activeRoute == .list)
    }

    @Test func whatIsSetTooEarlyIsTheRouteOfWhatWasThere() throws {
        let sampled = SampledCoordinator()
        try sampled.turn {
            sampled.start()
            sampled.goTo(.list)
        }
        try sampled.turn {
            sampled.activeRoute = .team("Ferrari")
            sampled.show(TeamsDetailsCoordinator(team: "Ferrari"), sender: nil)
        }
        sampled.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(sampled.path == "/team/Ferrari")
    }

    @Test func aLinkLeadsThere() {
        let opened = main.visibleLeaf.emitEvent(NavigationEvents.open("/teams/team/McLaren"))
        #expect(opened.handledBy == "MainCoordinator")
        #expect(main.path == "/teams/team/McLaren")
        #expect(main.navigationState.back?.title == "Teams")
        #expect(!main.visibleLeaf.emitEvent(NavigationEvents.open("/nowhere")).isHandled)
    }
}
