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

    func didTapFavorite() {
        guard let favorite else { return }
        emitEvent(favorite)
    }

    func didSelectRow(at index: Int) {
        guard let team else { return }
        emitEvent(AppEvents.Drivers.didSelect(team.drivers[index]))
    }

    private var isFavorite: Bool { team.flatMap { dataManager?.isFavorite($0) } ?? false }

    private var favorite: AppEvents.Teams? {
        team.map { isFavorite ? .unsetFavorite($0) : .setFavorite($0) }
    }

    override var emptyText: String? { "This team has no drivers." }

    override var rows: [Screen.Row] {
        guard let team, let dataManager else { return [] }
        return team.drivers.map { driver in
            Screen.Row(driver, isFavorite: dataManager.isFavorite(driver))
        }
    }

    override var actions: [Action] {
        guard let favorite else { return [] }
        return [Action(title: isFavorite ? "Remove from favorites" : "Add to favorites", event: favorite)]
    }
}
