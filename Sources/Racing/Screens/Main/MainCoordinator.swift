import Coordinate

/// The tabs. This coordinator decides which tab shows what, and keeps the favorites and their badge.
final class MainCoordinator: TabBarCoordinator<MainViewController>, HasDependencies {
    var dependencies: AppDependencies?

    var activeRoute: Route = .teams(nil)

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        let first = activeRoute
        setCoordinators([
            (TeamsCoordinator(), .teams(nil)), (DriversCoordinator(), .drivers(nil)),
            (ProfileCoordinator(), .profile(nil)),
        ])
        updateProfileBadge()
        goTo(first)
    }

    /// A tap selects a tab with its stack unchanged. A tap on the selected tab returns to its list, as on a phone.
    override func tabTapped(for coordinator: any Coordinating) {
        guard coordinator === selectedCoordinator else { return select(coordinator) }
        switch coordinator {
        case is TeamsCoordinator: goTo(.teams(.list))
        case is DriversCoordinator: goTo(.drivers(.list))
        default: goTo(.profile(.overview))
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
            show(.team(team), in: emittingChild as? BrowseCoordinator ?? getCached(TeamsCoordinator.self))
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
            show(.driver(driver), in: emittingChild as? BrowseCoordinator ?? getCached(DriversCoordinator.self))
        case .setFavorite(let driver):
            dependencies?.dataManager.setFavorite(driver)
            updateProfileBadge()
        case .unsetFavorite(let driver):
            dependencies?.dataManager.unsetFavorite(driver)
            updateProfileBadge()
        }
    }

    /// Selects a tab and pushes the screen of a route onto its stack.
    private func show(_ route: BrowseCoordinator.Route, in tab: BrowseCoordinator?) {
        guard let tab else { return }
        select(tab)
        tab.push(route)
    }

    private func updateProfileBadge() {
        let count = dependencies?.dataManager.favoriteCount ?? 0
        let profile = getCached(ProfileCoordinator.self)
        profile?.rootViewController.tabBarItem.badgeValue = count > 0 ? String(count) : nil
    }
}

extension MainCoordinator: HasRoutes {
    enum Route: Equatable {
        case teams(TeamsCoordinator.Route?)
        case drivers(DriversCoordinator.Route?)
        case profile(ProfileCoordinator.Route?)
    }

    /// Selects a tab and passes the rest of the route to it.
    func goTo(_ route: Route) {
        switch route {
        case .teams(let route):
            guard let teams = getCached(TeamsCoordinator.self) else { return }
            select(teams, at: route)
        case .drivers(let route):
            guard let drivers = getCached(DriversCoordinator.self) else { return }
            select(drivers, at: route)
        case .profile(let route):
            guard let profile = getCached(ProfileCoordinator.self) else { return }
            select(profile, at: route)
        }
    }
}

extension MainCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .nested("teams", Self.teams) { if case .teams(let route) = $0 { route } else { nil } },
        .nested("drivers", Self.drivers) { if case .drivers(let route) = $0 { route } else { nil } },
        .nested("profile", Self.profile) { if case .profile(let route) = $0 { route } else { nil } }
    )
}

final class MainViewController: TabBarController {}
