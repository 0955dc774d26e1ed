extension EventDeclaration.Case where Event: Equatable {
    /// Declares a case without a payload.
    ///
    /// - Parameters:
    ///   - name: The case's own name, without its domain.
    ///   - event: The case itself: `.didFinish`.
    @inlinable
    public static func event(_ name: String, _ event: Event) -> Self {
        Self(name: name, fields: { _ in [] }, decode: { _, _ in event }, payload: { $0 == event ? .object([]) : nil })
    }
}

extension EventDeclaration.Case {
    /// Declares a case with one value, under the name `field` in the payload.
    ///
    /// - Parameters:
    ///   - name: The case's own name, without its domain.
    ///   - make: The case itself: `Self.didSelect`.
    ///   - field: The name of the value in a payload.
    ///   - value: Returns the value in an event of this case; `nil` for any other case.
    @inlinable
    public static func event<Value: PlainValueConvertible>(
        _ name: String, _ make: @escaping @Sendable (Value) -> Event, _ field: String,
        value: @escaping @Sendable (Event) -> Value?
    ) -> Self {
        Self(
            name: name,
            fields: { [EventField(field, Value.described(in: $0))] },
            decode: { payload, dependencies throws(PlainValueError) in
                make(try Value.read(field: field, of: payload, in: dependencies))
            },
            payload: { value($0).map { .object([PlainField(field, $0.plainValue)]) } }
        )
    }

    @available(
        *, unavailable,
        message: "Name the field of each value: .event(\"add\", Self.add, \"product\", \"count\") { … }."
    )
    public static func event<each Value: PlainValueConvertible>(
        _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Event, _ fields: String...,
        values: @escaping @Sendable (Event) -> (repeat each Value)?
    ) -> Self {
        fatalError("unavailable")
    }

    @available(
        *, unavailable,
        message: "Return the case's values in a closure: { if case .didSelect(let team) = $0 { team } else { nil } }."
    )
    public static func event<each Value: PlainValueConvertible>(
        _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Event, _ fields: String...
    ) -> Self {
        fatalError("unavailable")
    }

    /// Declares a case with any number of values, in the order of their fields.
    ///
    /// ```swift
    /// .event("add", Self.add, "product", "count", "note") {   // case add(Product, count: Int, note: String?)
    ///     if case .add(let product, let count, let note) = $0 { (product, count, note) } else { nil }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The case's own name, without its domain.
    ///   - make: The case itself: `Self.add`.
    ///   - fields: The name of each value in a payload.
    ///   - values: Returns the values in an event of this case; `nil` for any other case.
    @inlinable
    public static func event<each Value: PlainValueConvertible>(
        _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Event,
        _ fields: repeat EventFieldName<each Value>, values: @escaping @Sendable (Event) -> (repeat each Value)?
    ) -> Self {
        Self(
            name: name,
            fields: { dependencies in
                var described: [EventField] = []
                repeat described.append(EventField((each fields).name, (each Value).described(in: dependencies)))
                return described
            },
            decode: { payload, dependencies throws(PlainValueError) in
                make(repeat try (each Value).read(field: (each fields).name, of: payload, in: dependencies))
            },
            payload: { event in
                guard let values = values(event) else { return nil }
                var payload: [PlainField] = []
                repeat payload.append(PlainField((each fields).name, (each values).plainValue))
                return .object(payload)
            }
        )
    }
}

/// The name of a value in a payload. The compiler checks that each value of an event has one.
public struct EventFieldName<Value>: ExpressibleByStringLiteral, Sendable {
    @usableFromInline let name: String

    /// Creates a name from a literal: `"count"`.
    public init(stringLiteral name: String) {
        self.name = name
    }
}
