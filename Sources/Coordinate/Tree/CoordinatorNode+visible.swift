extension CoordinatorNode {
    /// The visible coordinators from this one down to the leaf. A modal comes before the visible child.
    final var visibleChain: [CoordinatorNode] {
        var chain: [CoordinatorNode] = []
        chain.reserveCapacity(8)
        chain.append(self)
        while let next = chain[chain.count - 1].visibleNext { chain.append(next) }
        return chain
    }

    /// The coordinator whose screen is visible. Read it on the root. A user's events begin at that screen:
    ///
    /// ```swift
    /// app.visibleLeaf.getRootViewController().emitEvent(AppEvents.Splash.didFinish)
    /// ```
    public final var visibleLeaf: any Coordinating {
        var node = self
        while let next = node.visibleNext { node = next }
        return node
    }

    /// The active routes from this coordinator down to the visible leaf: `/main/teams`. Read it on the root.
    public final var path: String { routePath.link }

    /// The active routes from this coordinator down to the visible leaf.
    final var routePath: RoutePath {
        var path = RoutePath.empty
        var node = self
        while true {
            guard node.presentedNode == nil else { return way.path }
            if let route = node.activeRoutePath { path.append(route) }
            guard let child = node.visibleIndex else { return path }
            node = node.children[child]
        }
    }

    /// The started coordinators on a screen, visible or not: this one and all below it.
    public final var startedCoordinators: [any Coordinating] {
        guard isStarted else { return [] }
        let below = presentedNode.map { children.nodes + [$0] } ?? children.nodes
        return [self] + below.flatMap(\.startedCoordinators)
    }

    private final var visibleNext: CoordinatorNode? { presentedNode ?? visibleChild }

    /// Returns the coordinator with an id, among this one and those on a screen below it; `nil` if there is none. It
    /// does not find coordinators that are retained off the screen.
    public final func coordinator(withID id: String) -> (any Coordinating)? {
        if self.id == id { return self }
        // If two have the same id, the first one is returned.
        if let index = cachedTree?.indexOfMany, index.doubles.isEmpty {
            return index[id].flatMap { $0.isOnScreen(below: self) ? $0 : nil }
        }
        for child in children {
            if let match = child.coordinator(withID: id) { return match }
        }
        return presentedNode?.coordinator(withID: id)
    }

    /// Returns whether this coordinator is `other`, or is on its screen at any depth.
    ///
    /// - Parameter isVisible: Whether it must be visible, or would be without the modals on top of it.
    final func isOnScreen(below other: CoordinatorNode, isVisible: Bool = false) -> Bool {
        var node = self
        while node !== other {
            if let presenter = node.presenterNode, presenter.presentedNode === node {
                node = presenter
            } else if let container = node.container, container.children.contains(node),
                !isVisible || container.visibleChild === node
            {
                node = container
            } else {
                return false
            }
        }
        return true
    }
}
