import Coordinate

/// What every coordinator of this app is given.
struct AppDependencies: AppDependenciesProtocol {
    let dataManager: DataManager
}
