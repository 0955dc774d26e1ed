/// The wish of a user that waits for the answer to an alert.
struct HeldWish {
    /// The event that the user emitted.
    let event: NavigationEvents
    /// The coordinator that it is meant for.
    let addressee: Anchor
    /// The outermost coordinator that is left with it.
    let subject: Anchor?
    /// The coordinator that asks.
    let asker: Anchor
    /// Those that have been asked about it, and are left.
    var answered: [Anchor]
}

extension CoordinatorNode {
    /// Does what a user's hand asks for, unless a coordinator that is left with it has a question first.
    ///
    /// - Parameters:
    ///   - nodes: The coordinators that are left, the top-most last.
    ///   - event: The event: emitted here once more, when the answer is to go on.
    ///   - go: Does it.
    final func leave(_ nodes: [CoordinatorNode], on event: NavigationEvents, _ go: () -> Void) {
        let resumed = tree.resumed
        // Back and a dismissal are about one screen, which the answer itself may have taken away.
        if let resumed, event == .back || event == .dismiss, resumed.subject !== nodes.first?.anchor { return }
        let answered = resumed?.answered ?? []
        for node in nodes.reversed() where !answered.contains(where: { $0 === node.anchor }) {
            guard node.isStarted, let alert = node.alertBeforeLeaving() else { continue }
            let wish = HeldWish(
                event: event, addressee: anchor, subject: nodes.first?.anchor, asker: node.anchor, answered: answered)
            let isAsking = tree.held?.asker === node.anchor
            tree.held = wish
            if !isAsking { node.ask(alert) }
            return
        }
        go()
    }

    private final func ask(_ alert: Alert) {
        present(alert) { [anchor, tree] choice in
            guard var wish = tree.held, wish.asker === anchor else { return }
            tree.held = nil
            guard choice?.leaves == true else { return }
            wish.answered.append(anchor)
            tree.resumed = wish
            _ = wish.addressee.node?.navigate(on: wish.event)
            tree.resumed = nil
        }
    }

    /// This coordinator and all that goes with it when it is taken off the screen, the top-most last.
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

    /// The coordinators that are left with a link to a path, the top-most last; asked of the root. Those that lead on to it
    /// stay, but for what is on top: a link always leaves that.
    final func screensLeft(by link: RoutePath) -> [CoordinatorNode] {
        let chain = visibleChain
        let top = chain.last { !($0 is AlertCoordinator) }
        var left: [CoordinatorNode] = []
        var path = RoutePath.empty
        for node in chain {
            if node.kind == .navigation, let visibleIndex = node.visibleIndex {
                for index in 0..<visibleIndex where !link.isBelow(path.appending(node.routeOfChild(at: index)?.path)) {
                    left.append(node.children[index])
                }
            }
            path = path.appending(node.activeRoutePath)
            if node !== self, node === top || !link.isBelow(path) { left.append(node) }
        }
        return left
    }
}
