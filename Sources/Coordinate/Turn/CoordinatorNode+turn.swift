extension CoordinatorNode {
    /// Runs a body as one turn of the tree. The tree has settled when this method returns.
    ///
    /// ```swift
    /// try app.turn { app.start() }
    /// let dispatch = try app.turn { app.visibleLeaf.getRootViewController().emitEvent(AppEvents.Splash.didFinish) }
    /// ```
    ///
    /// An event emitted outside of this method is a turn as well, but only this method reports whether the turn failed.
    /// If it is called within a turn, the body is part of that turn.
    ///
    /// - Throws: The failure of the turn: a ``Diagnostic``, or the error that the app passed to ``fail(with:)``. The
    ///   tree should not be used afterwards.
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

    /// Returns the result and the path after the turn, or throws its failure. Reading the path may fail the turn.
    private final func finished<Result>(_ result: Result) throws -> (result: Result, path: String) {
        let tree = tree
        let path = path
        if let failure = tree.failure { throw failure }
        return (result, path)
    }

    /// The time of the current turn, or of the last one, in whole seconds. It never goes back, and is the same in every
    /// replay of the turn.
    ///
    /// The time of a tree without a host begins in 1970. A test advances it with ``TreeWork/advance(by:)``.
    public final var now: Timestamp {
        tree.guards.clockWasRead = true
        return tree.moment.now
    }

    /// The random numbers of the turn, which are the same in every replay.
    ///
    /// ```swift
    /// let winner = drivers.randomElement(using: &random)
    /// ```
    public final var random: TurnRandom {
        get { tree.random }
        set { tree.random = newValue }
    }

    /// The session that this tree belongs to. It is the same in every replay: the trees of a fork and of an import keep
    /// the reference and the key with which the original's tree was started.
    ///
    /// Before this coordinator is in the tree, in `init` for instance, only a root and what it creates know it.
    public final var sessionContext: SessionContext { tree.session }

    /// Fails the current turn, because its outcome cannot be trusted. The host discards the turn and continues from the
    /// state before it.
    public final func fail(with error: any Error) {
        tree.fail(with: error)
    }

    /// Binds this tree to a host: changes happen only in the host's turns. The tree ignores other changes, and reports
    /// them as diagnostics.
    ///
    /// Call it on the root, before it starts.
    ///
    /// - Parameters:
    ///   - events: The types of the app's events. Clients cannot send others, so others are not offered.
    ///   - stray: Called for each change that the app attempts outside of a turn.
    package final func beHosted(_ events: [ObjectIdentifier], _ stray: @escaping (Diagnostic) -> Void) {
        tree.events = events
        tree.host = stray
    }

    /// Dismantles a tree that is no longer needed. It reports nothing and does not call the app, because no user left.
    ///
    /// Screens, alerts and handlers of results release their references to coordinators, so that the nodes are freed.
    /// Call it on the root.
    package final func dismantle() {
        for node in ownedNodes { node.dismantle() }
        resultHandler?.release()
        (self as? AlertCoordinator)?.release()
        unlinkScreen()
    }

    /// Whether guards redirected the last turn. Read it on the root.
    package final var wasRedirected: Bool { tree.redirects > 0 }

    /// The problems noticed in the last turn, at most 100.
    public final var diagnostics: [Diagnostic] { tree.diagnostics }
}
