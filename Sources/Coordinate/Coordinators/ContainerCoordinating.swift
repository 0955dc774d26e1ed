/// A coordinator that shows others in its screen. Only ``ContainerCoordinator`` and its subclasses conform.
public protocol ContainerCoordinating: Coordinating {
    /// Shows a coordinator in place of the one that is here: see ``ContainerCoordinator/root(_:animated:completion:)``.
    func root(_ coordinator: any Coordinating, animated: Bool, completion: (() -> Void)?)

    /// Shows a coordinator in whatever way fits here: see ``ContainerCoordinator/show(_:sender:)``.
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
