import Coordinate

final class TeamsDetailsCoordinator: Coordinator<TeamsDetailsViewController>, HasDependencies {
    var dependencies: AppDependencies?

    private let team: Team

    init(team: Team) {
        self.team = team
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.configure(with: team, dataManager: dependencies?.dataManager)
    }
}

final class TeamsDetailsViewController: ViewController {
    private var team: Team?
    private var dataManager: DataManager?

    func configure(with team: Team, dataManager: DataManager?) {
        self.team = team
        self.dataManager = dataManager
        title = team.name
    }

    override var rows: [Screen.Row] {
        guard let team, let dataManager else { return [] }
        return team.drivers.map { driver in
            Screen.Row(driver, favorite: dataManager.isFavorite(driver))
        }
    }

    override var actions: [Action] {
        guard let team, let dataManager else { return [] }
        return [
            dataManager.isFavorite(team)
                ? Action(title: "Remove from favorites", event: AppEvents.Teams.unsetFavorite(team))
                : Action(title: "Add to favorites", event: AppEvents.Teams.setFavorite(team))
        ]
    }
}
