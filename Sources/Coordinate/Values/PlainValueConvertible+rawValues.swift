/// Clients send values of a type with raw values as their raw values.
extension PlainValueConvertible where Self: RawRepresentable, RawValue: PlainValueConvertible {
    public static var plainType: PlainType { RawValue.plainType }
    public static var isSecret: Bool { RawValue.isSecret }
    public var plainValue: PlainValue { rawValue.plainValue }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self {
        guard let result = Self(rawValue: try RawValue.resolve(value, in: dependencies)) else {
            throw PlainValueError("is not a value of \(Self.self)")
        }
        return result
    }
}

/// The choices of a type with known cases are those cases.
extension PlainValueConvertible where Self: RawRepresentable & CaseIterable, RawValue: PlainValueConvertible {
    public static var plainType: PlainType { RawValue.plainType.with(choices: allCases.map(\.plainValue)) }

    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Self {
        guard let result = Self(rawValue: try RawValue.resolve(value, in: dependencies)) else {
            throw PlainValueError("must be one of \(someChoices)")
        }
        return result
    }

    /// The choices as the end of a sentence; only the first few if there are many.
    private static var someChoices: String {
        let texts = allCases.prefix(10).map { choice in
            choice.plainValue.string.map { "\"\($0)\"" } ?? choice.plainValue.text
        }
        return texts.joined(separator: ", ") + (allCases.count > texts.count ? ", …" : "")
    }
}
