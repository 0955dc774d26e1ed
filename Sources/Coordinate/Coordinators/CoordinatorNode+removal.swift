// The removal of coordinators: `leavePlace` takes one off the screen, `end` stops what has left. Whatever the cause,
// Back, a dismissal, a redirect, a move or an end, it goes through these two.
extension CoordinatorNode {
    /// Dismisses a modal of this coordinator, and what is on top of it.
    final func dismiss(_ modal: CoordinatorNode, completion: (() -> Void)? = nil) {
        request(
            NavigationRequest(completion: completion) { [self] in
                guard modals.contains(modal) else { return }
                modal.leavePlace()
                end([modal])
            })
    }

    /// Lets go of a child that has stopped by itself.
    final func letGo(of child: CoordinatorNode) {
        request(
            NavigationRequest(isRemoval: true) { [self] in
                guard child.parentNode === self else { return }
                child.leavePlace()
                end([child])
            })
    }

    /// Takes this coordinator out of the place it has, without ending it. If it is a modal, all that is on top of it
    /// ends.
    final func leavePlace() {
        guard let owner = parentNode else { return }
        if owner.arrivingNode === self { owner.arrivingNode = nil }
        owner.retainedChildren.remove(self)
        if owner.modals.contains(self) { leavePresenter(of: owner) }
        owner.leaveChildren(self)
        if let section = owner.section {
            owner.sampleRoute()
            section.stack?.leaveChildren(self)
        }
        owner.agreeRoute()
    }

    private final func leavePresenter(of owner: CoordinatorNode) {
        owner.sampleRoute()
        if presenterNode?.presentedNode === self { presenterNode?.presentedNode = nil }
        presenterNode = nil
        owner.modals.remove(self)
        giveUpRoute()
        endWhatIsOnTop()
    }

    private final func leaveChildren(_ child: CoordinatorNode) {
        guard let index = children.position(of: child) else { return }
        sampleRoute()
        let selected = visibleIndex.map { children[$0] }
        changeChildren { $0.remove(child) }
        child.giveUpRoute()
        layOut(from: index, selecting: selected)
        agreeRoute()
    }

    /// Ends coordinators that have left the screen, the last one first, and then each owner whose section is empty now.
    final func end(_ nodes: [CoordinatorNode]) {
        let owners = nodes.compactMap(\.parentNode).filter { $0 !== self }
        for node in nodes.reversed() { node.parentNode?.end(node) }
        for owner in owners where owner.isStarted && owner.section?.isEmpty == true { owner.stop(with: {}) }
    }

    /// Stops a child that has left the screen with everything below it, depth first, once; a retained child is kept
    /// instead. Does nothing to a child that has another place by now.
    final func end(_ child: CoordinatorNode) {
        guard child.parentNode === self, !child.isBeingRemoved, !owns(child) else {
            return
        }
        let tree = tree
        if section != nil { sampleRoute() }
        child.giveUpRoute()
        child.tellResult()
        if section != nil { agreeRoute() }
        if child.isRetained, child.isStarted, isStarted, !isBeingRemoved {
            retainedChildren.append(child)
            tree.index?.insert(child)
            return
        }
        child.stopForOthers { if child.parentNode === self { child.leaveTree() } }
    }

    /// Stops this coordinator, with all that it owns, by the library's will.
    ///
    /// - Parameter andLeave: Called at the end, while requests to this coordinator still come too late.
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

    /// Schedules the result of this coordinator to be reported to the coordinator that waits for it.
    final func tellResult() {
        guard let handler = resultHandler else { return }
        resultHandler = nil
        tree.tellLater(handler)
    }

    /// Lets go of a child that moves somewhere else, without ending it. What it pushed on a shared stack stays there,
    /// and ends.
    final func release(_ child: CoordinatorNode) {
        child.endGuests()
        child.leavePlace()
        child.tellResult()
        child.leaveTree()
    }

    /// Ends everything this coordinator owns, and what is on top of it.
    final func endAllOwned() {
        tree.dropRequests(of: self)
        endWhatIsOnTop()
        var nodes = retainedChildren.nodes + children.nodes + (section?.guests ?? []) + modals.nodes
        if let arrivingNode { nodes.append(arrivingNode) }
        for node in nodes.reversed() {
            let owner = node.parentNode
            node.leavePlace()
            owner?.end(node)
        }
        forgetRoutes()
    }

    /// Ends what this coordinator, and those below it, pushed on a navigation stack above.
    final func endGuests() {
        for guest in section?.guests.reversed() ?? [] {
            guest.leavePlace()
            end(guest)
        }
        guard kind != .navigation else { return }
        for node in ownedNodes { node.endGuests() }
    }

    /// Ends the modals on top of this coordinator, the top-most first, also those that other coordinators presented.
    private final func endWhatIsOnTop() {
        while let modal = presentedNode {
            presentedNode = nil
            let owner = modal.parentNode
            modal.leavePlace()
            owner?.end(modal)
        }
    }
}
