public import Coordinate

extension CoordinatedApp {
    /// Walks through all that the app offers, from the start and from every link without values: its states, the events between
    /// them, a shortest way to each, and what is wrong.
    ///
    /// ```swift
    /// import CoordinateExplore
    ///
    /// @Test func nothingIsWrongAnywhere() {
    ///     #expect(ShopApp().explore().findings.isEmpty)
    /// }
    /// ```
    ///
    /// It tries each button, each form with its choices and the app's ``Coordinate/CoordinatedApp/samples``, and whatever may
    /// come of work: it is done, or fails. No work is begun. A state is taken further once, from the shortest way to it.
    ///
    /// Sessions have their options' defaults. What is declared and not found is looked for once more, by the other keys and
    /// with other options, before it is said to be unreachable or unused.
    ///
    /// - Parameters:
    ///   - key: The thing by which two states are one.
    ///   - depth: The most events from the start; nil for any number.
    ///   - maxStates: The most states.
    ///   - seed: What the turns' random numbers are made from.
    ///   - threads: The number of threads; nil for as many as there are cores. It changes nothing but the time it takes.
    public func explore(
        key: StateKey = .path, depth: Int? = nil, maxStates: Int = 10_000, seed: UInt64 = 0, threads: Int? = nil
    ) -> AppGraph {
        explore(by: key, depth, maxStates, seed, Crew(width: threads))
    }

    /// Walks through all that the app offers on one thread, as long as it may: what is left then is in the graph's frontier.
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
    /// The keys of the second looks, each with the most states.
    private static let secondLooks: [(StateKey, Int)] = [(.screen, 1_000), (.path, 1_000), (.document, 200)]

    /// The things that are still missing after other searches.
    ///
    /// A state is taken further once: what only a second visit leads to may be there all the same. So it is looked for by
    /// each key, and with the other values of each option.
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
