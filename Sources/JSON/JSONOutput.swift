internal import Coordinate

/// The destination to which a ``JSONWriter`` writes, from the first byte to the last.
@usableFromInline
package protocol JSONOutput: ~Copyable, SendableMetatype {
    /// - Parameter capacity: The expected number of bytes.
    init(capacity: Int)

    /// Appends one byte.
    mutating func append(_ byte: UInt8)

    /// Appends a literal.
    mutating func append(literal text: StaticString)

    /// Appends a text in UTF-8.
    mutating func append(_ text: String)

    /// Appends a text in UTF-8 between two marks. Control characters, the mark and one other ASCII byte are escaped.
    ///
    /// - Parameter escape: Writes the escape of such a byte.
    mutating func append(
        _ text: some StringProtocol, between mark: UInt8, escaping other: UInt8, by escape: (UInt8, inout Self) -> Void
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
        _ text: some StringProtocol, between mark: UInt8, escaping other: UInt8,
        by escape: (UInt8, inout [UInt8]) -> Void
    ) {
        func mustBeEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == mark || byte == other }
        append(mark)
        defer { append(mark) }
        let text = String(text)
        let bytes = text.utf8.span
        // Without an early exit, the loop examines many bytes at once.
        var escapes: UInt8 = 0
        for index in bytes.indices { escapes |= mustBeEscaped(bytes[index]) ? 1 : 0 }
        guard escapes > 0 else { return append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            if mustBeEscaped(byte) { escape(byte, &self) } else { append(byte) }
        }
    }
}

extension JSONWriter<[UInt8]> {
    /// The bytes written.
    @inlinable
    package consuming func finish() -> [UInt8] { written() }
}

extension PlainValue {
    /// The value as JSON.
    package var json: [UInt8] {
        var json = JSONWriter<[UInt8]>()
        json.plain(self)
        return json.finish()
    }

    /// The value as a text of JSON.
    package var jsonText: String { String(decoding: json, as: UTF8.self) }
}

extension Double {
    /// The whole number with the same JSON as this one; `nil` if there is none, as for -0. 3.0 is written as 3, and
    /// read as 3.0 again if a fraction is allowed.
    @usableFromInline package var whole: Int? {
        self == 0 && sign == .minus ? nil : Int(whole: self)
    }
}
