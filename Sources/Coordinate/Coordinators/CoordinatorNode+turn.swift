extension CoordinatorNode {
    /// Runs a body as one turn of the tree: what it asks for has settled when this returns.
    ///
    /// ```swift
    /// try app.turn { app.start() }
    /// let dispatch = try app.turn { app.visibleLeaf.getRootViewController().emitEvent(AppEvents.Splash.didFinish) }
    /// ```
    ///
    /// An event emitted outside of it is a turn as well; this one says whether it failed. Within a turn, it is part of
    /// that.
    ///
    /// - Throws: what went wrong in the turn: a ``Diagnostic`` that is a failure, or what the app said with
    ///   ``fail(with:)``. The tree should not be used any further then.
    public final func turn<Result>(_ body: () -> Result) throws -> Result {
        try finished(tree.perform(body)).result
    }

    /// Runs a body as one turn at a moment.
    ///
    /// - Returns: what the body does, and the path after the turn.
    @discardableResult
    package final func turn<Result>(
        at moment: TurnMoment, _ body: () -> Result
    ) throws -> (result: Result, path: String) {
        try finished(tree.perform(at: moment, body))
    }

    /// Asks where the turn has led to. Routes without a path fail it.
    private final func finished<Result>(_ result: Result) throws -> (result: Result, path: String) {
        let tree = tree
        let path = path
        if let failure = tree.failure { throw failure }
        return (result, path)
    }

    /// The time of the turn under way, or of the last one, in whole seconds. It never goes back, and is the same whenever
    /// the turn is made again.
    ///
    /// A tree without a host begins in 1970, and its time is moved by its test: ``TreeWork/advance(by:)``.
    public final var now: Timestamp { tree.moment.now }

    /// Random numbers, which are the same whenever the turn is made again.
    ///
    /// ```swift
    /// let winner = drivers.randomElement(using: &random)
    /// ```
    public final var random: TurnRandom {
        get { tree.random }
        set { tree.random = newValue }
    }

    /// Gives up the turn under way: its outcome is not to be trusted. A host discards it and goes on from the state
    /// before.
    public final func fail(with error: any Error) {
        tree.fail(with: error)
    }

    /// Makes this tree its host's: all that happens in it happens in turns of the host, and what is done outside of one is
    /// ignored, and told as a diagnostic.
    ///
    /// Ask the root, before it starts.
    ///
    /// - Parameters:
    ///   - events: The types of the app's events. Others cannot be sent, and so are not offered.
    ///   - stray: Told of what is done outside of a turn.
    package final func beHosted(_ events: [ObjectIdentifier], _ stray: @escaping (Diagnostic) -> Void) {
        tree.events = events
        tree.host = stray
    }

    /// Lets go of a tree that is not needed any more. Nobody is told, and nothing of the app is called: no user has left.
    ///
    /// What screens, alerts and those who wait for results hold of coordinators is taken from them, so that the nodes are
    /// freed. Ask the root.
    package final func dismantle() {
        for node in ownedNodes { node.dismantle() }
        resultHandler?.forget()
        (self as? AlertCoordinator)?.forget()
        unlinkScreen()
    }

    /// Whether guards led the last turn elsewhere. Ask the root.
    package final var wasRedirected: Bool { tree.redirects > 0 }

    /// What was noticed in the last turn, at most 100 things.
    public final var diagnostics: [Diagnostic] { tree.diagnostics }
}

extension [CoordinatorNode] {
    /// These, each after all of them that it owns; others in the order in which their owners have them.
    var innermostFirst: [CoordinatorNode] {
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
    /// The positions, each in its owner, of those around this coordinator and of itself.
    fileprivate final var positionsFromRoot: [Int] {
        sequence(first: self, next: \.parentNode).map(\.positionInOwner).reversed()
    }

    /// The position among the nodes that the parent owns, if not the number of it: what is retained comes first, then what
    /// is on the screen, then modals, then what it has on a stack that it shares.
    private final var positionInOwner: Int {
        guard let parentNode else { return 0 }
        let step = TreeContext.maximumNodes
        if let position = parentNode.retainedChildren.position(of: self) { return position }
        if let position = parentNode.children.position(of: self) { return step + position }
        if let position = parentNode.modals.position(of: self) { return 2 * step + position }
        return 3 * step + (parentNode.section?.stack?.children.position(of: self) ?? step)
    }
}
