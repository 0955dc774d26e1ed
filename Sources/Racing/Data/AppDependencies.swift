import Coordinate

/// The dependencies of every coordinator of this app.
struct AppDependencies: AppDependenciesProtocol {
    let dataManager: DataManager
    /// The source of drivers' last results; `nil` in a session that does not show them.
    let resultsSource: (any ResultsSource)?
}
