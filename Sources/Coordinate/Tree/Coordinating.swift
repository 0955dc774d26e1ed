/// An object with a link to a coordinator: a screen that uses its coordinator, or a coordinator with a parent.
///
/// ```swift
/// final class TeamsListViewController: ViewController, Coordinated {
///     weak var parentCoordinator: (any Coordinating)?
/// }
/// ```
///
/// Screens do not have to conform: the library links every screen to its coordinator anyway. If a screen conforms, its
/// `parentCoordinator` is set from the coordinator's start to its stop. Declare it `weak`.
public protocol Coordinated: AnyObject {
    /// The coordinator of a screen, or the parent of a coordinator. The library sets it.
    var parentCoordinator: (any Coordinating)? { get set }
}

/// A coordinator with a screen of any class.
///
/// Subclass ``Coordinator`` or one of the containers; only ``CoordinatorNode`` conforms.
public protocol Coordinating: Coordinated, HasEvents {
    /// The name of this coordinator among its siblings; by default the name of its class.
    var identifier: String { get }

    /// The path of identifiers from the root, joined by `/`; unique in the tree.
    ///
    /// A second sibling with the same identifier gets the suffix `-2`. The same events give the same ids.
    var id: String { get }

    /// Whether the coordinator is started and not yet stopped.
    var isStarted: Bool { get }

    /// The coordinators that this one owns, keyed by the last part of their ``id``.
    var childCoordinators: [String: any Coordinating] { get }

    /// Prepares the coordinator before its screen is shown.
    ///
    /// - Parameter completion: Called exactly once.
    func start(with completion: @escaping () -> Void)

    /// Ends this coordinator and everything that it owns.
    ///
    /// - Parameter completion: Called exactly once.
    func stop(with completion: @escaping () -> Void)

    /// Called once at the end of a turn that made this coordinator visible.
    func activate()

    /// Called once at the end of a turn that hid this coordinator, or when it ends while it is visible.
    func deactivate()

    /// Returns the screen as a ``ViewController``.
    func getRootViewController() -> ViewController
}

// What callers may leave out. A call on a class prefers the class's own method, with its default arguments.
extension Coordinating {
    /// Starts the coordinator. See ``start(with:)``.
    @_disfavoredOverload
    public func start() { start(with: {}) }

    /// Ends the coordinator. See ``stop(with:)``.
    @_disfavoredOverload
    public func stop() { stop(with: {}) }
}

extension ContainerCoordinating {
    /// Shows a coordinator in place of the current one. See ``root(_:animated:completion:)``.
    @_disfavoredOverload
    public func root(_ coordinator: any Coordinating, animated: Bool = false) {
        root(coordinator, animated: animated, completion: nil)
    }

    /// Pushes a coordinator, or presents it as a modal. See ``show(_:sender:)``.
    @_disfavoredOverload
    public func show(_ coordinator: any Coordinating) {
        show(coordinator, sender: nil)
    }
}

extension Coordinating {
    /// The coordinator as a node of its tree. Only ``CoordinatorNode`` conforms to `Coordinating`.
    var node: CoordinatorNode {
        guard let node = self as? CoordinatorNode else {
            preconditionFailure("\(type(of: self)) conforms to Coordinating directly. Subclass Coordinator instead.")
        }
        return node
    }
}

/// A coordinator that shows others on its screen. Only ``ContainerCoordinator`` and its subclasses conform.
public protocol ContainerCoordinating: Coordinating {
    /// Shows a coordinator in place of the current one. See ``ContainerCoordinator/root(_:animated:completion:)``.
    func root(_ coordinator: any Coordinating, animated: Bool, completion: (() -> Void)?)

    /// Pushes a coordinator, or presents it as a modal. See ``ContainerCoordinator/show(_:sender:)``.
    func show(_ coordinator: any Coordinating, sender: Any?)
}

/// A coordinator that stacks others. Only ``NavigationCoordinator`` conforms.
public protocol StackCoordinating: ContainerCoordinating {}

/// A coordinator that shows others side by side. Only ``TabBarCoordinator`` conforms.
public protocol TabBarCoordinating: ContainerCoordinating {
    /// Replaces the tabs. See ``TabBarCoordinator/setCoordinators(_:)``.
    func setCoordinators(_ coordinators: [any Coordinating])

    /// Selects a tab. See ``TabBarCoordinator/select(_:)``.
    func select(_ coordinator: any Coordinating)
}
