extension RouteDeclaration {
    /// The faults in these cases, and in those of the children that they lead on to.
    package func faults(below types: [ObjectIdentifier] = []) -> [String] {
        guard !types.contains(ObjectIdentifier(Route.self)) else { return [] }
        return cases.flatMap { declared in
            (declared.details.problem.map { ["\(Route.self): \($0)"] } ?? [])
                + (declared.details.nested?.faults(types + [ObjectIdentifier(Route.self)]) ?? [])
        }
    }

    /// The faults that show when routes are made of paths with sample values, here and in the children: cases that make
    /// another case than their closure matches, and cases that are never reached, as one before reads all their paths.
    ///
    /// - Parameters:
    ///   - dependencies: Those of a root.
    ///   - types: The enums of routes that lead on to these.
    func trialFaults(
        in dependencies: (any AppDependenciesProtocol)?, below types: [ObjectIdentifier] = []
    ) -> [String] {
        guard !types.contains(ObjectIdentifier(Route.self)) else { return [] }
        let types = types + [ObjectIdentifier(Route.self)]
        let trials = cases.map { Trial(of: $0, in: dependencies, below: types) }
        return trials.enumerated().flatMap { index, trial in
            (trial.mismatch.map { ["\(Route.self): \($0)"] } ?? [])
                + trial.hidden(by: trials[..<index], in: dependencies).map { "\(Route.self): \($0)" }
                + (trial.details.nested?.trialFaults(dependencies, types) ?? [])
        }
    }

    /// A case, with the paths of samples that it reads.
    private struct Trial {
        let details: Details
        /// The reason why the case cannot be declared: the end of a sentence, `nil` if it can or no route can be made.
        let mismatch: String?
        private let shapes: [(shape: RouteShape, samples: [RoutePath])]

        init(of declared: Case, in dependencies: (any AppDependenciesProtocol)?, below types: [ObjectIdentifier]) {
            let details = declared.details
            self.details = details
            shapes = ((try? details.wholeShapes(below: types)) ?? []).map { shape in
                (shape, shape.samples(in: dependencies).filter { details.reads($0, in: dependencies) })
            }
            let sample = shapes.lazy.compactMap(\.samples.first).first
            let route = sample.flatMap { details.route(at: UnreadPath($0), in: dependencies) }
            mismatch = route.flatMap { route in
                declared.path(route) == nil
                    ? "\"\(details.pattern)\" makes the case \(caseName(of: route)), \(mismatchRemedy)" : nil
            }
        }

        /// The sentences on paths of this case that the cases before it read.
        func hidden(by others: ArraySlice<Trial>, in dependencies: (any AppDependenciesProtocol)?) -> [String] {
            shapes.compactMap { shape, samples in
                guard !samples.isEmpty else { return nil }
                for other in others {
                    let covering = other.shapes.first { $0.shape.pattern.covers(shape.pattern) }
                    guard let covering,
                        samples.allSatisfy({ other.details.reads($0, in: dependencies) })
                    else { continue }
                    let first = covering.shape.pattern.description
                    let second = shape.pattern.description
                    return first == second
                        ? "two cases have the path \"\(first)\", and the second is never reached: change one of them"
                        : "\"\(second)\" is never reached, as \"\(first)\" comes first: change one of them"
                }
                return nil
            }
        }
    }
}

extension RouteDeclaration.Details {
    /// Whether a path leads to a route of the case.
    fileprivate func reads(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        route(at: UnreadPath(path), in: dependencies) != nil
    }
}
