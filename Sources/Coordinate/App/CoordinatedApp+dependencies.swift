extension CoordinatedApp {
    /// The dependencies of a session that has just begun: what the app knows without one.
    package var initialDependencies: (any AppDependenciesProtocol)? {
        let root = makeRootCoordinator()
        defer { root.dismantle() }
        return root.ownDependencies
    }
}

extension CoordinatorNode {
    /// The dependencies that this coordinator holds itself.
    package var ownDependencies: (any AppDependenciesProtocol)? {
        (self as? any HasDependenciesProtocol)?.getDependencies()
    }
}
