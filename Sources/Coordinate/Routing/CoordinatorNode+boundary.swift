// Guards are a boundary: what they refuse is not in the tree. Each turn ends with a question about all that is started and
// not visible. What is visible is redirected instead: see `followGuards`.
extension CoordinatorNode {
    /// Ends what guards refuse among all that is started and not visible; only for the root.
    ///
    /// - Returns: True where something ended: the tree may have changed.
    final func endRefused() -> Bool {
        guard tree.hasGuards else { return false }
        let refused = refusedParts(beside: Set(way.map { ObjectIdentifier($0.node) })).parts
        guard !refused.isEmpty, tree.beginNavigation() else { return false }
        for node in refused.reversed() where node.isStarted && node.cachedTree === tree { node.expel() }
        return true
    }

    /// The outermost hidden coordinators, of this one and those below, of which guards refuse everything.
    ///
    /// - Returns: They are this one alone where `isWhole` is true.
    private final func refusedParts(
        beside visible: Set<ObjectIdentifier>
    ) -> (isWhole: Bool, parts: [CoordinatorNode]) {
        tree.steps += 1
        let isVisible = visible.contains(ObjectIdentifier(self))
        guard isStarted || !isVisible else { return (false, []) }
        let isWhole: Bool
        var parts: [CoordinatorNode] = []
        if children.isEmpty || !isStarted {
            isWhole = !isVisible && isRefusedByGuards
        } else {
            let children = children.map { $0.refusedParts(beside: visible) }
            isWhole = !isVisible && children.allSatisfy(\.isWhole)
            parts = children.flatMap(\.parts)
        }
        if isWhole { return (true, isStarted ? [self] : []) }
        for node in modals.nodes + retainedChildren.nodes { parts += node.refusedParts(beside: visible).parts }
        return (false, parts)
    }

    /// True where a guard refuses the route that leads to this hidden screen. A screen that no route is known of is
    /// granted.
    private final var isRefusedByGuards: Bool {
        let way = wayHere + [WayStep(node: self, route: routePathBelowModals)]
        return way.indices.contains { index in
            let node = way[index].node
            return node.routeGuard?.refusesHidden(on: way[index...], in: rootNode.ownDependencies) == true
        }
    }

    /// Ends this hidden coordinator, and all that it owns. An only child, or a tab, keeps its place.
    private final func expel() {
        guard let parentNode else { return }
        letGoOfWhatOthersPresented()
        if parentNode.modals.contains(self) {
            parentNode.dismiss(self)
        } else if let container, container.kind == .navigation, container.children.count > 1 {
            container.pop([self])
        } else if container != nil {
            stopInPlace()
        } else {
            stop(with: {})
        }
    }

    /// Hands the visible modals that coordinators elsewhere presented on top of this one, or of what it owns, to the
    /// screen below.
    private final func letGoOfWhatOthersPresented() {
        guard var below = presenterNode ?? container else { return }
        for modal in rootNode.visibleChain.drop(while: { $0 !== self }) where !modal.isOwned(by: self) {
            guard let presenter = modal.presenterNode else { continue }
            if presenter.isOwned(by: self) {
                presenter.presentedNode = nil
                below.presentedNode = modal
                modal.presenterNode = below
            }
            below = modal
        }
    }

    /// True where this is another coordinator, or ends with it.
    private final func isOwned(by other: CoordinatorNode) -> Bool {
        sequence(first: self, next: \.parentNode).contains { $0 === other }
    }

    /// Stops this coordinator where it is. It starts anew, at the route that it began with, when it is visible again.
    private final func stopInPlace() {
        tellResult()
        if let base = routeBook.base, let routes, !routes.isActive(base.route) { routes.restore(base.route) }
        stopForOthers()
        unlinkScreen()
        linkScreen()
        tree.needsSettling = true
    }
}
