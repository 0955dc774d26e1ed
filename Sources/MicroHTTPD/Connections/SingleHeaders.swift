/// The headers that a request may have only once each. They are checked while the header is read.
///
/// It holds only pointers, so that reading a header changes no reference count.
@safe struct SingleHeaders: @unchecked Sendable {
    // Unchecked: its contents do not change between `init` and `deallocate()`.

    private let names: UnsafeBufferPointer<StaticString>
    /// A bit per name length.
    private let lengths: UInt64

    /// - Parameter names: In lower case; at most 32, none longer than 63 characters.
    init(_ names: [StaticString]) {
        precondition(names.count <= 32 && names.allSatisfy { $0.utf8CodeUnitCount < 64 })
        let copy = UnsafeMutableBufferPointer<StaticString>.allocate(capacity: names.count)
        _ = unsafe copy.initialize(from: names)
        unsafe self.names = UnsafeBufferPointer(copy)
        lengths = names.reduce(0) { $0 | 1 << UInt64($1.utf8CodeUnitCount) }
    }

    func deallocate() {
        unsafe names.deallocate()
    }

    /// The bit of the header; 0 for one that may occur any number of times.
    func bit(of name: UnsafeBufferPointer<CChar>) -> UInt32 {
        guard name.count < 64, lengths & 1 << UInt64(name.count) != 0 else { return 0 }
        for index in unsafe 0..<names.count {
            if unsafe HeaderValidation.is(name, names[index]) { return 1 << UInt32(index) }
        }
        return 0
    }

    /// The names that occur more than once in some fields.
    func repeated(in fields: HTTPFields) -> [String] {
        var seen: UInt32 = 0
        var repeated: UInt32 = 0
        for field in fields {
            var name = field.name.rawName
            let bit = name.withUTF8 { bytes -> UInt32 in
                unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe self.bit(of: $0) }
            }
            repeated |= seen & bit
            seen |= bit
        }
        return repeated == 0 ? [] : names(of: repeated)
    }

    /// The names of the bits.
    func names(of bits: UInt32) -> [String] {
        unsafe (0..<names.count).filter { bits & 1 << UInt32($0) != 0 }.map { unsafe names[$0].description }
    }
}
