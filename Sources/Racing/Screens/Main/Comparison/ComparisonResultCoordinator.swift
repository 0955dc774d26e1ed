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

/// Two drivers side by side. The content has their results, for clients that draw a chart.
final class ComparisonResultViewController: ViewController, HasContent {
    private(set) var content: Comparison?

    private var drivers: [Driver] = []
    private var dataManager: DataManager?

    func configure(with drivers: [Driver], dataManager: DataManager?) {
        self.drivers = drivers
        self.dataManager = dataManager
        content = dataManager.map { Comparison(of: drivers, in: $0.season.races) }
        title = drivers.map(\.name).joined(separator: " – ")
    }

    func didTapFinish() {
        emitEvent(AppEvents.Comparison.finish)
    }

    override var sections: [Screen.Section] { [Screen.Section(id: "drivers", footer: content?.points)] }

    override var rows: [Screen.Row] {
        guard let dataManager else { return [] }
        return drivers.map { Screen.Row($0, in: "drivers", isFavorite: dataManager.isFavorite($0)) }
    }

    override var actions: [Action] {
        [Action(title: "Finish", event: AppEvents.Comparison.finish)]
    }
}
