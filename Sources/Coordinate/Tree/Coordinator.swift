/// A coordinator of one screen. It creates the screen, gives it its data, and reacts to its events.
///
/// ```swift
/// final class SplashCoordinator: Coordinator<SplashViewController> {}
/// ```
///
/// It shows no other coordinators on its screen; ``ContainerCoordinator``, ``NavigationCoordinator`` and
/// ``TabBarCoordinator`` do. Any coordinator can present another one as a modal. A coordinator on a navigation stack
/// can push more onto it through a ``SectionedNavigationController``.
///
/// A coordinator is a plain synchronous class: keep it on one thread, or under one lock. Test it by emitting events:
///
/// ```swift
/// let app = AppCoordinator()
/// try app.turn { app.start() }
/// app.visibleLeaf.getRootViewController().emitEvent(AppEvents.Splash.didFinish)
/// #expect(app.path == "/main/teams")
/// ```
open class Coordinator<T: ViewController>: CoordinatorNode {
    /// The screen. It stays the same for the coordinator's whole life.
    public let rootViewController: T

    /// Creates the coordinator with a screen of its own.
    public init() {
        rootViewController = T()
        super.init(screen: rootViewController)
    }

    /// Creates the coordinator with an existing screen, for screens that need more than `init()`.
    public init(rootViewController: T) {
        self.rootViewController = rootViewController
        super.init(screen: rootViewController)
    }

    /// Creates the coordinator with a screen of its own, and calls a closure that prepares it.
    ///
    /// ```swift
    /// show(ResultsCoordinator { $0.query = query }, for: .search(query))
    /// ```
    ///
    /// - Parameter prepare: Sets what the screen shows. Dependencies are not available yet.
    public init(prepare: (T) -> Void) {
        rootViewController = T()
        super.init(screen: rootViewController)
        prepare(rootViewController)
    }
}
