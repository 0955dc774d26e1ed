/// A user's wish to navigate that waits until an alert is answered.
struct HeldWish {
    /// The event that the user emitted.
    let event: NavigationEvents
    /// The coordinator that the event is meant for.
    let addressee: CoordinatorReference
    /// The outermost coordinator that the user leaves with it.
    let subject: CoordinatorReference?
    /// The coordinator that asks the question.
    let asker: CoordinatorReference
    /// The coordinator of the alert itself.
    let alert: CoordinatorReference
    /// The coordinators that were asked about this wish already, and let the user leave.
    var answered: [CoordinatorReference]

    /// Takes the alert off the screen, and keeps what is on top of it: the user has another wish by now.
    func withdraw() {
        guard let question = alert.node else { return }
        question.presentedNode?.move(onTopOf: question.presenterNode)
        question.parentNode?.dismiss(question)
    }
}

extension CoordinatorNode {
    /// Carries out a user's wish to leave, unless a coordinator that is left with it has a question first.
    ///
    /// - Parameters:
    ///   - nodes: The coordinators that are left, the top-most last.
    ///   - event: The user's event, which is emitted here once more where the user decides to leave.
    ///   - go: Carries out the wish.
    final func leave(_ nodes: [CoordinatorNode], on event: NavigationEvents, _ go: () -> Void) {
        let resumed = tree.resumed
        // Back and a dismissal are about one screen, which the choice itself may have taken away.
        if let resumed, event == .back || event == .dismiss, resumed.subject !== nodes.first?.reference { return }
        let answered = resumed?.answered ?? []
        for node in nodes.reversed() where !answered.contains(where: { $0 === node.reference }) {
            guard node.isStarted, let alert = node.alertBeforeLeaving() else { continue }
            return node.ask(alert) { [reference] question in
                HeldWish(
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

    /// Asks about a wish. If the same question is on top already, for an earlier wish, it is about this one from now
    /// on.
    private final func ask(_ alert: Alert, about wish: (_ question: CoordinatorReference) -> HeldWish) {
        let former = tree.held
        if let former, former.asker === reference, former.alert.node?.isTopModal == true {
            tree.held = wish(former.alert)
            return
        }
        let question = AlertCoordinator(alert)
        tree.held = wish(question.reference)
        former?.withdraw()
        present(question) { [tree, questionReference = question.reference] choice in
            choice?.action?()
            guard var wish = tree.held, wish.alert === questionReference else { return }
            tree.held = nil
            guard choice?.leaves == true else { return }
            wish.answered.append(wish.asker)
            tree.resumed = wish
            _ = wish.addressee.node?.navigate(on: wish.event)
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

    /// The coordinators that a link to a path leaves, the top-most last; ask the root. Coordinators that lead on to the
    /// path stay.
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
            // A tab is left as it is, and so is what asks to be retained.
            let isKept = around.kind == .tabBar || node.isRetained
            return left + (isKept ? Array(chain.drop { $0 !== node }) : node.withAllBelow)
        }
        return left + (chain.last?.leftBehind(by: link) ?? [])
    }

    /// The covered entries of this stack that do not lead on to a path.
    private final func coveredScreensLeft(by link: RoutePath) -> [CoordinatorNode] {
        guard kind == .navigation, let visibleIndex, visibleIndex > 0 else { return [] }
        let place = wayHere.path
        return children.indices.filter { index in
            index != visibleIndex && !link.isBelow(place.appending(routeOfChild(at: index)?.path))
        }.flatMap { children[$0].withAllBelow }
    }

    /// This coordinator alone, where a link to a path below its own leads to another screen; else none.
    private final func leftBehind(by link: RoutePath) -> [CoordinatorNode] {
        metadata.hasRoutes || link.isSame(as: wayHere.path) ? [] : [self]
    }
}
