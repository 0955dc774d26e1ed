/// A property that has to hold whatever bytes somebody sends: of what reads them, and of what writes what was read.
///
/// libFuzzer invents the bytes (`make fuzz`); the tests try those that are kept (`FuzzTargetsTests/Corpus`).
package struct FuzzTarget: Sendable {
    /// The name of its folder of inputs, too.
    package let name: String
    private let property: @Sendable ([UInt8]) async throws -> Void

    init(_ name: String, _ property: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.name = name
        self.property = property
    }

    /// - Throws: ``Violation`` where the property does not hold.
    package func check(_ input: [UInt8]) async throws {
        try await property(input)
    }

    package static let all = [
        json, journalLines, journals, connections, requestTargets, headers, cookies, conditions, routes, histories,
    ]
}

/// An input for which a property does not hold.
package struct Violation: Error, CustomStringConvertible {
    package let description: String
}

/// Throws where something that always has to hold does not.
func require(_ holds: Bool, _ description: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(description: description()) }
}

/// Throws where two texts differ in a byte: Swift holds some to be equal that are spelt differently.
func requireSame(_ one: String, _ other: String, _ description: @autoclosure () -> String) throws(Violation) {
    try require(
        one.utf8.elementsEqual(other.utf8), "\(description()): \(one.debugDescription), \(other.debugDescription)")
}
