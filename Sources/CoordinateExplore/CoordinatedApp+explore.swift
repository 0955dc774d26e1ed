public import Coordinate

extension CoordinatedApp {
    /// Walks through all that the app offers, from the start and from every link without values, and returns its
    /// states, the events between them, a shortest way to each, and its faults.
    ///
    /// ```swift
    /// import CoordinateExplore
    ///
    /// @Test func nothingIsWrongAnywhere() {
    ///     #expect(ShopApp().explore().findings.isEmpty)
    /// }
    /// ```
    ///
    /// It tries each button, each form with its choices and the app's ``Coordinate/CoordinatedApp/samples``, and all
    /// outcomes of work: its samples, and a failure. No work is begun. Each state is expanded once, from the shortest
    /// way to it.
    ///
    /// Sessions have their options' defaults. Declared paths and events that were not found are searched for once more,
    /// by the other keys and with other options, before they are reported as unreachable or unused.
    ///
    /// - Parameters:
    ///   - key: The key by which two states count as one.
    ///   - depth: The most events from the start; nil for any number.
    ///   - maxStates: The most states.
    ///   - seed: The seed of the turns' random numbers.
    ///   - threads: The number of threads; nil for as many as there are cores. The result is the same for any number.
    public func explore(
        key: StateKey = .path, depth: Int? = nil, maxStates: Int = 10_000, seed: UInt64 = 0, threads: Int? = nil
    ) -> AppGraph {
        explore(by: key, depth, maxStates, seed, Crew(width: threads))
    }

    /// Walks through all that the app offers on one thread, as long as it may; states that are left are in the graph's
    /// frontier.
    package func explore(
        key: StateKey, maxStates: Int, while mayGoOn: @escaping @Sendable () -> Bool
    ) -> AppGraph {
        explore(by: key, nil, maxStates, 0, Crew(width: 1, mayGoOn: mayGoOn))
    }

    private func explore(
        by key: StateKey, _ depth: Int?, _ maxStates: Int, _ seed: UInt64, _ crew: Crew
    ) -> AppGraph {
        var search = Search(
            ExploredApp(self, seed: seed), by: key, depth: depth, maximumStates: maxStates, crew: crew,
            for: Missing(of: self))
        search.go()
        guard !search.graph.isTruncated else { return search.finished(search.missing) }
        let missing = search.missing.afterSecondLooks(at: self, seed: seed, crew)
        return search.finished(crew.mayGoOn() ? missing : nil)
    }
}

extension Missing {
    /// The keys of the second searches, each with the most states.
    private static let secondLooks: [(StateKey, Int)] = [(.screen, 1_000), (.path, 1_000), (.document, 200)]

    /// The paths and events that are still missing after other searches.
    ///
    /// Each state is expanded once, so a screen to which only a second visit leads is not found. So it is searched for
    /// by each key, and with the other values of each option.
    fileprivate func afterSecondLooks(at app: some CoordinatedApp, seed: UInt64, _ crew: Crew) -> Missing {
        var missing = self
        let others = app.declaredOptions.flatMap { option in
            option.otherValues.map { PlainValue.object([PlainField(option.name, $0)]) }
        }
        for (key, limit) in Self.secondLooks {
            for options in [.object([])] + others where !missing.isEmpty {
                var search = Search(
                    ExploredApp(app, options: options, seed: seed), by: key,
                    maximumStates: limit, crew: crew, for: missing, isSecondLook: true)
                search.go()
                missing = search.missing
            }
        }
        return missing
    }
}

extension DeclaredOption {
    /// The values besides the default, where they are known.
    fileprivate var otherValues: [PlainValue] {
        let values = type.choices ?? (type.kind == .bool ? [.bool(true), .bool(false)] : [])
        return values.filter { $0 != defaultValue }
    }
}
