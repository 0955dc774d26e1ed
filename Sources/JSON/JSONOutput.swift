internal import Coordinate

/// The place that a ``JSONWriter`` writes to, from the first byte to the last.
@usableFromInline
package protocol JSONOutput: ~Copyable, SendableMetatype {
    /// - Parameter capacity: How many bytes are likely to be written.
    init(capacity: Int)

    /// Appends one byte.
    mutating func append(_ byte: UInt8)

    /// Appends what is written in the program itself.
    mutating func append(literal text: StaticString)

    /// Appends a text in UTF-8.
    mutating func append(_ text: String)

    /// Appends a text in UTF-8, some bytes of which must not stand there as they are.
    ///
    /// - Parameter escape: writes what stands there instead of such a byte.
    mutating func append(
        escaping text: String, where mustBeEscaped: (UInt8) -> Bool, _ escape: (UInt8, inout Self) -> Void
    )
}

extension [UInt8]: JSONOutput {
    @inlinable
    package init(capacity: Int) {
        self.init()
        reserveCapacity(capacity)
    }

    @inlinable
    package mutating func append(literal text: StaticString) {
        append(text.description)
    }

    @inlinable
    package mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    @inlinable
    package mutating func append(
        escaping text: String, where mustBeEscaped: (UInt8) -> Bool, _ escape: (UInt8, inout [UInt8]) -> Void
    ) {
        guard text.utf8.contains(where: mustBeEscaped) else { return append(text) }
        for byte in text.utf8 {
            if mustBeEscaped(byte) { escape(byte, &self) } else { append(byte) }
        }
    }
}

extension JSONWriter<[UInt8]> {
    /// The bytes that were written.
    @inlinable
    package consuming func finish() -> [UInt8] { written() }
}

extension Double {
    /// The whole number that this is written as and read as: 3.0 is 3, and both are 3.0 again where any number will do. Nil
    /// where there is none, as there is no -0.
    @usableFromInline package var whole: Int? {
        self == 0 && sign == .minus ? nil : Int(whole: self)
    }
}
