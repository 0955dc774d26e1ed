internal import Glibc

extension Span<UInt8> {
    /// Whether the bytes are equal, in the same order.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { other in
                unsafe one.isEmpty || memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0
            }
        }
    }
}
