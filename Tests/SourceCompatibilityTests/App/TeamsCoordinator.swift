import Coordinate

class TeamsCoordinator: NavigationCoordinator<UINavigationController>, HasDependencies {
    var dependencies: AppDependencies?

    var activeRoute: Route = .list

    private(set) var poppedBackTo: [String?] = []

    override init() {
        super.init()
        rootViewController.tabBarItem = UITabBarItem(title: "Teams", image: UIImage(named: "car-icon"), tag: 0)
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    override func interceptEvent(_ event: CoordinateEvents) -> Bool {
        if let event = event as? AppEvents.Teams {
            switch event {
            case .willShowTeam(let team):
                goTo(.team(team))
                return true
            default:
                return false
            }
        }
        return false
    }

    override func poppedBack(to coordinator: Coordinating?) {
        poppedBackTo.append(coordinator?.identifier)
    }

    func backToList() {
        guard let list = childCoordinators["TeamsListCoordinator"] else { return }
        popToCoordinator(list, animated: true)
    }

    private func showList() {
        let coordinator = getCached(TeamsListCoordinator.self) ?? TeamsListCoordinator()
        root(coordinator)
    }

    private func showTeam(_ team: Team) {
        let coordinator = TeamsDetailsCoordinator(team: team)
        show(coordinator, sender: self)
    }
}

extension TeamsCoordinator: HasRoutes {
    enum Route: Equatable {
        case list
        case team(_ team: Team)
    }

    func goTo(_ route: Route) {
        switch route {
        case .list: showList()
        case .team(let team): showTeam(team)
        }
        self.activeRoute = route
    }
}

class TeamsListCoordinator: Coordinator<TeamsListViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.title = "Teams"
        rootViewController.teams = dependencies?.dataManager.teams ?? []
    }

    override func activate() {
        super.activate()
        rootViewController.favorites = dependencies?.dataManager.favorites ?? []
    }
}

class TeamsDetailsCoordinator: Coordinator<TeamsDetailsViewController>, HasDependencies {
    var dependencies: AppDependencies?

    private let team: Team

    init(team: Team) {
        self.team = team
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.title = team.name
        rootViewController.team = team
    }
}

class TeamsListViewController: UITableViewController, Coordinated {
    var parentCoordinator: Coordinating?

    var teams: [Team] = []
    var favorites: [Team] = []

    func didSelectRow(at index: Int) {
        emitEvent(AppEvents.Teams.willShowTeam(teams[index]))
    }
}

class TeamsDetailsViewController: UIViewController, Coordinated {
    weak var parentCoordinator: Coordinating?

    var team: Team?

    func didTapFavorite() {
        guard let team = team else { return }
        emitEvent(AppEvents.Teams.setFavorite(team))
    }
}
