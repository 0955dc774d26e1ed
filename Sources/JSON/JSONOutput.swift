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
