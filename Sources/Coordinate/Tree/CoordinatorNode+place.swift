extension CoordinatorNode {
    /// The last part of the id.
    final var nameInParent: String { hasNameOfClass ? className : lastPartOfID }

    final var lastPartOfID: String {
        let id = id
        guard let slash = id.utf8.lastIndex(of: UInt8(ascii: "/")) else { return id }
        return String(id[id.utf8.index(after: slash)...])
    }

    final var placeableIdentifier: String {
        let identifier = identifier
        guard identifier.utf8.contains(UInt8(ascii: "/")) else { return identifier }
        return String(identifier.map { $0 == "/" ? "-" : $0 })
    }

    /// The nodes that this one owns: those on its screen, retained ones, its modals and its section.
    final var ownedNodes: [CoordinatorNode] {
        var nodes = retainedChildren.isEmpty ? children.nodes : retainedChildren.nodes + children.nodes
        if kind == .navigation { nodes.removeAll { $0.parentNode !== self } }
        if !modals.isEmpty { nodes += modals.nodes }
        if hasSection { nodes += guests }
        if let arrivingNode, !nodes.contains(where: { $0 === arrivingNode }) { nodes.append(arrivingNode) }
        return nodes
    }

    final func owns(_ node: CoordinatorNode) -> Bool {
        if children.contains(node) || retainedChildren.contains(node), kind != .navigation || node.parentNode === self {
            return true
        }
        return modals.contains(node) || hasGuest(node) || arrivingNode === node
    }

    /// Adds a child: gives it its id, its tree and its dependencies.
    ///
    /// - Returns: False if the coordinator cannot be a child here, which fails the turn.
    @discardableResult
    final func attach(_ child: CoordinatorNode) -> Bool {
        if child.parentNode === self, owns(child) {
            if !children.contains(child) { child.leavePlace() }
            return true
        }
        guard !isInside(child) else {
            tree.report(.containsItself(coordinator: child.id))
            return false
        }
        guard withAncestors.reduce(0, { count, _ in count + 1 }) <= TreeContext.maximumLevels else {
            tree.report(.tooDeep(coordinator: child.id))
            return false
        }
        guard tree.nodeCount < TreeContext.maximumNodes else {
            tree.report(.tooManyCoordinators)
            return false
        }
        if let formerParent = child.parentNode, formerParent !== self { formerParent.release(child) }
        child.parentNode = self
        child.linkScreen()
        child.settleInto(tree, id: freeID(for: child.placeableIdentifier))
        inject(into: child)
        guard child.isStarted, !isStarted, !child.isBeingRemoved else { return true }
        // No descendant of a stopped coordinator may be started. The child starts again with this one.
        end(child)
        return child.parentNode == nil && attach(child)
    }

    final var rootNode: CoordinatorNode {
        var node = self
        while let parent = node.parentNode { node = parent }
        return node
    }

    /// This coordinator and all its ancestors, up to the root.
    final var withAncestors: some Sequence<CoordinatorNode> { sequence(first: self, next: \.parentNode) }

    /// Returns whether this node is `node` or a descendant of it, or on top of it as a modal, at any depth.
    private final func isInside(_ node: CoordinatorNode) -> Bool {
        isOwned(by: node) || sequence(first: self, next: \.surroundingNode).contains { $0 === node }
    }

    /// Returns whether this coordinator is `other` or a descendant of it, so that it ends with it.
    final func isOwned(by other: CoordinatorNode) -> Bool {
        withAncestors.contains { $0 === other }
    }

    /// Returns the id for a child with a name. If another child has that name, the id ends with the first free number
    /// from 2.
    private final func freeID(for name: String) -> String {
        let first = "\(id)/\(name)"
        if let index = tree.indexOfMany { return freeID(first, index) }
        let owned = ownedNodes
        guard owned.contains(where: { $0.idInTree == first }) else { return first }
        let taken = Set(owned.map(\.id))
        var number = 2
        while taken.contains("\(first)-\(number)") { number += 1 }
        return "\(first)-\(number)"
    }

    private final func freeID(_ first: String, _ index: TreeIndex) -> String {
        guard index.has(first, where: owns) else { return first }
        var number = index.firstNumber(for: first, in: self)
        while index.has("\(first)-\(number)", where: owns) { number += 1 }
        index.record(number, for: first, in: self)
        return "\(first)-\(number)"
    }

    /// Records that the number in the id may be free again, because the coordinator left its place.
    final func releaseNumber() {
        if let index = cachedTree?.index, let idInTree { index.releaseNumber(of: idInTree) }
    }

    /// The number of coordinators in its tree.
    package final var treeSize: Int { tree.nodeCount + 1 }

    private final func settleInto(_ tree: TreeContext, id: String) {
        for node in ownedNodes {
            node.settleInto(tree, id: "\(id)/\(node.nameInParent)")
        }
        tree.steps += 1
        let isNew = cachedTree !== tree || idInTree == nil
        if let former = cachedTree, former !== tree {
            for diagnostic in former.diagnostics { tree.report(diagnostic) }
        }
        cachedTree?.index?.remove(self)
        setID(SharedName.of(id))
        cachedTree = tree
        tree.index?.insert(self)
        if isNew {
            tree.nodeCount += 1
            if isActive { tree.active.append(reference) }
            if metadata.isGuarding { tree.hasGuards = true }
        }
    }

    final func leaveTree() {
        unlinkScreen()
        if idInTree != nil { cachedTree?.nodeCount -= 1 }
        cachedTree?.index?.remove(self)
        cachedTree = nil
        setID(nil)
        parentNode = nil
    }

    // MARK: Links to the screen

    final func linkScreen() {
        screen.coordinator = self
        // A screen may hold this strongly. So it gets the reference only if a later stop will clear it.
        if isStarted { (screen as? any Coordinated)?.parentCoordinator = self }
    }

    final func unlinkScreen() {
        guard screen.coordinator === self else { return }
        screen.coordinator = nil
        (screen as? any Coordinated)?.parentCoordinator = nil
    }
}

extension CoordinatorNode {
    /// Ensures that a child is in the tree and started before it is shown.
    ///
    /// - Returns: False if it cannot be shown here, which fails the turn.
    final func prepare(_ child: CoordinatorNode) -> Bool {
        guard attach(child) else { return false }
        guard isStarted else { return true }
        arrivingNode = child
        child.startIfNeeded()
        arrivingNode = nil
        if routeState.subject !== child.reference { sampleRoute() }
        if child.parentNode == nil, child.isStarted { child.stop(with: {}) }
        return child.parentNode === self
    }

    final func startIfNeeded() {
        guard !isStarted else { return }
        tree.steps += 1
        guard hasAllItNeeds() else { return }
        hasBegun = false
        start(with: {})
        guard !hasBegun, parentNode != nil else { return }
        tree.report(.superNotCalled(type: identifier, method: "start(with:)"))
        isStarted = true
        linkScreen()
    }

    final func deactivateIfActive() {
        guard isActive else { return }
        isActive = false
        deactivate()
    }
}
