// The removal of coordinators: `leavePlace` removes a coordinator from the screen, and `end` stops it afterwards. Every
// removal uses these two: Back, a dismissal, a redirect, a move, or an end.
extension CoordinatorNode {
    /// Dismisses a modal of this coordinator, and all modals on top of it.
    final func dismiss(_ modal: CoordinatorNode, completion: (() -> Void)? = nil) {
        request(
            NavigationRequest(completion: completion, leaving: { modal.withAllBelow }) { [self] in
                guard modals.contains(modal) else { return }
                modal.leavePlace()
                end([modal])
            })
    }

    final func removeStopped(_ child: CoordinatorNode) {
        request(
            NavigationRequest(isRemoval: true) { [self] in
                guard child.parentNode === self else { return }
                child.leavePlace()
                end([child])
            })
    }

    /// Removes this coordinator from its place without ending it. If it is a modal, all modals on top of it end.
    final func leavePlace() {
        guard let owner = parentNode else { return }
        if owner.arrivingNode === self { owner.arrivingNode = nil }
        owner.retainedChildren.remove(self)
        if owner.modals.contains(self) { leavePresenter(of: owner) }
        owner.leaveChildren(self)
        if owner.hasSection {
            owner.sampleRoute()
            owner.sectionStack?.leaveChildren(self)
        }
        owner.agreeRoute()
    }

    private final func leavePresenter(of owner: CoordinatorNode) {
        owner.sampleRoute()
        if presenterNode?.presentedNode === self { presenterNode?.presentedNode = nil }
        presenterNode = nil
        owner.modals.remove(self)
        shown.leave()
        endModalsOnTop()
    }

    private final func leaveChildren(_ child: CoordinatorNode) {
        guard let index = children.position(of: child) else { return }
        sampleRoute()
        let selected = visibleChild
        changeChildren { $0.remove(child) }
        child.shown.leave()
        layOut(from: index, selecting: selected)
        agreeRoute()
    }

    /// Ends coordinators that have left the screen, the last one first, and then each owner whose section is now empty.
    final func end(_ nodes: [CoordinatorNode]) {
        let owners = nodes.compactMap(\.parentNode).filter { $0 !== self }
        for node in nodes.reversed() { node.parentNode?.end(node) }
        for owner in owners where owner.isStarted && owner.hasSection && owner.sectionEntries.isEmpty {
            owner.stop(with: {})
        }
    }

    /// Stops a child that has left the screen, and all below it, depth first and once. It keeps a child that is
    /// retained, and ignores a child that already has another place.
    final func end(_ child: CoordinatorNode) {
        guard child.parentNode === self, !child.isBeingRemoved, !owns(child) else { return }
        let tree = tree
        if hasSection { sampleRoute() }
        child.shown.leave()
        child.scheduleResult()
        if hasSection { agreeRoute() }
        if child.isRetained, child.isStarted, isStarted, !isBeingRemoved {
            retainedChildren.append(child)
            tree.index?.insert(child)
            return
        }
        child.stopForOthers { if child.parentNode === self { child.leaveTree() } }
    }

    /// Stops this coordinator and everything that it owns, because it left the screen or the library ends it.
    ///
    /// - Parameter andLeave: Called at the end, while requests to this coordinator are still refused.
    final func stopForOthers(_ andLeave: () -> Void = {}) {
        tree.steps += 1
        isBeingRemoved = true
        endAllOwned()
        deactivateIfActive()
        if isStarted { stop(with: {}) }
        if isStarted {
            tree.report(.superNotCalled(type: identifier, method: "stop(with:)"))
            isStarted = false
        }
        andLeave()
        isBeingRemoved = false
    }

    /// Schedules the report of this coordinator's result to the coordinator that waits for it.
    final func scheduleResult() {
        guard let handler = resultHandler else { return }
        resultHandler = nil
        tree.schedule(handler)
    }

    /// Releases a child that moves elsewhere, without ending it. The coordinators that it pushed on a shared stack end.
    final func release(_ child: CoordinatorNode) {
        child.endGuests()
        child.leavePlace()
        child.scheduleResult()
        child.leaveTree()
    }

    /// Ends everything that this coordinator owns, and the modals on top of it.
    final func endAllOwned() {
        tree.cancelRequests(of: self)
        endModalsOnTop()
        var nodes = retainedChildren.nodes + children.nodes + guests + modals.nodes
        if let arrivingNode { nodes.append(arrivingNode) }
        for node in nodes.reversed() {
            let owner = node.parentNode
            node.leavePlace()
            owner?.end(node)
        }
        forgetRoutes()
    }

    /// Ends the coordinators that this one, and those below it, pushed on a navigation stack above.
    final func endGuests() {
        for guest in guests.reversed() {
            guest.leavePlace()
            end(guest)
        }
        guard kind != .navigation else { return }
        for node in ownedNodes { node.endGuests() }
    }

    /// Ends the modals on top of this coordinator, the top-most first, including those that others presented.
    private final func endModalsOnTop() {
        while let modal = presentedNode {
            presentedNode = nil
            let owner = modal.parentNode
            modal.leavePlace()
            owner?.end(modal)
        }
    }
}
