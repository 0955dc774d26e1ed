import Coordinate

/// A valid name of a profile: 1 to 80 characters (Unicode scalars), none of them a control character.
struct ProfileName: Sendable, Equatable {
    let text: String

    init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard (1...80).contains(scalars.count), !scalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
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
            throw PlainValueError(
                "must have 1 to 80 characters and no control characters",
                advice: "Enter a name of up to 80 characters.")
        }
        return name
    }
}
