/// A path with places for values: `team/{team}`.
struct RoutePattern: Sendable {
    private let parts: [String]
    private let isPlace: [Bool]

    init(_ pattern: String) {
        parts = pattern.split(separator: "/").map(String.init)
        isPlace = parts.map { $0.hasPrefix("{") && $0.hasSuffix("}") }
    }

    /// The path with values in the places, in order.
    func path(_ values: [PlainValue]) -> RoutePath {
        precondition(values.count == isPlace.count { $0 }, "\(parts) needs a place in braces for each of its values")
        var rest = values.makeIterator()
        let filled = zip(parts, isPlace).map { part, isPlace in
            RoutePath.encode(isPlace ? rest.next()?.text ?? "" : part)
        }
        return RoutePath(description: filled.joined(separator: "/"))
    }

    /// What stands in the places of a path that fits, nil where it does not.
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
