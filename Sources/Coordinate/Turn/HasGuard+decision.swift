extension CoordinatorNode {
    /// This node as a coordinator that guards its routes; `nil` if it does not.
    final var routeGuard: (any HasGuard)? { metadata.isGuarding ? self as? any HasGuard : nil }
}

extension HasGuard {
    /// Returns the refusal of a route; `nil` if it is granted.
    func refusal(of route: Any, by node: CoordinatorNode) -> Refusal? {
        guard let route = route as? RouteType else { return nil }
        return switch decision(on: route, by: node) {
        case .granted, .grantedUntil: nil
        case .refused: Refusal(node: node, other: nil, parking: .never, isGranted: { false })
        case .redirected(let other, let parking):
            Refusal(
                node: node, other: other, parking: parking,
                isGranted: { [unowned self] in
                    switch decide(on: route) {
                    case .granted, .grantedUntil: true
                    case .redirected, .refused: false
                    }
                })
        }
    }

    /// Asks the guard, and records until when its decision holds.
    private func decision(on route: RouteType, by node: CoordinatorNode) -> RouteDecision<RouteType> {
        node.tree.guards.clockWasRead = false
        let decision = decide(on: route)
        if case .grantedUntil(let end) = decision {
            node.tree.guards.record(grantUntil: end, by: node)
        } else if node.tree.guards.clockWasRead {
            node.tree.guards.record(clockReadBy: node)
        }
        return decision
    }

    /// Returns the refusal of the route that a way below this coordinator leads to, or of the active route if it leads
    /// to none; `nil` if the route is granted.
    func refusal(
        on way: ArraySlice<RouteStep>, by node: CoordinatorNode, in dependencies: (any AppDependenciesProtocol)?
    ) -> Refusal? {
        guard let (route, lastStep) = longestRoute(on: way, in: dependencies) else {
            return refusal(of: activeRoute, by: node)
        }
        var refusal = refusal(of: route, by: node)
        refusal?.lastStep = lastStep
        return refusal
    }

    /// Returns whether the guard refuses a hidden screen with this way. If no route of the screen is known, it is
    /// granted.
    func refusesHidden(
        on way: ArraySlice<RouteStep>, by node: CoordinatorNode, in dependencies: (any AppDependenciesProtocol)?
    ) -> Bool {
        let known = longestRoute(on: way, in: dependencies)?.route ?? way.first?.shown?.route as? RouteType
        guard let known else { return false }
        return switch decision(on: known, by: node) {
        case .granted, .grantedUntil: false
        case .redirected, .refused: true
        }
    }

    /// Returns the route of this coordinator that the longest part of a way leads to, and the index of that part's last
    /// step; `nil` if there is none. The top-most screens may have been shown without a route.
    private func longestRoute(
        on way: ArraySlice<RouteStep>, in dependencies: (any AppDependenciesProtocol)?
    ) -> (route: RouteType, lastStep: Int)? {
        for end in way.indices.reversed() {
            let path = way[...end].path
            if let route = route(at: path, in: dependencies) { return (route, end) }
            if let route = routeAboveChild(at: path, in: dependencies) { return (route, end) }
        }
        return nil
    }

    /// Returns the route with a child that shows something without a route, so that the path ends above it.
    private func routeAboveChild(at path: RoutePath, in dependencies: (any AppDependenciesProtocol)?) -> RouteType? {
        func route<Declared: DeclaredRoutes>(_ type: Declared.Type) -> RouteType? {
            let path = UnreadPath(path, mayEndAboveChild: true)
            return Declared.declaration.route(at: path, in: dependencies) as? RouteType
        }
        return (RouteType.self as? any DeclaredRoutes.Type).flatMap { route($0) }
    }
}
