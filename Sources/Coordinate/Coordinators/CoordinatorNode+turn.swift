extension CoordinatorNode {
    /// Runs a body as one turn of the tree: what it asks for has settled when this returns.
    ///
    /// ```swift
    /// try app.turn { app.start() }
    /// let dispatch = try app.turn { app.visibleLeaf.getRootViewController().emitEvent(AppEvents.Splash.didFinish) }
    /// ```
    ///
    /// An event that is emitted outside of this method is a turn as well; this method reports whether the turn failed.
    /// Called within a turn, the body is part of that turn.
    ///
    /// - Throws: The failure of the turn: a ``Diagnostic``, or the error that the app gave to ``fail(with:)``. The tree
    ///   should not be used any further then.
    public final func turn<Result>(_ body: () -> Result) throws -> Result {
        try finished(tree.perform(body)).result
    }

    /// Runs a body as one turn at a moment.
    ///
    /// - Returns: The result of the body, and the path after the turn.
    @discardableResult
    package final func turn<Result>(
        at moment: TurnMoment, _ body: () -> Result
    ) throws -> (result: Result, path: String) {
        try finished(tree.perform(at: moment, body))
    }

    /// Adds the path to which the turn has led, and throws where it failed. A route without a path fails it.
    private final func finished<Result>(_ result: Result) throws -> (result: Result, path: String) {
        let tree = tree
        let path = path
        if let failure = tree.failure { throw failure }
        return (result, path)
    }

    /// The time of the turn under way, or of the last one, in whole seconds. It never goes back, and is the same
    /// whenever the turn is replayed.
    ///
    /// A tree without a host begins in 1970, and a test moves its time: ``TreeWork/advance(by:)``.
    public final var now: Timestamp { tree.moment.now }

    /// Random numbers, which are the same whenever the turn is replayed.
    ///
    /// ```swift
    /// let winner = drivers.randomElement(using: &random)
    /// ```
    public final var random: TurnRandom {
        get { tree.random }
        set { tree.random = newValue }
    }

    /// Gives up the turn under way, whose outcome is not to be trusted. A host discards it and goes on from the state
    /// before.
    public final func fail(with error: any Error) {
        tree.fail(with: error)
    }

    /// Makes a host the owner of this tree: all that happens in the tree happens in turns of the host. Anything else is
    /// ignored, and reported as a diagnostic.
    ///
    /// Ask the root, before it starts.
    ///
    /// - Parameters:
    ///   - events: The types of the app's events. Clients cannot send others, so others are not offered.
    ///   - stray: Called with what is done outside of a turn.
    package final func beHosted(_ events: [ObjectIdentifier], _ stray: @escaping (Diagnostic) -> Void) {
        tree.events = events
        tree.host = stray
    }

    /// Takes apart a tree that is not needed any more. Nothing is reported, and nothing of the app is called: no user
    /// has left.
    ///
    /// Screens, alerts and handlers of results lose their references to coordinators, so that the nodes are freed. Ask
    /// the root.
    package final func dismantle() {
        for node in ownedNodes { node.dismantle() }
        resultHandler?.forget()
        (self as? AlertCoordinator)?.forget()
        unlinkScreen()
    }

    /// Whether guards led the last turn elsewhere. Ask the root.
    package final var wasRedirected: Bool { tree.redirects > 0 }

    /// The problems noticed in the last turn, at most 100.
    public final var diagnostics: [Diagnostic] { tree.diagnostics }
}

extension [CoordinatorNode] {
    /// The coordinators of this list, each after all others of the list that it owns; siblings keep their order.
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
    /// The positions of this coordinator and of all its ancestors, each in its owner, from the root down.
    fileprivate final var positionsFromRoot: [Int] {
        sequence(first: self, next: \.parentNode).map(\.positionInOwner).reversed()
    }

    /// The position among the nodes that the parent owns, in order but with gaps: retained ones come first, then those
    /// on the screen, then modals, then those that the parent pushed on a shared stack.
    private final var positionInOwner: Int {
        guard let parentNode else { return 0 }
        let step = TreeContext.maximumNodes
        if let position = parentNode.retainedChildren.position(of: self) { return position }
        if let position = parentNode.children.position(of: self) { return step + position }
        if let position = parentNode.modals.position(of: self) { return 2 * step + position }
        return 3 * step + (parentNode.section?.stack?.children.position(of: self) ?? step)
    }
}
