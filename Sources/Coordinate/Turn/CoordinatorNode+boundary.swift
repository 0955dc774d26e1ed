// At the end of each turn, the guards decide on all started coordinators that are not visible, and those that they
// refuse end. Visible ones are redirected instead: see `followGuards`.
extension CoordinatorNode {
    /// Ends the started coordinators that guards refuse and that are not on the way to the visible screen. Call it on
    /// the root.
    ///
    /// - Returns: Whether a coordinator ended.
    final func endRefused(beside way: [RouteStep]) -> Bool {
        let refused = refusedParts(beside: Set(way.map { ObjectIdentifier($0.node) })).parts
        guard !refused.isEmpty, tree.beginNavigation() else { return false }
        for node in refused.reversed() where node.isStarted && node.cachedTree === tree { node.expel() }
        return true
    }

    /// Returns the outermost hidden coordinators that guards refuse completely, among this one and those below.
    ///
    /// - Returns: Whether this coordinator is refused completely, and the coordinators. If it is, the list contains
    ///   only this one.
    private final func refusedParts(
        beside visible: Set<ObjectIdentifier>
    ) -> (isWhole: Bool, parts: [CoordinatorNode]) {
        tree.steps += 1
        let isVisible = visible.contains(ObjectIdentifier(self))
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

    /// Whether a guard refuses the route of this hidden screen.
    private final var isRefusedByGuards: Bool {
        let way = wayWithOwnRoute
        let dependencies = rootNode.ownDependencies
        return way.indices.contains { index in
            way[index].node.routeGuard?.refusesHidden(
                on: way[index...], by: way[index].node, in: dependencies) == true
        }
    }

    /// Ends this hidden coordinator and everything that it owns. An only child or a tab keeps its place.
    private final func expel() {
        guard let parentNode else { return }
        moveModalsOfOthers()
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

    /// Moves the visible modals that other coordinators presented on top of this one, or of those it owns, to the
    /// screen below.
    private final func moveModalsOfOthers() {
        guard var below = presenterNode ?? container else { return }
        for modal in rootNode.visibleChain.drop(while: { $0 !== self }) where !modal.isOwned(by: self) {
            guard let presenter = modal.presenterNode else { continue }
            if presenter.isOwned(by: self) { modal.move(onTopOf: below) }
            below = modal
        }
    }

    /// Stops this coordinator in its place. It starts again, at its initial route, when it is visible again.
    private final func stopInPlace() {
        scheduleResult()
        if let base = routeState.base, let routes, !routes.isActive(base.route) { routes.restore(base.route) }
        stopForOthers()
        unlinkScreen()
        linkScreen()
        tree.needsSettling = true
    }
}
