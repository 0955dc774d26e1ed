extension CoordinatorNode {
    /// Asks for a change of what is on the screen. It happens at once, unless one is under way here: then it waits, and
    /// of those that wait the last one wins.
    final func request(_ request: NavigationRequest) {
        guard tree.allows(.strayNavigation(coordinator: id)) else { return tree.refuse(request.giveUp) }
        let tree = tree
        tree.perform {
            guard !isBeingRemoved, tree.beginNavigation() else { return tree.refuse(request.giveUp) }
            sampleRoute()
            noteSubject(request.target)
            guard !isNavigating else { return tree.postpone(request, of: self) }
            tree.change {
                isNavigating = true
                carryOut(request)
                // Its tree may be another one by now: what it asked of itself since it left one waits there.
                while self.tree.isWaiting(self) {
                    sampleRoute()
                    if let next = self.tree.nextRequest(of: self) { carryOut(next) }
                }
                isNavigating = false
                // The app goes on where it was: what it says next is about what it asked for, not about where it was led.
                if routeBook.subject !== request.target?.anchor {
                    sampleRoute()
                    noteSubject(request.target)
                }
            }
        }
    }

    private final func carryOut(_ request: NavigationRequest) {
        request.target?.arrivingHandler = request.terms.result
        request.carryOut()
        request.target?.arrivingHandler = nil
        if let target = request.target, isShowing(target) {
            if let route = request.terms.route, routes?.accepts(route.route) == true { setRoute(route, of: target) }
            if let handler = request.terms.result {
                target.resultHandler.map(tree.tellLater)
                target.resultHandler = handler
            }
            agreeRoute()
            request.complete()
        } else {
            agreeRoute()
            request.giveUp()
        }
    }

    /// Puts children on the screen in place of those that are there. The ones that leave are ended, the last one first.
    final func setChildren(_ new: [CoordinatorNode]) {
        let kept = zip(children, new).prefix { $0 === $1 }.count
        setChildren(keeping: kept, then: Array(new[kept...]))
    }

    /// Keeps so many children, and puts others on the screen in place of the rest.
    final func setChildren(keeping kept: Int, then new: [CoordinatorNode] = []) {
        var left = Array(children[kept...])
        if !left.isEmpty, !new.isEmpty {
            let staying = Set(new.map(ObjectIdentifier.init))
            left.removeAll { staying.contains(ObjectIdentifier($0)) }
        }
        let selected = visibleIndex.map { children[$0] }
        children.replace(from: kept, with: new)
        layOut(from: kept, selecting: selected)
        guard !left.isEmpty else { return }
        agreeRoute()
        end(left)
    }

    /// Whether a coordinator has a place on the screen here: as a child, in this one's section, or as its modal.
    final func isShowing(_ node: CoordinatorNode) -> Bool {
        children.contains(node) || modals.contains(node) || section?.hasGuest(node) == true
    }
}
