import Coordinate

final class DriversListCoordinator: Coordinator<DriversListViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.dataManager = dependencies?.dataManager
    }
}

final class DriversListViewController: ViewController {
    var dataManager: DataManager?

    required init() {
        super.init()
        title = "Drivers"
    }

    func didSelectRow(at index: Int) {
        guard let dataManager else { return }
        emitEvent(AppEvents.Drivers.didSelect(dataManager.season.drivers[index]))
    }

    override var emptyText: String? { "This season has no drivers." }

    override var rows: [Screen.Row] {
        guard let dataManager else { return [] }
        return dataManager.season.drivers.map { driver in
            Screen.Row(driver, isFavorite: dataManager.isFavorite(driver), opens: driver.path)
        }
    }
}
