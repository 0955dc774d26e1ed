extension RouteDeclaration.Case {
    /// Declares a case with routes of a child. Its own path is `part`; the rest is the child's path.
    ///
    /// ```swift
    /// .nested("teams", Self.teams) { if case .teams(let route) = $0 { route } else { nil } }
    /// ```
    ///
    /// The case contains an optional route of the child. It is `nil` in ``HasRoutes/activeRoute``, because only the
    /// child knows its own route. If the part is empty, the child's paths replace the parent's.
    ///
    /// - Parameters:
    ///   - part: The case's own part of the path, without values.
    ///   - make: The case itself: `Self.teams`. It may return `nil` if there is no such route.
    ///   - endsHere: Whether the case's own part is a path as well: it leads to the case without a child's route. It
    ///     makes no difference if the child has an empty path.
    ///   - child: Returns the child's route in a route of this case; `nil` for any other case.
    @inlinable
    public static func nested<Child: DeclaredRoutes>(
        _ part: String, _ make: @escaping @Sendable (Child?) -> Route?, endsHere: Bool = false,
        child: @escaping @Sendable (Route) -> Child??
    ) -> Self {
        let pattern = RoutePattern(part)
        let routePath = pattern.path([])
        return Self(
            pattern, values: [],
            path: { child($0) == nil ? nil : routePath },
            nested: RouteDeclaration.Nested(endsHere: endsHere) { child($0) ?? nil },
            route: { _, rest, dependencies in
                rest.child(Child.self, orNone: endsHere, in: dependencies).flatMap { make($0) }
            }
        )
    }

    /// Declares a case with a value and routes of a child.
    ///
    /// ```swift
    /// .nested("orders/{order}", Self.order) {   // case order(Order, OrderCoordinator.Route?)
    ///     if case .order(let order, let child) = $0 { (order, child) } else { nil }
    /// }
    /// ```
    ///
    /// The query is at the end of the whole path, with the items of this case before the child's. No nested child may
    /// have an item of the same name.
    ///
    /// - Parameters:
    ///   - part: The pattern of the case's own part of the path: `orders/{order}?tab={tab}`.
    ///   - make: The case itself: `Self.order`. It may return `nil` if there is no such route.
    ///   - endsHere: Whether the case's own part is a path as well, without a child's route.
    ///   - child: Returns the value and the child's route in a route of this case; `nil` for any other case.
    @inlinable
    public static func nested<Value: RouteValue, Child: DeclaredRoutes>(
        _ part: String, _ make: @escaping @Sendable (Value, Child?) -> Route?, endsHere: Bool = false,
        child: @escaping @Sendable (Route) -> (Value, Child?)?
    ) -> Self {
        let pattern = RoutePattern(part)
        return Self(
            pattern, values: [Value.self],
            path: { child($0).map { pattern.path([$0.0.valueInRoutes]) } },
            nested: RouteDeclaration.Nested(endsHere: endsHere) { child($0)?.1 },
            route: { texts, rest, dependencies in
                guard let value = Value.value(inRoutes: texts[0], in: dependencies),
                    let child = rest.child(Child.self, orNone: endsHere, in: dependencies)
                else { return nil }
                return make(value, child)
            }
        )
    }

    /// Declares a case with two values and routes of a child.
    ///
    /// - Parameters:
    ///   - part: The pattern of the case's own part of the path. The values of a query come after those of the path.
    ///   - make: The case itself. It may return `nil` if the two values do not fit together.
    ///   - endsHere: Whether the case's own part is a path as well, without a child's route.
    ///   - child: Returns the values and the child's route in a route of this case; `nil` for any other case.
    @inlinable
    public static func nested<First: RouteValue, Second: RouteValue, Child: DeclaredRoutes>(
        _ part: String, _ make: @escaping @Sendable (First, Second, Child?) -> Route?, endsHere: Bool = false,
        child: @escaping @Sendable (Route) -> (First, Second, Child?)?
    ) -> Self {
        let pattern = RoutePattern(part)
        return Self(
            pattern, values: [First.self, Second.self],
            path: { child($0).map { pattern.path([$0.0.valueInRoutes, $0.1.valueInRoutes]) } },
            nested: RouteDeclaration.Nested(endsHere: endsHere) { child($0)?.2 },
            route: { texts, rest, dependencies in
                guard let first = First.value(inRoutes: texts[0], in: dependencies),
                    let second = Second.value(inRoutes: texts[1], in: dependencies),
                    let child = rest.child(Child.self, orNone: endsHere, in: dependencies)
                else { return nil }
                return make(first, second, child)
            }
        )
    }

    /// Declares a case with three values and routes of a child.
    ///
    /// - Parameters:
    ///   - part: The pattern of the case's own part of the path. The values of a query come after those of the path.
    ///   - make: The case itself. It may return `nil` if the three values do not fit together.
    ///   - endsHere: Whether the case's own part is a path as well, without a child's route.
    ///   - child: Returns the values and the child's route in a route of this case; `nil` for any other case.
    @inlinable
    public static func nested<First: RouteValue, Second: RouteValue, Third: RouteValue, Child: DeclaredRoutes>(
        _ part: String, _ make: @escaping @Sendable (First, Second, Third, Child?) -> Route?, endsHere: Bool = false,
        child: @escaping @Sendable (Route) -> (First, Second, Third, Child?)?
    ) -> Self {
        let pattern = RoutePattern(part)
        return Self(
            pattern,
            values: [First.self, Second.self, Third.self],
            path: { route in
                child(route).map { pattern.path([$0.0.valueInRoutes, $0.1.valueInRoutes, $0.2.valueInRoutes]) }
            },
            nested: RouteDeclaration.Nested(endsHere: endsHere) { child($0)?.3 },
            route: { texts, rest, dependencies in
                guard let first = First.value(inRoutes: texts[0], in: dependencies),
                    let second = Second.value(inRoutes: texts[1], in: dependencies),
                    let third = Third.value(inRoutes: texts[2], in: dependencies),
                    let child = rest.child(Child.self, orNone: endsHere, in: dependencies)
                else { return nil }
                return make(first, second, third, child)
            }
        )
    }
}
