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
