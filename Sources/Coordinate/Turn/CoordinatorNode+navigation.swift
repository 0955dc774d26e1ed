extension CoordinatorNode {
    /// Requests a change of the screen. It happens immediately, unless a change is already in progress here; then it
    /// waits. If several wait, the last one wins.
    final func request(_ request: NavigationRequest) {
        guard tree.allows(.strayNavigation(coordinator: id)) else { return tree.refuse(request.cancel) }
        let tree = tree
        tree.perform {
            guard !isBeingRemoved, tree.beginNavigation() else {
                if isBeingRemoved, let target = request.target {
                    tree.report(.endingCoordinator(id, coordinator: target.id))
                }
                return tree.refuse(request.cancel)
            }
            sampleRoute()
            recordSubject(request.target)
            guard !isNavigating else { return tree.postpone(request, of: self) }
            tree.change {
                isNavigating = true
                carryOut(request)
                // This coordinator may have moved to another tree, where its newer requests wait.
                while self.tree.requests.contains(self) {
                    sampleRoute()
                    if let next = self.tree.requests.removeFirst(of: self) { carryOut(next) }
                }
                isNavigating = false
                // The app's code continues: the next route that it sets is for the target of its request, even if a
                // guard redirected it.
                if routeState.subject !== request.target?.reference {
                    sampleRoute()
                    recordSubject(request.target)
                }
            }
        }
    }

    private final func carryOut(_ request: NavigationRequest) {
        guard isAllowedInTap(request) else {
            agreeRoute()
            return request.cancel()
        }
        let formerArrival = request.target?.arrival
        request.target?.arrival = Arrival(handler: request.terms.result)
        request.carryOut()
        request.target?.arrival = formerArrival
        if let target = request.target, isShowing(target) {
            target.shown.former = nil
            if let route = request.terms.route, routes?.accepts(route.route) == true { setRoute(route, of: target) }
            if let handler = request.terms.result {
                target.resultHandler.map(tree.schedule)
                target.resultHandler = handler
            }
            agreeRoute()
            request.complete()
        } else {
            agreeRoute()
            request.cancel()
        }
    }

    /// Replaces the children on the screen. The ones that leave end, the last one first.
    final func setChildren(_ new: [CoordinatorNode]) {
        let kept = zip(children, new).prefix { $0 === $1 }.count
        setChildren(keeping: kept, then: Array(new[kept...]))
    }

    /// Keeps the first `kept` children, and replaces the rest.
    final func setChildren(keeping kept: Int, then new: [CoordinatorNode] = []) {
        var left = Array(children[kept...])
        if !left.isEmpty, !new.isEmpty {
            let staying = Set(new.map(ObjectIdentifier.init))
            left.removeAll { staying.contains(ObjectIdentifier($0)) }
        }
        let selected = visibleChild
        changeChildren { $0.replace(from: kept, with: new) }
        layOut(from: kept, selecting: selected)
        guard !left.isEmpty else { return }
        agreeRoute()
        end(left)
    }

    /// Returns whether a coordinator is on the screen here: as a child, in this coordinator's section, or as its modal.
    final func isShowing(_ node: CoordinatorNode) -> Bool {
        children.contains(node) || modals.contains(node) || hasGuest(node)
    }
}

// Requests to a navigation coordinator from coordinators that share its stack.
extension CoordinatorNode {
    /// Pushes a coordinator, or pops to it if it is already on the stack.
    final func push(_ child: CoordinatorNode) {
        request(
            NavigationRequest(showing: child, leaving: { [self] in nodesLeft(downTo: child) }) { [self] in
                if prepare(child) { bringToTop(child) }
            })
    }

    /// Pushes a coordinator that is owned by another one on the stack, or below it.
    final func push(_ child: CoordinatorNode, inSectionOf owner: CoordinatorNode) {
        owner.sampleRoute()
        owner.recordSubject(child)
        request(
            NavigationRequest(showing: child, leaving: { [self] in nodesLeft(downTo: child) }) { [self] in
                guard owner.sectionStack === self else { return }
                if child.parentNode === owner, !children.contains(child) { child.leavePlace() }
                if child.parentNode === owner && isShowing(child) || owner.prepare(child) { bringToTop(child) }
            })
    }

    /// Removes entries from the stack, wherever they are. Which ones, it decides when its turn comes.
    final func pop(_ entries: @escaping @autoclosure () -> [CoordinatorNode]) {
        request(
            NavigationRequest(leaving: { entries().flatMap(\.withAllBelow) }) { [self] in
                let leaving = Set(entries().map(ObjectIdentifier.init))
                setChildren(children.filter { !leaving.contains(ObjectIdentifier($0)) })
            })
    }

    /// Returns the coordinators that leave the screen when everything above a child is popped, the top-most last. They
    /// include owners whose sections become empty.
    final func nodesLeft(downTo child: CoordinatorNode) -> [CoordinatorNode] {
        guard let target = children.position(of: child) else { return [] }
        let popped = children[(target + 1)...]
        let owners = popped.compactMap(\.parentNode).filter { owner in
            owner !== self && !children.contains(owner)
                && !children[...target].reversed().contains { $0.parentNode === owner }
        }
        return (owners + popped).flatMap(\.withAllBelow)
    }

    private final func bringToTop(_ child: CoordinatorNode) {
        if let index = children.position(of: child) {
            setChildren(keeping: index + 1)
        } else {
            setChildren(keeping: children.count, then: [child])
        }
    }
}

extension CoordinatorNode {
    /// Shows a coordinator on these terms by calling a public method, which the app may have overridden and which has
    /// no parameter for them.
    final func show(_ target: any Coordinating, on terms: ShowingTerms, by show: () -> Void) {
        let node = target.node
        node.terms = terms
        show()
        if let result = node.takeTerms()?.result { tree.refuse(result.notify) }
    }

    /// Removes and returns the terms on which to show this coordinator; `nil` if none are set.
    @discardableResult
    final func takeTerms() -> ShowingTerms? {
        guard let terms else { return nil }
        self.terms = nil
        return terms
    }
}
