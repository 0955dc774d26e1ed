extension RouteDeclaration.Case {
    /// Declares a case without a value.
    @inlinable
    public static func route(_ path: String, _ route: Route) -> Self {
        let pattern = RoutePattern(path)
        let routePath = pattern.path([])
        return Self(
            pattern, values: [],
            path: { $0 == route ? routePath : nil },
            route: { _, _, _ in route }
        )
    }

    /// Declares a case with one value, which replaces the `{…}` in the pattern.
    ///
    /// ```swift
    /// .route("team/{team}/drivers", Self.drivers) { if case .drivers(let team) = $0 { team } else { nil } }
    /// .route("search?q={query}", Self.search) { if case .search(let query) = $0 { query } else { nil } }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The pattern, without a slash in front: `team/{team}`. In a query, each item has a placeholder for its
    ///     value.
    ///   - make: The case itself: `Self.team`. It may return `nil` if there is no such route.
    ///   - value: Returns the value in a route of this case; `nil` for any other case.
    @inlinable
    public static func route<Value: RouteValue>(
        _ path: String, _ make: @escaping @Sendable (Value) -> Route?,
        value: @escaping @Sendable (Route) -> Value?
    ) -> Self {
        let pattern = RoutePattern(path)
        return Self(
            pattern, values: [Value.self],
            path: { value($0).map { pattern.path([$0.valueInRoutes]) } },
            route: { texts, _, dependencies in
                Value.value(inRoutes: texts[0], in: dependencies).flatMap(make)
            }
        )
    }

    /// Declares a case with two values.
    ///
    /// - Parameters:
    ///   - path: The pattern, without a slash in front: `compare/{driver}/{driver}`. The values of a query come after
    ///     those of the path.
    ///   - make: The case itself. It may return `nil` if the two values do not fit together.
    ///   - values: Returns the values in a route of this case; `nil` for any other case.
    @inlinable
    public static func route<First: RouteValue, Second: RouteValue>(
        _ path: String, _ make: @escaping @Sendable (First, Second) -> Route?,
        values: @escaping @Sendable (Route) -> (First, Second)?
    ) -> Self {
        let pattern = RoutePattern(path)
        return Self(
            pattern, values: [First.self, Second.self],
            path: { values($0).map { pattern.path([$0.0.valueInRoutes, $0.1.valueInRoutes]) } },
            route: { texts, _, dependencies in
                guard let first = First.value(inRoutes: texts[0], in: dependencies),
                    let second = Second.value(inRoutes: texts[1], in: dependencies)
                else { return nil }
                return make(first, second)
            }
        )
    }

    /// Declares a case with any number of values.
    ///
    /// - Parameters:
    ///   - path: The pattern, without a slash in front: `{year}/{month}/{day}?zone={zone}`. The values of a query come
    ///     after those of the path.
    ///   - make: The case itself. It may return `nil` if the values do not fit together.
    ///   - values: Returns the values in a route of this case; `nil` for any other case.
    @inlinable
    public static func route<each Value: RouteValue>(
        _ path: String, _ make: @escaping @Sendable (repeat each Value) -> Route?,
        values: @escaping @Sendable (Route) -> (repeat each Value)?
    ) -> Self {
        let pattern = RoutePattern(path)
        var types: [any RouteValue.Type] = []
        repeat types.append((each Value).self)
        return Self(
            pattern, values: types,
            path: { route in
                guard let values = values(route) else { return nil }
                var plain: [PlainValue?] = []
                repeat plain.append((each values).valueInRoutes)
                return pattern.path(plain)
            },
            route: { texts, _, dependencies in
                var reader = RouteValueReader(texts, dependencies)
                return try? make(repeat reader.next((each Value).self))
            }
        )
    }
}

/// A reader of a route's values, one after another.
@usableFromInline
struct RouteValueReader {
    @usableFromInline
    struct NoValue: Error {}

    private var texts: ArraySlice<String?>
    private let dependencies: (any AppDependenciesProtocol)?

    @usableFromInline
    init(_ texts: [String?], _ dependencies: (any AppDependenciesProtocol)?) {
        self.texts = texts[...]
        self.dependencies = dependencies
    }

    @usableFromInline
    mutating func next<Value: RouteValue>(_ type: Value.Type) throws(NoValue) -> Value {
        guard let text = texts.popFirst(), let value = Value.value(inRoutes: text, in: dependencies) else {
            throw NoValue()
        }
        return value
    }
}
