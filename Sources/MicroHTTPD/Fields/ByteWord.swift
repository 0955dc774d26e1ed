/// Eight bytes that are examined at once.
///
/// The bytes that are sought are marked in their highest bits. There is a mark if and only if one of the eight is
/// sought, but it is not always in the byte's own place: see "Bit Twiddling Hacks"
/// (https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord).
///
/// Everything can be inlined, because the writers that use it are.
@usableFromInline
struct ByteWord {
    @usableFromInline let bytes: UInt64
    @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101

    @inlinable
    init(_ bytes: UInt64) {
        self.bytes = bytes
    }

    /// The marks of bytes below a limit of at most 128.
    @inlinable
    func marks(below limit: UInt8) -> UInt64 {
        (bytes &- Self.ones &* UInt64(limit)) & ~bytes & Self.ones << 7
    }

    /// The marks of bytes above a limit of at most 127.
    func marks(above limit: UInt8) -> UInt64 {
        (bytes &+ Self.ones &* UInt64(0x7F - limit) | bytes) & Self.ones << 7
    }

    /// The marks of an ASCII byte.
    @inlinable
    func marks(of byte: UInt8) -> UInt64 {
        ByteWord(bytes ^ Self.ones &* UInt64(byte)).marks(below: 1)
    }

    /// The marks of bytes below a limit and of two ASCII bytes, in fewer steps than separately. `~bytes` clears the
    /// marks of bytes that are not ASCII.
    @inlinable
    func marks(below limit: UInt8, of first: UInt8, _ second: UInt8) -> UInt64 {
        let low = bytes &- Self.ones &* UInt64(limit)
        let one = (bytes ^ Self.ones &* UInt64(first)) &- Self.ones
        let other = (bytes ^ Self.ones &* UInt64(second)) &- Self.ones
        return (low | one | other) & ~bytes & Self.ones << 7
    }
}

extension UnsafeRawBufferPointer {
    /// Whether any eight bytes have marks.
    @inline(__always)
    func haveMarks(_ marks: (ByteWord) -> UInt64) -> Bool {
        guard count >= 8 else {
            // This letter is never sought.
            var last = UInt64(UInt8(ascii: "a")) &* 0x0101_0101_0101_0101
            for index in 0..<count { last = unsafe last << 8 | UInt64(self[index]) }
            return marks(ByteWord(last)) != 0
        }
        var found: UInt64 = 0
        for offset in stride(from: 0, through: count - 8, by: 8) {
            found |= unsafe marks(ByteWord(loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        // The last eight bytes. Some of them are examined twice.
        return unsafe found | marks(ByteWord(loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))) != 0
    }
}
