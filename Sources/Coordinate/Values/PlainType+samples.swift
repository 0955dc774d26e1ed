extension PlainType {
    /// The number of samples of each type.
    static let sampleCount = 4

    /// Returns a value of this type to try a declaration with. An app's own type may refuse some of them.
    ///
    /// - Parameter number: The number of the sample, from 0 to ``sampleCount`` - 1.
    package func sample(_ number: Int) -> PlainValue {
        if let choices { return choices.isEmpty ? .null : choices[number % choices.count] }
        switch kind {
        case .bool: return .bool(number % 2 == 0)
        case .int: return .int([1, 0, 12, 2026][number])
        case .double: return .double([1, 0, 0.5, 2026][number])
        case .string: return .string(["a", "1", "", "2026-01-01"][number])
        case .array: return .array(items.map { [$0.sample(number)] } ?? [])
        case .object: return .object(fields.map { PlainField($0.name, $0.type.sample(number)) })
        }
    }
}
