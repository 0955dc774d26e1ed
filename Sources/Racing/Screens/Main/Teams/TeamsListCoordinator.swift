import Coordinate

final class TeamsListCoordinator: Coordinator<TeamsListViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.dataManager = dependencies?.dataManager
    }
}

final class TeamsListViewController: ViewController {
    var dataManager: DataManager?

    required init() {
        super.init()
        title = "Teams"
    }

    func didSelectRow(at index: Int) {
        guard let dataManager else { return }
        emitEvent(AppEvents.Teams.didSelect(dataManager.season.teams[index]))
    }

    override var rows: [Screen.Row] {
        guard let dataManager else { return [] }
        return dataManager.season.teams.map { team in
            Screen.Row(team, isFavorite: dataManager.isFavorite(team), opens: team.path)
        }
    }
}
