/// The base of the dependencies of an app's coordinators: services, data, a clock.
///
/// Usually there is one value for the whole tree, a struct of references: every coordinator that wants it gets a copy.
///
/// ```swift
/// struct AppDependencies: AppDependenciesProtocol {
///     let dataManager: DataManager
/// }
/// ```
public protocol AppDependenciesProtocol {}
