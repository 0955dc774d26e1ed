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
        let tree = tree
        let result = tree.perform(body)
        if let failure = tree.failure { throw failure }
        return result
    }

    /// Gives up the turn under way: its outcome is not to be trusted. A host discards it and goes on from the state
    /// before.
    public final func fail(with error: any Error) {
        tree.fail(with: error)
    }

    /// What was noticed in the last turn, at most 100 things.
    public final var diagnostics: [Diagnostic] { tree.diagnostics }
}
