import Coordinate

/// The comparison of two drivers, as a section on top of the current stack: first the choice of the other driver, then
/// both side by side. Finishing removes only the section's own screens.
final class ComparisonCoordinator: Coordinator<ComparisonChoiceViewController>, HasDependencies {
    var dependencies: AppDependencies?

    let driver: Driver

    private var section: SectionedNavigationController?

    init(driver: Driver) {
        self.driver = driver
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        section = SectionedNavigationController(for: self)
        let drivers = dependencies?.dataManager.season.drivers ?? []
        rootViewController.configure(with: driver, others: drivers.filter { $0 != driver })
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case AppEvents.Comparison.finish = event else { return false }
        section?.popSection()
        return true
    }

    /// Shows both drivers side by side, for a route of the stack's coordinator.
    func compare(with other: Driver, for route: BrowseCoordinator.Route) {
        section?.popToSectionRoot()
        section?.push(ComparisonResultCoordinator(driver: driver, other: other), for: route)
    }
}

final class ComparisonChoiceViewController: ViewController {
    private var others: [Driver] = []

    func configure(with driver: Driver, others: [Driver]) {
        self.others = others
        title = "Compare \(driver.name)"
    }

    func didSelectRow(at index: Int) {
        emitEvent(AppEvents.Comparison.choose(others[index]))
    }

    func didTapFinish() {
        emitEvent(AppEvents.Comparison.finish)
    }

    override var emptyText: String? { "There is no other driver." }

    override var rows: [Screen.Row] {
        others.map { driver in
            Screen.Row(
                id: driver.id, title: driver.name, subtitle: driver.teamName, image: driver.image,
                action: Action(title: driver.name, event: AppEvents.Comparison.choose(driver)))
        }
    }

    override var actions: [Action] {
        [Action(title: "Finish", event: AppEvents.Comparison.finish)]
    }
}
