import Coordinate

/// The Profile tab with the favorites. A tap shows a favorite in the tab of its kind, and a swipe removes it. The
/// profile is edited in a modal.
final class ProfileCoordinator: Coordinator<ProfileViewController>, HasDependencies {
    var dependencies: AppDependencies?

    var activeRoute: Route = .overview

    override init() {
        super.init()
        rootViewController.tabBarItem = TabBarItem(title: "Profile", image: Image(symbol: "person"), tag: 2)
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.configure(with: dependencies?.dataManager)
        goTo(activeRoute)
    }

    // MARK: - Events

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Profile.edit:
            goTo(.edit)
        case AppEvents.Profile.rename(let name):
            dependencies?.dataManager.rename(to: name)
            rootViewController.configure(with: dependencies?.dataManager)
            goTo(.overview)
        default:
            return false
        }
        return true
    }
}

extension ProfileCoordinator: HasRoutes {
    enum Route: Equatable {
        case overview
        case edit
    }

    func goTo(_ route: Route) {
        switch route {
        case .overview:
            dismiss()
        case .edit:
            guard presentedCoordinator == nil else { return }
            present(ProfileEditorCoordinator(), for: .edit)
        }
    }
}

extension ProfileCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .route("", .overview),
        .route("edit", .edit)
    )
}

final class ProfileViewController: ViewController {
    private var dataManager: DataManager?

    func configure(with dataManager: DataManager?) {
        self.dataManager = dataManager
        title = dataManager?.profileName.text
    }

    func didTapEdit() {
        emitEvent(AppEvents.Profile.edit)
    }

    override var sections: [Screen.Section] {
        [
            Screen.Section(id: "teams", title: "Favorite teams"),
            Screen.Section(id: "drivers", title: "Favorite drivers"),
        ]
    }

    override var emptyText: String? {
        "No favorites yet. Open a team or a driver, and press “Add to favorites”."
    }

    override var rows: [Screen.Row] {
        guard let dataManager else { return [] }
        let teams = dataManager.favoriteTeams.map { team in
            Screen.Row(team, in: "teams", isFavorite: true, delete: unset(AppEvents.Teams.unsetFavorite(team)))
        }
        let drivers = dataManager.favoriteDrivers.map { driver in
            Screen.Row(driver, in: "drivers", isFavorite: true, delete: unset(AppEvents.Drivers.unsetFavorite(driver)))
        }
        return teams + drivers
    }

    override var actions: [Action] {
        [Action(title: "Edit profile", event: AppEvents.Profile.edit)]
    }

    private func unset(_ event: some DeclaredEvents) -> Action {
        Action(title: "Remove from favorites", event: event)
    }
}
