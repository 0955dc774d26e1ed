extension CoordinatorNode {
    /// The first thing about this tree, between two turns, that the library promises and that is not so: half a sentence, nil
    /// where all is well. Ask the root.
    ///
    /// - Parameter state: The picture of the tree.
    package final func brokenPromise(in state: NavigationState) -> String? {
        if path != state.path { return "the path is \(path), and \(state.path) in the picture" }
        if let last = state.breadcrumbs.last?.path, last != state.path {
            return "the last breadcrumb leads to \(last), and the path is \(state.path)"
        }
        let chain = visibleChain
        if let leaf = chain.last?.id, leaf != state.leaf {
            return "the leaf is \(leaf), and \(state.leaf) in the picture"
        }
        if let double = state.tree.firstDouble { return "two coordinators have the id \(double)" }
        if let idle = chain.first(where: { !$0.isStarted || !$0.isActive }) {
            return "\(idle.id) can be seen, and is not \(idle.isStarted ? "active" : "started")"
        }
        let seen = Set(chain.map { ObjectIdentifier($0) })
        return firstActive(besides: seen).map { "\($0.id) is active, and cannot be seen" }
    }

    private final func firstActive(besides seen: Set<ObjectIdentifier>) -> CoordinatorNode? {
        if isActive, !seen.contains(ObjectIdentifier(self)) { return self }
        return ownedNodes.lazy.compactMap { $0.firstActive(besides: seen) }.first
    }
}

extension NavigationState.Node {
    /// The first id that two nodes have.
    fileprivate var firstDouble: String? {
        var seen: Set<String> = []
        return firstID { !seen.insert($0).inserted }
    }

    private func firstID(where isMeant: (String) -> Bool) -> String? {
        if isMeant(id) { return id }
        for node in children + presented {
            if let id = node.firstID(where: isMeant) { return id }
        }
        return nil
    }
}
