/// An app that can be hosted: how to make its tree, and what there is to know about it without one.
///
/// ```swift
/// struct RacingApp: CoordinatedApp {
///     let name = "Racing"
///     let version = "1.0"
///     let events = EventCatalog(AppEvents.Splash.self, AppEvents.Teams.self, AppEvents.Drivers.self)
///     let routes = RouteCatalog(AppCoordinator.Route.self)
///     let coordinators: [CoordinatorNode.Type] = [AppCoordinator.self, …]
///
///     func makeRootCoordinator() -> CoordinatorNode {
///         let root = AppCoordinator()
///         root.setDependencies(dependencies: AppDependencies(…))
///         return root
///     }
/// }
/// ```
///
/// The same events make the same tree: an app has no clock, no randomness and no global state of its own; what it needs
/// of those comes in through its dependencies.
public protocol CoordinatedApp: Sendable {
    /// What the app is called.
    var name: String { get }
    /// The app's own version.
    var version: String { get }
    /// Every event it understands.
    var events: EventCatalog { get }
    /// Every path it can be at.
    var routes: RouteCatalog { get }
    /// Every class of coordinator in its trees.
    var coordinators: [CoordinatorNode.Type] { get }

    /// A new root with its dependencies, not started.
    func makeRootCoordinator() -> CoordinatorNode

    /// Says what an event is today that another version of this app recorded. By default, what it was.
    ///
    /// It is asked for each event of a session that this version did not take itself, whenever the session's tree is
    /// made again, so it must always say the same. See <doc:WhenYourAppChanges>.
    func migrate(_ event: inout RecordedEvent)
}

extension CoordinatedApp {
    public func migrate(_ event: inout RecordedEvent) {}
}
