/// A path with places for values: `team/{team}`.
@usableFromInline
struct RoutePattern: Sendable {
    private let parts: [String]
    private let isPlace: [Bool]
    /// What stands before, between and after the places, encoded: a path is asked for with every turn.
    private let fixed: [String]

    @usableFromInline
    init(_ pattern: String) {
        parts = pattern.split(separator: "/").map(String.init)
        isPlace = parts.map { $0.hasPrefix("{") && $0.hasSuffix("}") }
        var fixed = [""]
        for (index, part) in parts.enumerated() {
            if index > 0 { fixed[fixed.count - 1] += "/" }
            if isPlace[index] { fixed.append("") } else { fixed[fixed.count - 1] += RoutePath.encode(part) }
        }
        self.fixed = fixed
    }

    /// The path with values in the places, in order.
    @usableFromInline
    func path(_ values: PlainValue...) -> RoutePath {
        precondition(values.count == fixed.count - 1, "\(parts) needs a place in braces for each of its values")
        var path = fixed[0]
        for (index, value) in values.enumerated() {
            path += RoutePath.encode(value.text)
            path += fixed[index + 1]
        }
        return RoutePath(description: path)
    }

    /// What stands in the places of a path that fits, nil where it does not.
    @usableFromInline
    func values(in path: ArraySlice<String>) -> [String]? {
        guard path.count == parts.count else { return nil }
        var values: [String] = []
        for (index, part) in path.enumerated() {
            if isPlace[index] {
                values.append(part)
            } else if part != parts[index] {
                return nil
            }
        }
        return values
    }
}

extension PlainValue {
    /// A value of a type as it is written in a path, nil where that does not fit.
    init?(_ text: String, as type: PlainType) {
        switch type {
        case .string: self = .string(text)
        case .int:
            guard let int = Int(text) else { return nil }
            self = .int(int)
        case .double:
            guard let double = Double(text) else { return nil }
            self = .double(double)
        case .bool:
            guard let bool = Bool(text) else { return nil }
            self = .bool(bool)
        }
    }

    /// The value as it is written in a path.
    fileprivate var text: String {
        switch self {
        case .string(let value): value
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .bool(let value): String(value)
        case .null, .array, .object: ""
        }
    }
}
