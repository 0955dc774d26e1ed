import Coordinate

/// What the Teams and the Drivers tab have in common: a list, details on top of it, and the comparison of two drivers.
class BrowseCoordinator: NavigationCoordinator<NavigationController> {
    var activeRoute: Route = .list

    /// The coordinator at the bottom of the stack.
    var list: any Coordinating { preconditionFailure("\(type(of: self)) has no list") }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    // MARK: - Events

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Comparison.start(let driver):
            push(.compare(driver, nil))
            return true
        case AppEvents.Comparison.choose(let driver):
            guard let comparison = emittingChild as? ComparisonCoordinator, comparison.driver != driver else {
                return false
            }
            comparison.compare(with: driver)
            activeRoute = .compare(comparison.driver, driver)
            return true
        default:
            return false
        }
    }
}

extension BrowseCoordinator: HasRoutes {
    enum Route: Equatable {
        case list
        case team(_ team: Team)
        case driver(_ driver: Driver)
        case compare(_ driver: Driver, _ other: Driver?)
    }

    /// Builds the whole stack for a route, the list first.
    func goTo(_ route: Route) {
        root(list)
        // What is pushed next remembers the route it covers, for Back.
        activeRoute = .list
        if case .compare(let driver, _) = route { push(.driver(driver)) }
        push(route)
    }

    /// Puts what a route is about on top of what is there. Details are a new screen each time: a team's driver's team is
    /// a stack of four.
    func push(_ route: Route) {
        switch route {
        case .list:
            break
        case .team(let team):
            show(TeamsDetailsCoordinator(team: team), sender: self)
        case .driver(let driver):
            show(DriversDetailsCoordinator(driver: driver), sender: self)
        case .compare(let driver, nil):
            show(ComparisonCoordinator(driver: driver), sender: self)
        case .compare(let driver, let other?):
            push(.compare(driver, nil))
            getCached(ComparisonCoordinator.self)?.compare(with: other)
        }
        activeRoute = route
    }
}

extension BrowseCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .route("", .list),
        .route("team/{team}", Self.team) { if case .team(let team) = $0 { team } else { nil } },
        .route("driver/{driver}", Self.driver) { if case .driver(let driver) = $0 { driver } else { nil } },
        .route("compare/{driver}", { .compare($0, nil) }) {
            if case .compare(let driver, nil) = $0 { driver } else { nil }
        },
        .route("compare/{driver}/{driver}", { $0 == $1 ? nil : .compare($0, $1) }) {
            if case .compare(let driver, let other?) = $0 { (driver, other) } else { nil }
        }
    )
}
