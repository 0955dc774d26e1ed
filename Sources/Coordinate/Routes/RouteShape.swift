/// The pattern of a whole path, with the types of the values in its placeholders.
struct RouteShape: Sendable {
    let pattern: RoutePattern
    private let parts: [any RouteValue.Type]
    private let items: [any RouteValue.Type]

    /// - Parameter values: The types of the values, with those of the query last.
    init(_ pattern: RoutePattern, values: [any RouteValue.Type]) {
        self.init(
            pattern, parts: Array(values.prefix(pattern.placeCount)),
            items: Array(values.dropFirst(pattern.placeCount)))
    }

    private init(_ pattern: RoutePattern, parts: [any RouteValue.Type], items: [any RouteValue.Type]) {
        self.pattern = pattern
        self.parts = parts
        self.items = items
    }

    func appending(_ shape: RouteShape) -> RouteShape {
        RouteShape(
            pattern.appending(shape.pattern), parts: parts + shape.parts, items: items + shape.items)
    }

    /// Returns paths of this shape with sample values in the placeholders; empty if there is no sample for a type.
    func samples(in dependencies: (any AppDependenciesProtocol)?) -> [RoutePath] {
        let values = (parts + items).map { Self.samples(of: $0, in: dependencies) }
        guard values.allSatisfy({ !$0.isEmpty }) else { return [] }
        let count = values.map(\.count).max() ?? 1
        return (0..<count).map { number in pattern.path(values.map { $0[number % $0.count] }) }
    }

    private static func samples<Value: RouteValue>(
        of type: Value.Type, in dependencies: (any AppDependenciesProtocol)?
    ) -> [PlainValue?] {
        let described = (type as? any PlainValueConvertible.Type)?.described(in: dependencies) ?? .string
        let samples = (0..<PlainType.sampleCount).map { described.sample($0) as PlainValue? } + [nil]
        return samples.filter { Value.value(inRoutes: $0?.text, in: dependencies) != nil }
    }
}
