import Coordinate

/// A name a profile can have: 1 to 80 characters.
struct ProfileName: Sendable, Equatable {
    let text: String

    init?(_ text: String) {
        guard (1...80).contains(text.count) else { return nil }
        self.text = text
    }
}

extension ProfileName: PlainValueConvertible {
    static let plainType = PlainType.string
    var plainValue: PlainValue { .string(text) }

    static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> ProfileName {
        guard let name = ProfileName(try String.resolve(value, in: dependencies)) else {
            throw PlainValueError("must have 1 to 80 characters")
        }
        return name
    }
}
