extension Optional: PlainValueConvertible where Wrapped: PlainValueConvertible {
    public static var plainType: PlainType { Wrapped.sentType.optional }

    public static func plainType(in dependencies: (any AppDependenciesProtocol)?) -> PlainType {
        Wrapped.described(in: dependencies).optional
    }

    /// This value as clients send it; null if it is `nil`.
    public var plainValue: PlainValue { self?.plainValue ?? .null }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Wrapped? {
        value == .null ? nil : try Wrapped.read(value, in: dependencies)
    }
}

extension Array: PlainValueConvertible, RouteValue where Element: PlainValueConvertible {
    public static var plainType: PlainType { .array(of: Element.sentType) }

    public static func plainType(in dependencies: (any AppDependenciesProtocol)?) -> PlainType {
        .array(of: Element.described(in: dependencies))
    }

    public var plainValue: PlainValue { .array(map { $0.plainValue }) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> [Element] {
        guard case .array(let values) = value else { throw PlainValueError("must be a list") }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            elements.append(
                try PlainValueError.at("\(index)") { () throws(PlainValueError) in
                    try Element.read(value, in: dependencies)
                })
        }
        return elements
    }
}
