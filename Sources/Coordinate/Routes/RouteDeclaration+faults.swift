extension RouteDeclaration {
    /// Returns the faults in these cases, and in those of nested children.
    package func faults(below types: [ObjectIdentifier] = []) -> [String] {
        guard !types.contains(ObjectIdentifier(Route.self)) else { return [] }
        return cases.flatMap { declared in
            (declared.details.problem.map { ["\(Route.self): \($0)"] } ?? [])
                + (declared.details.nested?.routes.faults(below: types + [ObjectIdentifier(Route.self)]) ?? [])
        }
    }

    /// Returns the faults that show when routes are created from paths with sample values, here and in nested children:
    /// cases that create a different case from the one that their closure matches, and cases that are never reached
    /// because an earlier one reads all their paths.
    ///
    /// - Parameters:
    ///   - dependencies: The dependencies of a root.
    ///   - types: The enums of routes that contain these.
    func trialFaults(
        in dependencies: (any AppDependenciesProtocol)?, below types: [ObjectIdentifier] = []
    ) -> [String] {
        guard !types.contains(ObjectIdentifier(Route.self)) else { return [] }
        let types = types + [ObjectIdentifier(Route.self)]
        let trials = cases.map { Trial(of: $0, in: dependencies, below: types) }
        return trials.enumerated().flatMap { index, trial in
            var faults = [trial.mismatch].compactMap(\.self)
            faults += trial.hidden(by: trials[..<index], in: dependencies)
            if let gap = trial.gap(filledBy: trials, in: dependencies) { faults.append(gap) }
            return faults.map { "\(Route.self): \($0)" }
                + (trial.details.nested?.routes.trialFaults(in: dependencies, below: types) ?? [])
        }
    }

    /// A case, with the sample paths that it reads.
    private struct Trial {
        let details: Details
        /// The mismatch between the case and its closure, as the end of a sentence; `nil` if there is none, or if no
        /// route can be created.
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
                    ? "\"\(details.pattern)\" creates the case \(caseName(of: route)), \(mismatchRemedy)" : nil
            }
        }

        /// Returns a sentence if the part of this case alone leads to another case, because no path of this one is that
        /// part; `nil` if it does not.
        func gap(filledBy others: [Trial], in dependencies: (any AppDependenciesProtocol)?) -> String? {
            let own = details.ownShape
            guard details.nested != nil, !own.pattern.description.isEmpty else { return nil }
            let samples = own.samples(in: dependencies)
            guard !samples.isEmpty, !samples.contains(where: { details.reads($0, in: dependencies) }) else {
                return nil
            }
            for other in others where other.shapes.contains(where: { $0.shape.pattern.covers(own.pattern) }) {
                guard samples.allSatisfy({ other.details.reads($0, in: dependencies) }) else { continue }
                return "\"\(own.pattern)\" leads to \"\(other.details.pattern)\", because the child of "
                    + "\"\(own.pattern)\" has no empty path: declare nested(…, endsHere: true), or an empty path in the child"
            }
            return nil
        }

        /// Returns a sentence for each path of this case that an earlier case reads.
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
    fileprivate func reads(_ path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> Bool {
        route(at: UnreadPath(path), in: dependencies) != nil
    }
}
