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
        if child.parentNode == nil, child.isStarted { child.stop(with: {}) }
        return child.parentNode === self
    }

    final func startIfNeeded() {
        guard !isStarted else { return }
        hasBegun = false
        start(with: {})
        guard !hasBegun, parentNode != nil else { return }
        tree.report(.superNotCalled(type: identifier, method: "start(with:)"))
        isStarted = true
        linkScreen()
    }

    /// Keeps a child that was taken off the screen, where it asked for that, else ends it. Nothing happens to one that
    /// has found another place since.
    final func dispose(of child: CoordinatorNode) {
        guard let owner = child.parentNode, !owner.ownedNodes.contains(where: { $0 === child }) else { return }
        if child.isRetained, child.isStarted, owner.isStarted {
            owner.retainedChildren.append(child)
        } else {
            owner.tearDown(child)
        }
    }

    /// Stops a child and all below it, depth first, and lets it go.
    final func tearDown(_ child: CoordinatorNode) {
        guard child.parentNode === self, !child.isBeingRemoved else { return }
        child.isBeingRemoved = true
        child.removeAllOwned()
        child.deactivateIfActive()
        if child.isStarted {
            child.stop(with: {})
        }
        if child.isStarted {
            tree.report(.superNotCalled(type: child.identifier, method: "stop(with:)"))
            child.isStarted = false
        }
        if child.parentNode === self {
            child.leaveTree()
        }
        child.isBeingRemoved = false
    }

    final func removeAllOwned() {
        tree.dropRequests(of: self)
        if let arrivingNode { tearDown(arrivingNode) }
        dismissWhatIsOnTop()
        while let modal = modals.popLast() { modal.dismissFromScreen() }
        removeGuests()
        for child in children.reversed() { child.parentNode?.tearDown(child) }
        children = []
        emptied()
        for child in retainedChildren.reversed() { tearDown(child) }
        retainedChildren = []
    }

    /// Ends what this coordinator, and those below it, have on a navigation stack above.
    final func leaveSharedStack() {
        removeGuests()
        guard kind != .navigation else { return }
        for node in ownedNodes { node.leaveSharedStack() }
    }

    private final func removeGuests() {
        for guest in section?.guests.reversed() ?? [] {
            section?.stack?.takeOff(guest)
            tearDown(guest)
        }
    }

    final func deactivateIfActive() {
        guard isActive else { return }
        isActive = false
        deactivate()
    }

    /// Asks for a change of what is on the screen. It happens at once, unless one is under way here: then it waits, and
    /// of those that wait the last one wins.
    final func request(_ request: NavigationRequest) {
        guard tree.allows(.strayNavigation(coordinator: id)) else {
            request.completion?()
            return
        }
        tree.perform {
            guard !isBeingRemoved, tree.beginNavigation() else {
                request.completion?()
                return
            }
            guard !isNavigating else { return tree.postpone(request, of: self) }
            isNavigating = true
            carryOut(request)
            tree.noteRedirect(of: self)
            while let next = tree.nextRequest(of: self) { carryOut(next) }
            isNavigating = false
        }
    }
}
