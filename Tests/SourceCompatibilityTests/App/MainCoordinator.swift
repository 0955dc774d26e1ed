import Coordinate

class MainCoordinator: TabBarCoordinator<UITabBarController>, HasDependencies {
    var dependencies: AppDependencies?

    var activeRoute: Route = .teams

    private(set) var tappedTabs: [String] = []

    var favoritesBadge: String? {
        get { rootViewController.tabBar.items?[2].badgeValue }
        set { rootViewController.tabBar.items?[2].badgeValue = newValue }
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([TeamsCoordinator(), NewsCoordinator(), ProfileCoordinator()])
        goTo(activeRoute)
    }

    override func tabTapped(for coordinator: Coordinating) {
        tappedTabs.append(coordinator.identifier)
        switch coordinator {
        case is TeamsCoordinator: goTo(.teams)
        case is NewsCoordinator: goTo(.news)
        default: goTo(.profile)
        }
    }

    override func interceptEvent(_ event: CoordinateEvents) -> Bool {
        if let event = event as? AppEvents.Teams {
            switch event {
            case .setFavorite(let team):
                dependencies?.dataManager.favorites.append(team)
            case .removeFavorite(let team):
                dependencies?.dataManager.favorites.removeAll { $0 == team }
            default:
                return false
            }
            let count = dependencies?.dataManager.favorites.count ?? 0
            favoritesBadge = count > 0 ? "\(count)" : nil
            return true
        }
        return false
    }
}

extension MainCoordinator: HasRoutes {
    enum Route: Equatable {
        case teams
        case news
        case profile
    }

    func goTo(_ route: Route) {
        switch route {
        case .teams: selectTab(TeamsCoordinator.self)
        case .news: selectTab(NewsCoordinator.self)
        case .profile: selectTab(ProfileCoordinator.self)
        }
        self.activeRoute = route
    }

    private func selectTab<C: Coordinating>(_ type: C.Type) {
        guard let coordinator = getCached(type) else { return }
        select(coordinator)
    }
}

class NewsCoordinator: Coordinator<UIViewController> {
    override init() {
        super.init()
        self.identifier = "Latest"
        rootViewController.tabBarItem = UITabBarItem(title: "News", image: nil, tag: 1)
    }
}
