import Coordinate

final class DriversDetailsCoordinator: Coordinator<DriversDetailsViewController>, HasDependencies {
    var dependencies: AppDependencies?

    private let driver: Driver

    init(driver: Driver) {
        self.driver = driver
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.configure(with: driver, dataManager: dependencies?.dataManager)
    }
}

final class DriversDetailsViewController: ViewController {
    private var driver: Driver?
    private var dataManager: DataManager?

    func configure(with driver: Driver, dataManager: DataManager?) {
        self.driver = driver
        self.dataManager = dataManager
        title = driver.name
    }

    override var rows: [Screen.Row] {
        guard let driver, let dataManager, let team = dataManager.season.team(of: driver) else { return [] }
        return [Screen.Row(team, favorite: dataManager.isFavorite(team))]
    }

    override var actions: [Action] {
        guard let driver, let dataManager else { return [] }
        return [
            dataManager.isFavorite(driver)
                ? Action(title: "Remove from favorites", event: AppEvents.Drivers.unsetFavorite(driver))
                : Action(title: "Add to favorites", event: AppEvents.Drivers.setFavorite(driver)),
            Action(title: "Compare", event: AppEvents.Comparison.start(driver)),
        ]
    }
}
