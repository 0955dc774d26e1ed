import Coordinate

/// The tabs. It knows which tab shows what, and keeps the favourites and their badge.
final class MainCoordinator: TabBarCoordinator<MainViewController>, HasDependencies {
    var dependencies: AppDependencies?

    var activeRoute: Route = .teams(nil)

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([TeamsCoordinator(), DriversCoordinator(), ProfileCoordinator()])
        goTo(activeRoute)
    }

    /// A tap selects a tab as it was left; a tap on the selected tab leads back to its list, as on a phone.
    override func tabTapped(for coordinator: any Coordinating) {
        let isSelected = coordinator === selectedCoordinator
        switch coordinator {
        case is TeamsCoordinator: goTo(.teams(isSelected ? .list : nil))
        case is DriversCoordinator: goTo(.drivers(isSelected ? .list : nil))
        default: goTo(.profile)
        }
    }

    // MARK: - Events

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case let event as AppEvents.Teams: interceptEvent(event)
        case let event as AppEvents.Drivers: interceptEvent(event)
        default: return false
        }
        return true
    }

    private func interceptEvent(_ event: AppEvents.Teams) {
        switch event {
        case .didSelect(let team):
            goTo(emittingChild is DriversCoordinator ? .drivers(.team(team)) : .teams(.team(team)))
        case .setFavorite(let team):
            dependencies?.dataManager.setFavorite(team)
            updateProfileBadge()
        case .unsetFavorite(let team):
            dependencies?.dataManager.unsetFavorite(team)
            updateProfileBadge()
        }
    }

    private func interceptEvent(_ event: AppEvents.Drivers) {
        switch event {
        case .didSelect(let driver):
            goTo(emittingChild is TeamsCoordinator ? .teams(.driver(driver)) : .drivers(.driver(driver)))
        case .setFavorite(let driver):
            dependencies?.dataManager.setFavorite(driver)
            updateProfileBadge()
        case .unsetFavorite(let driver):
            dependencies?.dataManager.unsetFavorite(driver)
            updateProfileBadge()
        }
    }

    private func updateProfileBadge() {
        let count = dependencies?.dataManager.favoriteCount ?? 0
        rootViewController.tabBar.items?[2].badgeValue = count > 0 ? String(count) : nil
    }
}

extension MainCoordinator: HasRoutes {
    enum Route: Equatable {
        case teams(TeamsCoordinator.Route?)
        case drivers(DriversCoordinator.Route?)
        case profile
    }

    /// Selects a tab, and sends it on where the route says so. What the tab shows is the tab's own to know.
    func goTo(_ route: Route) {
        switch route {
        case .teams(let route):
            guard let teams = getCached(TeamsCoordinator.self) else { return }
            select(teams)
            if let route { teams.goTo(route) }
            activeRoute = .teams(nil)
        case .drivers(let route):
            guard let drivers = getCached(DriversCoordinator.self) else { return }
            select(drivers)
            if let route { drivers.goTo(route) }
            activeRoute = .drivers(nil)
        case .profile:
            guard let profile = getCached(ProfileCoordinator.self) else { return }
            select(profile)
            activeRoute = .profile
        }
    }
}

extension MainCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .nested("teams", TeamsCoordinator.Route.self) { if case .teams = $0 { true } else { false } },
        .nested("drivers", DriversCoordinator.Route.self) { if case .drivers = $0 { true } else { false } },
        .route("profile", .profile)
    )
}

final class MainViewController: TabBarController {}
