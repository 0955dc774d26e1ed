/// A user's navigation event that waits until an alert is answered.
struct HeldEvent {
    /// The event that the user emitted.
    let event: NavigationEvents
    /// The coordinator that handles the event.
    let addressee: CoordinatorReference
    /// The outermost coordinator that the user leaves.
    let subject: CoordinatorReference?
    /// The coordinator whose question the alert shows.
    let asker: CoordinatorReference
    /// The coordinator of the alert itself.
    let alert: CoordinatorReference
    /// The coordinators whose alerts were already answered with a choice to leave.
    var answered: [CoordinatorReference]

    /// Removes the alert from the screen, but keeps the modals on top of it. Called when the user navigates elsewhere.
    func withdraw() {
        guard let question = alert.node else { return }
        question.presentedNode?.move(onTopOf: question.presenterNode)
        question.parentNode?.dismiss(question)
    }
}

/// A user's tap on a tab that is being carried out. What it leads to shows only when the app requests it.
struct TabTap {
    /// The event that the user emitted.
    let event: NavigationEvents
    /// The tab bar.
    let addressee: CoordinatorReference
    /// The coordinators whose alerts were already answered with a choice to leave.
    let answered: [CoordinatorReference]
    /// Whether a question or a guard has ended the tap, so that its further requests do not happen.
    var isOver = false
    /// The refusal of the tab by a guard; `nil` if there is none.
    var refusal: (Refusal, of: RoutePath)?
}

extension CoordinatorNode {
    /// Carries out a tap on a tab of this coordinator. The first request that would leave a coordinator with a question,
    /// or select a tab that a guard refuses, ends it.
    final func tap(on event: NavigationEvents, _ go: () -> Void) {
        let former = tree.tap
        tree.tap = TabTap(event: event, addressee: reference, answered: tree.resumed?.answered ?? [])
        go()
        let refusal = tree.tap?.refusal
        tree.tap = former
        if let refusal { follow(refusal.0, of: refusal.of) }
    }

    /// Returns whether a request may be carried out within the current tap on a tab. If not, the tap is over.
    final func isAllowedInTap(_ request: NavigationRequest) -> Bool {
        guard var tap = tree.tap, !request.isRemoval, !tree.isRedirecting else { return true }
        guard !tap.isOver else { return false }
        tap.isOver = true
        if kind == .tabBar, let tab = request.target, children.contains(tab),
            visibleIndex.map({ children[$0] }) !== tab, let refusal = refusal(ofTab: tab)
        {
            tap.refusal = refusal
            tree.tap = tap
            return false
        }
        let left = request.leaving()
        guard let (node, alert) = firstQuestion(of: left, besides: tap.answered) else { return true }
        tree.tap = nil
        node.ask(alert) { question in
            HeldEvent(
                event: tap.event, addressee: tap.addressee, subject: left.first?.reference, asker: node.reference,
                alert: question, answered: tap.answered)
        }
        tree.tap = tap
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
        let resumed = tree.resumed
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
        let former = tree.held
        tree.held = nil
        former?.withdraw()
        go()
    }

    /// Shows an alert about a navigation event. If the coordinator's alert for an earlier event is already on top, that
    /// alert now applies to the new event.
    private final func ask(_ alert: Alert, about held: (_ question: CoordinatorReference) -> HeldEvent) {
        let former = tree.held
        if let former, former.asker === reference, former.alert.node?.isTopModal == true {
            tree.held = held(former.alert)
            return
        }
        let question = AlertCoordinator(alert)
        tree.held = held(question.reference)
        former?.withdraw()
        present(question) { [tree, questionReference = question.reference] choice in
            choice?.action?()
            guard var held = tree.held, held.alert === questionReference else { return }
            tree.held = nil
            guard choice?.leaves == true else { return }
            held.answered.append(held.asker)
            tree.resumed = held
            _ = held.addressee.node?.navigate(on: held.event)
            tree.resumed = nil
        }
    }

    /// This coordinator and all others that leave the screen with it, the top-most last.
    final var withAllBelow: [CoordinatorNode] {
        if presentedNode == nil, ownedNodes.isEmpty { return [self] }
        var nodes: [CoordinatorNode] = []
        var seen: Set<ObjectIdentifier> = []
        var rest = [self]
        while let node = rest.popLast() {
            guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
            nodes.append(node)
            if let presentedNode = node.presentedNode { rest.append(presentedNode) }
            rest += node.ownedNodes.reversed()
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
                if node.shownRoute != nil, link.isBelow(node.wayHere.path) { continue }
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
