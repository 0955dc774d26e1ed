import Coordinate

/// The Profile tab: the favourites. A tap shows one in the tab of its kind, a swipe takes it off the list.
final class ProfileCoordinator: Coordinator<ProfileViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override init() {
        super.init()
        rootViewController.tabBarItem = TabBarItem(title: "Profile", image: Image(named: "user-icon"), tag: 2)
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.configure(with: dependencies?.dataManager)
    }
}

final class ProfileViewController: ViewController {
    private var dataManager: DataManager?

    func configure(with dataManager: DataManager?) {
        self.dataManager = dataManager
        title = dataManager?.profileName
    }

    override var rows: [Screen.Row] {
        guard let dataManager else { return [] }
        let teams = dataManager.favoriteTeams.map { team in
            Screen.Row(team, favorite: true, delete: unset(AppEvents.Teams.unsetFavorite(team)))
        }
        let drivers = dataManager.favoriteDrivers.map { driver in
            Screen.Row(driver, favorite: true, delete: unset(AppEvents.Drivers.unsetFavorite(driver)))
        }
        return teams + drivers
    }

    private func unset(_ event: some DeclaredEvents) -> Action {
        Action(title: "Remove from favorites", event: event)
    }
}
