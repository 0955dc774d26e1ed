extension CoordinatorNode {
    /// Makes sure that a child is in the tree and started, before it is shown.
    ///
    /// - Returns: false where it cannot be shown here, which fails the turn.
    final func prepare(_ child: CoordinatorNode) -> Bool {
        guard attach(child) else { return false }
        guard isStarted else { return true }
        arrivingNode = child
        child.startIfNeeded()
        arrivingNode = nil
        if routeBook.subject !== child.anchor { sampleRoute() }
        if child.parentNode == nil, child.isStarted { child.stop(with: {}) }
        return child.parentNode === self
    }

    final func startIfNeeded() {
        guard !isStarted else { return }
        tree.steps += 1
        hasBegun = false
        start(with: {})
        guard !hasBegun, parentNode != nil else { return }
        tree.report(.superNotCalled(type: identifier, method: "start(with:)"))
        isStarted = true
        linkScreen()
    }

    final func deactivateIfActive() {
        guard isActive else { return }
        isActive = false
        deactivate()
    }
}
