import Coordinate

final class ComparisonResultCoordinator: Coordinator<ComparisonResultViewController>, HasDependencies {
    var dependencies: AppDependencies?

    private let drivers: [Driver]

    init(driver: Driver, other: Driver) {
        drivers = [driver, other]
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.configure(with: drivers, dataManager: dependencies?.dataManager)
    }
}

final class ComparisonResultViewController: ViewController {
    private var drivers: [Driver] = []
    private var dataManager: DataManager?

    func configure(with drivers: [Driver], dataManager: DataManager?) {
        self.drivers = drivers
        self.dataManager = dataManager
        title = drivers.map(\.name).joined(separator: " – ")
    }

    func didTapFinish() {
        emitEvent(AppEvents.Comparison.finish)
    }

    override var rows: [Screen.Row] {
        guard let dataManager else { return [] }
        return drivers.map { Screen.Row($0, isFavorite: dataManager.isFavorite($0)) }
    }

    override var actions: [Action] {
        [Action(title: "Finish", event: AppEvents.Comparison.finish)]
    }
}
