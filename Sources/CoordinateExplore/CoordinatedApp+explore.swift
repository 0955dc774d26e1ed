public import Coordinate

extension CoordinatedApp {
    /// Explores everything that the app offers, from the start and from every link without values. Returns its states,
    /// the events between them, a shortest path to each, and its faults.
    ///
    /// ```swift
    /// import CoordinateExplore
    ///
    /// @Test func nothingIsWrongAnywhere() {
    ///     #expect(ShopApp().explore().findings.isEmpty)
    /// }
    /// ```
    ///
    /// It presses each button, and sends each form with its choices and the app's
    /// ``Coordinate/CoordinatedApp/samples``. Work never begins: instead, it ends with each of its samples, and with a
    /// failure. Timers fire. Each state is expanded once, after the shortest path to it.
    ///
    /// Sessions have their options' defaults. Before declared paths and events are reported as not reached, the search
    /// is repeated with other options.
    ///
    /// - Parameters:
    ///   - key: The key by which two states count as one.
    ///   - depth: The most events from the start; `nil` for any number.
    ///   - maxStates: The most states.
    ///   - seed: The seed of the turns' random numbers.
    ///   - threads: The number of threads; `nil` for one per core. The result is the same for any number.
    public func explore(
        key: StateKey = .offer, depth: Int? = nil, maxStates: Int = 10_000, seed: UInt64 = 0, threads: Int? = nil
    ) -> AppGraph {
        explore(by: key, depth, maxStates, seed, Crew(width: threads))
    }

    /// Explores everything that the app offers, while it may continue. The remaining states are in the graph's frontier.
    ///
    /// - Parameter progress: Called now and then with the number of states found, and of those still to expand.
    package func explore(
        key: StateKey, depth: Int? = nil, maxStates: Int, seed: UInt64 = 0, threads: Int? = 1,
        progress: @escaping @Sendable (_ states: Int, _ queued: Int) -> Void = { _, _ in },
        while mayContinue: @escaping @Sendable () -> Bool
    ) -> AppGraph {
        explore(by: key, depth, maxStates, seed, Crew(width: threads, mayContinue: mayContinue, progress: progress))
    }

    /// - Parameter found: Called with each state when it is found, in their order.
    func explore(
        by key: StateKey, _ depth: Int?, _ maxStates: Int, _ seed: UInt64, _ crew: Crew,
        found: @escaping (_ id: Int, _ node: Node) -> Void = { _, _ in }
    ) -> AppGraph {
        let explored = ExploredApp(self, seed: seed)
        var search = Search(
            explored, by: key, depth: depth, maximumStates: maxStates, crew: crew, for: Unreached(of: explored),
            found: found)
        search.go()
        guard !search.graph.isTruncated else { return search.finished(nil) }
        return search.finished(search.missing.afterSecondLooks(at: explored, by: key, maxStates, crew))
    }
}

extension Unreached {
    /// The paths and events that other searches do not reach either: with other values of all options at once, with
    /// each alone, and, if the first search used another key, by ``StateOffer``. `nil` if a limit ended one of them.
    fileprivate func afterSecondLooks(
        at app: ExploredApp, by key: StateKey, _ maxStates: Int, _ crew: Crew
    ) -> Unreached? {
        var missing = self
        for options in app.otherOptions + (key == .offer ? [] : [.object([])]) where !missing.isEmpty {
            var search = Search(
                ExploredApp(app.app, options: options, seed: app.seed), by: .offer, maximumStates: maxStates,
                crew: crew, for: missing, isSecondLook: true)
            search.go()
            if search.graph.isTruncated, !search.missing.isEmpty { return nil }
            missing = search.missing
        }
        return missing
    }
}
