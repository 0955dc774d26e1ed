/// An object that belongs to a coordinator: a screen that wants to reach its coordinator, or a coordinator with a
/// parent.
///
/// ```swift
/// final class TeamsListViewController: ViewController, Coordinated {
///     weak var parentCoordinator: (any Coordinating)?
/// }
/// ```
///
/// A screen need not conform: the library links every screen to its coordinator anyway. If it does conform, its
/// `parentCoordinator` is set from the coordinator's start to its stop; declare it `weak`.
public protocol Coordinated: AnyObject {
    /// The coordinator of a screen, or the parent of a coordinator. Set by the library.
    var parentCoordinator: (any Coordinating)? { get set }
}

/// A coordinator, whatever its screen's class.
///
/// Subclass ``Coordinator`` or one of the containers to make one: nothing but ``CoordinatorNode`` conforms.
public protocol Coordinating: Coordinated, HasEvents {
    /// The name of this coordinator among its siblings: by default that of its class.
    var identifier: String { get }

    /// The path of identifiers from the root, joined by `/`; unique in the tree.
    ///
    /// A second sibling with the same identifier gets the suffix `-2`. The same events give the same ids.
    var id: String { get }

    /// True from the coordinator's start until it is stopped.
    var isStarted: Bool { get }

    /// The coordinators that this one owns, by the last part of their ``id``.
    var childCoordinators: [String: any Coordinating] { get }

    /// Prepares the coordinator before its screen is shown.
    ///
    /// - Parameter completion: Called exactly once.
    func start(with completion: @escaping () -> Void)

    /// Ends this coordinator and all that it owns.
    ///
    /// - Parameter completion: Called exactly once.
    func stop(with completion: @escaping () -> Void)

    /// Called once at the end of a turn that made this coordinator visible.
    func activate()

    /// Called once at the end of a turn that hid this coordinator, or when it ends while it is visible.
    func deactivate()

    /// The screen, without its class.
    func getRootViewController() -> ViewController
}

extension Coordinating {
    /// The coordinator as a node of its tree. Only ``CoordinatorNode`` conforms to `Coordinating`.
    var node: CoordinatorNode {
        guard let node = self as? CoordinatorNode else {
            preconditionFailure("\(type(of: self)) conforms to Coordinating: subclass Coordinator instead")
        }
        return node
    }
}

/// A coordinator that shows others on its screen. Only ``ContainerCoordinator`` and its subclasses conform.
public protocol ContainerCoordinating: Coordinating {
    /// Shows a coordinator in place of the current one: see ``ContainerCoordinator/root(_:animated:completion:)``.
    func root(_ coordinator: any Coordinating, animated: Bool, completion: (() -> Void)?)

    /// Shows a coordinator, pushed or as a modal: see ``ContainerCoordinator/show(_:sender:)``.
    func show(_ coordinator: any Coordinating, sender: Any?)
}

/// A coordinator that stacks others. Only ``NavigationCoordinator`` conforms.
public protocol StackCoordinating: ContainerCoordinating {}

/// A coordinator that has others side by side. Only ``TabBarCoordinator`` conforms.
public protocol TabBarCoordinating: ContainerCoordinating {
    /// Makes these coordinators the tabs: see ``TabBarCoordinator/setCoordinators(_:)``.
    func setCoordinators(_ coordinators: [any Coordinating])

    /// Selects a tab: see ``TabBarCoordinator/select(_:)``.
    func select(_ coordinator: any Coordinating)
}
