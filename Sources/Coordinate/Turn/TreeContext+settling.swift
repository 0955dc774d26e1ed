extension TreeContext {
    /// Starts the visible coordinators, follows the guards, then activates and deactivates coordinators, until nothing
    /// changes.
    func settle() {
        var isVisibilityNew = false
        deliverResults()
        settleRoutes()
        // If the last event comes from a root that is being freed, there is nothing to settle.
        while failure == nil, needsSettling || isVisibilityNew || hasGuards, let root = root.node, root.isStarted {
            if needsSettling {
                needsSettling = false
                isVisibilityNew = true
                guard beginNavigation() else { break }
                showAlerts(below: root)
                for node in root.visibleChain {
                    steps += 1
                    node.startIfNeeded()
                    if node.awaitsFirstRoute { node.goToFirstRoute() }
                    if needsSettling { break }
                }
                settleRoutes()
                if needsSettling { continue }
                needsAgreeing = true
            }
            if needsAgreeing { agreeRoutes(below: root) }
            if hasGuards, root.followGuards() { continue }
            guard isVisibilityNew else { break }
            isVisibilityNew = false
            activateVisible(below: root)
            settleRoutes()
        }
        deliverResults()
        settleRoutes()
        if needsAgreeing, let root = root.node, root.isStarted { agreeRoutes(below: root) }
        if links.parked != nil, let root = root.node { links.parked?.settle(at: root) }
        if hasGuards, failure == nil { settleGuardTimers() }
        if !work.isEmpty { work.cancelAbandoned(in: self) }
    }

    // MARK: Changes of the screen

    /// Runs the body as a change of the screen, or as part of the current one. Results are reported after it.
    func change(_ body: () -> Void) {
        changes += 1
        body()
        changes -= 1
        if changes == 0 { deliverResults() }
    }

    /// Schedules the report of a result after the current change of the screen.
    func schedule(_ handler: ResultHandler) {
        results.append((handler, handler.waiter))
    }

    private func deliverResults() {
        while !results.isEmpty {
            let (handler, waiter) = results.removeFirst()
            withExtendedLifetime(waiter) { handler.notify() }
        }
    }

    /// Appends a request that waits. It replaces the earlier ones of the coordinator.
    func postpone(_ request: NavigationRequest, of node: CoordinatorNode) {
        while !request.isRemoval, let replaced = requests.removeFirst(of: node, ifReplaceable: true) {
            report(.replacedRequest(of: node.id, coordinator: replaced.target?.id))
            refuse(replaced.cancel)
        }
        requests.append(request, of: node)
    }

    func cancelRequests(of node: CoordinatorNode) {
        while let request = requests.removeFirst(of: node) {
            if let target = request.target { report(.endingCoordinator(node.id, coordinator: target.id)) }
            request.cancel()
        }
    }

    /// Moves the alerts that arrived with their owners on top of the screen, if something covers them.
    private func showAlerts(below root: CoordinatorNode) {
        guard !arrivingAlerts.isEmpty else { return }
        let alerts = arrivingAlerts.compactMap(\.node)
        arrivingAlerts = []
        for alert in alerts where alert.presenterNode != nil && alert.cachedTree === self {
            if !root.visibleChain.contains(where: { $0 === alert }) { alert.parentNode?.bringToTop(alert: alert) }
        }
    }

    // MARK: Routes

    private func settleRoutes() {
        guard !routed.isEmpty else { return }
        let nodes = routed
        routed = []
        for node in nodes { node.settleRoute() }
        needsAgreeing = true
    }

    /// Updates the routes of all visible coordinators so that they lead to the screen on top, across all modals.
    private func agreeRoutes(below root: CoordinatorNode) {
        needsAgreeing = false
        let chain = root.visibleChain
        let hadModals = hasModals
        hasModals = chain.contains { $0.presentedNode != nil }
        for node in chain where hasModals || hadModals || !node.isActive {
            node.sampleRoute(isSettling: true)
            node.agreeRoute(isSettling: true)
        }
        guard hasModals else { return }
        for step in root.way {
            if let shown = step.shown { step.node.agreeRoute(with: shown) }
        }
    }

    // MARK: Visibility

    private func activateVisible(below root: CoordinatorNode) {
        let chain = root.visibleChain
        let former = active
        active = chain.map(\.reference)
        deactivateHidden(of: former)
        for node in chain where !node.isActive && !needsSettling {
            node.isActive = true
            node.activate()
        }
    }

    /// Deactivates the coordinators that are no longer visible, the innermost first.
    private func deactivateHidden(of former: [CoordinatorReference]) {
        func isHidden(_ node: CoordinatorNode) -> Bool {
            node.isActive && node.cachedTree === self && !active.contains { $0 === node.reference }
        }
        let hidden = former.compactMap { $0.node.flatMap { isHidden($0) ? $0 : nil } }
        for node in hidden.innermostFirst where isHidden(node) { node.deactivateIfActive() }
    }

    /// Keeps one timer for each guard, due at the earliest time until which it granted a route.
    private func settleGuardTimers() {
        let due = guards.ends(after: moment.now)
        work.cancelGuardTimers { owner, end in !due.contains { $0.guard === owner && $0.end == end } }
        for (reference, end) in due {
            guard let node = reference.node, !work.hasGuardTimer(of: node) else { continue }
            let asked = work.append(
                "guard", due: end, .timer(GuardEvents.askGuards), of: node, traceparent: moment.traceparent)
            if asked == nil { report(.tooMuchWork) }
        }
        let clockReaders = guards.takeClockReaders()
        if !work.hasTimer {
            for node in clockReaders { report(.guardReadsClock(coordinator: node.id)) }
        }
    }
}

extension [CoordinatorNode] {
    /// The coordinators of this list, each after all others in the list that it owns. Siblings keep their order.
    fileprivate var innermostFirst: [CoordinatorNode] {
        if zip(self, dropFirst()).allSatisfy({ $1.parentNode === $0 }) { return reversed() }
        return map { (node: $0, way: $0.positionsFromRoot) }.sorted { one, other in
            for (position, otherPosition) in zip(one.way, other.way) where position != otherPosition {
                return position < otherPosition
            }
            return one.way.count > other.way.count
        }.map(\.node)
    }
}

extension CoordinatorNode {
    /// The positions of this coordinator and all its ancestors in their owners, from the root down.
    fileprivate final var positionsFromRoot: [Int] {
        withAncestors.map(\.positionInOwner).reversed()
    }

    /// A number that orders the nodes that the parent owns: first retained ones, then those on the screen, then modals,
    /// then those that the parent pushed on a shared stack.
    private final var positionInOwner: Int {
        guard let parentNode else { return 0 }
        let lists =
            [parentNode.retainedChildren, parentNode.children, parentNode.modals]
            + [parentNode.sectionStack?.children].compactMap(\.self)
        for (number, list) in lists.enumerated() {
            if let position = list.position(of: self) { return number * TreeContext.maximumNodes + position }
        }
        return lists.count * TreeContext.maximumNodes
    }
}
