import Coordinate

/// The common part of the Teams and Drivers tabs: a list, details on top of it, and the comparison of two drivers.
class BrowseCoordinator: NavigationCoordinator<NavigationController> {
    var activeRoute: Route = .list

    private let makeList: () -> any Coordinating
    private lazy var list = makeList()

    /// Creates the coordinator of a tab.
    ///
    /// - Parameter list: The coordinator at the bottom of the stack, created when the tab is first selected.
    init(list: @autoclosure @escaping () -> any Coordinating) {
        makeList = list
        super.init()
    }

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
            comparison.compare(with: driver, for: .compare(comparison.driver, driver))
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

    /// Builds the whole stack for a route, from the list up.
    func goTo(_ route: Route) {
        root(list, for: .list)
        if case .compare(let driver, let other) = route {
            push(.driver(driver))
            if other != nil { push(.compare(driver, nil)) }
        }
        push(route)
    }

    /// Pushes the screen of a route onto the stack. Details are a new screen each time: the team of a driver of a team
    /// is the fourth screen of the stack.
    func push(_ route: Route) {
        switch route {
        case .list:
            break
        case .team(let team):
            show(TeamsDetailsCoordinator(team: team), for: route)
        case .driver(let driver):
            show(DriversDetailsCoordinator(driver: driver), for: route)
        case .compare(let driver, nil):
            show(ComparisonCoordinator(driver: driver), for: route)
        case .compare(_, let other?):
            getCached(ComparisonCoordinator.self)?.compare(with: other, for: route)
        }
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
