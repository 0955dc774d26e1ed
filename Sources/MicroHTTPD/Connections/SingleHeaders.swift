/// Headers of which a request may have one each, looked for while its header is read.
///
/// What a reader of the header is given of it is nothing but pointers: not even a reference count is changed.
@safe struct SingleHeaders: @unchecked Sendable {
    // Unchecked: nothing of it changes between `init` and `deallocate()`.

    private let names: UnsafeBufferPointer<StaticString>
    /// A bit for each length that a name has.
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

    /// A bit that stands for the header; 0 for one that may come any number of times.
    func bit(of name: UnsafeBufferPointer<CChar>) -> UInt32 {
        guard name.count < 64, lengths & 1 << UInt64(name.count) != 0 else { return 0 }
        for index in unsafe 0..<names.count {
            if unsafe HeaderValidation.is(name, names[index]) { return 1 << UInt32(index) }
        }
        return 0
    }

    /// The names that are among some fields more than once.
    func repeated(in fields: HTTPFields) -> [String] {
        var seen: UInt32 = 0
        var repeated: UInt32 = 0
        for field in fields {
            var name = field.name.rawValue
            let bit = name.withUTF8 { bytes -> UInt32 in
                unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe self.bit(of: $0) }
            }
            repeated |= seen & bit
            seen |= bit
        }
        return repeated == 0 ? [] : names(of: repeated)
    }

    /// The names that the bits stand for.
    func names(of bits: UInt32) -> [String] {
        unsafe (0..<names.count).filter { bits & 1 << UInt32($0) != 0 }.map { unsafe names[$0].description }
    }
}
