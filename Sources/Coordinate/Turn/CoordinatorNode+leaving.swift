extension HeldEvent {
    /// Removes the alert from the screen, but keeps the modals on top of it. Called when the user navigates elsewhere.
    func withdraw() {
        guard let question = alert.node else { return }
        question.presentedNode?.move(onTopOf: question.presenterNode)
        question.parentNode?.dismiss(question)
    }
}

extension CoordinatorNode {
    /// Carries out a tap on a tab of this coordinator. The first request that would leave a coordinator with a question,
    /// or select a tab that a guard refuses, ends it.
    final func tap(on event: NavigationEvents, _ go: () -> Void) {
        let former = tree.leaving.tap
        tree.leaving.tap = TabTap(event: event, addressee: reference, answered: tree.leaving.resumed?.answered ?? [])
        go()
        let refusal = tree.leaving.tap?.refusal
        tree.leaving.tap = former
        if let refusal { follow(refusal.0, of: refusal.of) }
    }

    /// Returns whether a request may be carried out within the current tap on a tab. If not, the tap is over.
    final func isAllowedInTap(_ request: NavigationRequest) -> Bool {
        guard var tap = tree.leaving.tap, !request.isRemoval, !tree.guards.areRedirecting else { return true }
        guard !tap.isOver else { return false }
        tap.isOver = true
        if kind == .tabBar, let tab = request.target, children.contains(tab),
            visibleChild !== tab, let refusal = refusal(ofTab: tab)
        {
            tap.refusal = refusal
            tree.leaving.tap = tap
            return false
        }
        let left = request.leaving()
        guard let (node, alert) = firstQuestion(of: left, besides: tap.answered) else { return true }
        tree.leaving.tap = nil
        node.ask(alert) { question in
            HeldEvent(
                event: tap.event, addressee: tap.addressee, subject: left.first?.reference, asker: node.reference,
                alert: question, answered: tap.answered)
        }
        tree.leaving.tap = tap
        return false
    }

    /// Returns the top-most coordinator with a question that is not answered, and the question.
    private final func firstQuestion(
        of nodes: [CoordinatorNode], besides answered: [CoordinatorReference]
    ) -> (node: CoordinatorNode, alert: Alert)? {
        for node in nodes.reversed() where !answered.contains(where: { $0 === node.reference }) {
            if node.isStarted, let alert = node.alertBeforeLeaving() { return (node, alert) }
        }
        return nil
    }

    /// Carries out a user's navigation event, unless a coordinator that the user leaves has a question first.
    ///
    /// - Parameters:
    ///   - nodes: The coordinators that the user leaves, the top-most last.
    ///   - event: The user's event. It is handled here again if the user decides to leave.
    ///   - go: Carries out the navigation.
    final func leave(_ nodes: [CoordinatorNode], on event: NavigationEvents, _ go: () -> Void) {
        let resumed = tree.leaving.resumed
        // Back and a dismissal apply to one screen, which the choice's own action may have removed.
        if let resumed, event == .back || event == .dismiss, resumed.subject !== nodes.first?.reference { return }
        let answered = resumed?.answered ?? []
        if let (node, alert) = firstQuestion(of: nodes, besides: answered) {
            return node.ask(alert) { [reference] question in
                HeldEvent(
                    event: event, addressee: reference, subject: nodes.first?.reference, asker: node.reference,
                    alert: question,
                    answered: answered)
            }
        }
        let former = tree.leaving.held
        tree.leaving.held = nil
        former?.withdraw()
        go()
    }

    /// Shows an alert about a navigation event. If the coordinator's alert for an earlier event is already on top, that
    /// alert now applies to the new event.
    private final func ask(_ alert: Alert, about held: (_ question: CoordinatorReference) -> HeldEvent) {
        let former = tree.leaving.held
        if let former, former.asker === reference, former.alert.node?.isTopModal == true {
            tree.leaving.held = held(former.alert)
            return
        }
        let question = AlertCoordinator(alert)
        tree.leaving.held = held(question.reference)
        former?.withdraw()
        present(question) { [tree, questionReference = question.reference] choice in
            choice?.action?()
            guard var held = tree.leaving.held, held.alert === questionReference else { return }
            tree.leaving.held = nil
            guard choice?.leaves == true else { return }
            held.answered.append(held.asker)
            tree.leaving.resumed = held
            _ = held.addressee.node?.navigate(on: held.event)
            tree.leaving.resumed = nil
        }
    }

    /// This coordinator and all others that leave the screen with it, the top-most last.
    final var withAllBelow: [CoordinatorNode] {
        if presentedNode == nil, ownedNodes.isEmpty { return [self] }
        var nodes: [CoordinatorNode] = []
        var seen: Set<ObjectIdentifier> = []
        var remaining = [self]
        while let node = remaining.popLast() {
            guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
            nodes.append(node)
            if let presentedNode = node.presentedNode { remaining.append(presentedNode) }
            remaining += node.ownedNodes.reversed()
        }
        return nodes
    }

    /// Returns the coordinators that leave the screen when a link to a path is opened, the top-most last. Coordinators
    /// on the way to the path stay. Call it on the root.
    final func screensLeft(by link: RoutePath) -> [CoordinatorNode] {
        let chain = visibleChain
        var left: [CoordinatorNode] = []
        for (around, node) in zip(chain, chain.dropFirst()) {
            if node.presenterNode != nil {
                if node.shown.route != nil, link.isBelow(node.wayHere.path) { continue }
                return left + around.leftBehind(by: link) + node.withAllBelow
            }
            left += around.coveredScreensLeft(by: link)
            guard !link.isBelow(node.wayHere.path) else { continue }
            // Of a tab or a retained coordinator, the user leaves only the visible screens. The rest stays.
            let isKept = around.kind == .tabBar || node.isRetained
            return left + (isKept ? Array(chain.drop { $0 !== node }) : node.withAllBelow)
        }
        return left + (chain.last?.leftBehind(by: link) ?? [])
    }

    /// Returns the covered entries of this stack that are not on the way to a path, with all below them.
    private final func coveredScreensLeft(by link: RoutePath) -> [CoordinatorNode] {
        guard kind == .navigation, let visibleIndex, visibleIndex > 0 else { return [] }
        let place = wayHere.path
        return children.indices.filter { index in
            index != visibleIndex && !link.isBelow(place.appending(routeOfChild(at: index)?.path))
        }.flatMap { children[$0].withAllBelow }
    }

    /// Returns this coordinator if a link to a path below its own leads to another screen.
    private final func leftBehind(by link: RoutePath) -> [CoordinatorNode] {
        metadata.hasRoutes || link.isSame(as: wayHere.path) ? [] : [self]
    }
}
