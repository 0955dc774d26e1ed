import Coordinate

/// What every coordinator of this app is given.
struct AppDependencies: AppDependenciesProtocol {
    let dataManager: DataManager
    /// Where drivers' last results come from; nil in a session that does not show them.
    let resultsSource: (any ResultsSource)?
}
