import Coordinate

/// The Teams tab: the list, and details on top of it.
final class TeamsCoordinator: NavigationCoordinator<TeamsNavigationController> {
    var activeRoute: Route = .list

    override init() {
        super.init()
        rootViewController.tabBarItem = TabBarItem(title: "Teams", image: Image(named: "car-icon"), tag: 0)
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }
}

extension TeamsCoordinator: HasRoutes {
    enum Route: Equatable {
        case list
        case team(_ team: Team)
        case driver(_ driver: Driver)
    }

    /// Details are a new screen each time: a team's driver's team is a stack of four.
    func goTo(_ route: Route) {
        switch route {
        case .list: root(getCached(TeamsListCoordinator.self) ?? TeamsListCoordinator())
        case .team(let team): show(TeamsDetailsCoordinator(team: team), sender: self)
        case .driver(let driver): show(DriversDetailsCoordinator(driver: driver), sender: self)
        }
        activeRoute = route
    }
}

extension TeamsCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .route("", .list),
        .route("team/{team}") { if case .team(let team) = $0 { team } else { nil } },
        .route("driver/{driver}") { if case .driver(let driver) = $0 { driver } else { nil } }
    )
}

final class TeamsNavigationController: NavigationController {}
