/// A property that must hold for all bytes that a client may send: of the code that reads them, and of the code that
/// writes the result.
///
/// libFuzzer generates the bytes (`make fuzz`). The tests use the stored inputs (`FuzzTargetsTests/Corpus`).
package struct FuzzTarget: Sendable {
    /// The name, which is also that of its folder of inputs.
    package let name: String
    private let property: @Sendable ([UInt8]) async throws -> Void

    init(_ name: String, _ property: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.name = name
        self.property = property
    }

    /// - Throws: ``Violation`` if the property does not hold.
    package func check(_ input: [UInt8]) async throws {
        try await property(input)
    }

    package static let all = [json, journalLines, journals, connections, requestTargets, headers, cookies, routes]
}

/// An input for which a property does not hold.
package struct Violation: Error, CustomStringConvertible {
    package let description: String
}

/// Throws if a condition does not hold.
func require(_ holds: Bool, _ description: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(description: description()) }
}

/// Throws if two texts differ in a byte: Swift considers some different spellings equal.
func requireSame(_ one: String, _ other: String, _ description: @autoclosure () -> String) throws(Violation) {
    try require(
        one.utf8.elementsEqual(other.utf8), "\(description()): \(one.debugDescription), \(other.debugDescription)")
}
