import Coordinate

/// The details of a driver: the team, and the last results in a session that shows them.
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
        loadResults()
    }

    // MARK: - Events

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? AppEvents.Results, dependencies?.resultsSource != nil else { return false }
        switch event {
        case .didLoad(let results):
            rootViewController.results = .loaded(results.results)
        case .didFail(let failure):
            rootViewController.results = .failed(failure)
        case .reload:
            guard rootViewController.hasFailed else { return false }
            loadResults()
        }
        return true
    }

    // MARK: - Work

    /// Requests the results. The outcome is an event. It is dropped if the user leaves before it arrives.
    private func loadResults() {
        guard let source = dependencies?.resultsSource else { return }
        rootViewController.results = .loading
        perform(
            "results", { [id = driver.id] _ in try await source.lastResults(ofDriver: id) },
            done: { AppEvents.Results.didLoad(LastResults($0)) }, failed: AppEvents.Results.didFail)
    }
}

final class DriversDetailsViewController: ViewController {
    /// The state of loading the driver's results.
    enum Results {
        case notShown
        case loading
        case loaded(_ results: [RaceResult])
        case failed(_ failure: WorkFailure)
    }

    var results = Results.notShown

    private var driver: Driver?
    private var dataManager: DataManager?

    func configure(with driver: Driver, dataManager: DataManager?) {
        self.driver = driver
        self.dataManager = dataManager
        title = driver.name
    }

    var hasFailed: Bool { status == .failed }

    override var status: Screen.Status {
        switch results {
        case .notShown, .loaded: .ready
        case .loading: .loading
        case .failed: .failed
        }
    }

    override var message: String? {
        if case .failed(let failure) = results { failure.reason } else { nil }
    }

    func didTapFavorite() {
        guard let favorite else { return }
        emitEvent(favorite)
    }

    func didTapCompare() {
        guard let driver else { return }
        emitEvent(AppEvents.Comparison.start(driver))
    }

    func didTapTryAgain() {
        emitEvent(AppEvents.Results.reload)
    }

    private var isFavorite: Bool { driver.flatMap { dataManager?.isFavorite($0) } ?? false }

    private var favorite: AppEvents.Drivers? {
        driver.map { isFavorite ? .unsetFavorite($0) : .setFavorite($0) }
    }

    override var sections: [Screen.Section] {
        [Screen.Section(id: "team", title: "Team"), Screen.Section(id: "results", title: "Last results")]
    }

    override var rows: [Screen.Row] {
        guard let driver, let dataManager, let team = dataManager.season.team(of: driver) else { return [] }
        return [Screen.Row(team, in: "team", isFavorite: dataManager.isFavorite(team))] + resultRows
    }

    private var resultRows: [Screen.Row] {
        guard case .loaded(let results) = results else { return [] }
        return results.enumerated().map { index, result in Screen.Row(result, in: "results", number: index + 1) }
    }

    override var actions: [Action] {
        guard let driver, let favorite else { return [] }
        let actions = [
            Action(title: isFavorite ? "Remove from favorites" : "Add to favorites", event: favorite),
            Action(title: "Compare", event: AppEvents.Comparison.start(driver)),
        ]
        return hasFailed ? actions + [Action(title: "Try again", event: AppEvents.Results.reload)] : actions
    }
}
