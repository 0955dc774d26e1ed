/// The value of a `Cookie` header: `name=value` pairs separated by semicolons (RFC 6265, section 4.2.1).
///
/// libmicrohttpd's own cookie parser is not used: it accepts a comma as separator, and `Session` for `session`.
@safe struct CookieHeader {
    let bytes: UnsafeRawBufferPointer

    /// The first value for a name that satisfies a condition.
    func value(of name: String, where isFit: (String) -> Bool) -> String? {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let end = unsafe rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            let pair = unsafe UnsafeRawBufferPointer(rebasing: rest[..<end]).trimmed
            unsafe rest = rest[end...].dropFirst()
            guard
                let equals = unsafe pair.firstIndex(of: UInt8(ascii: "=")),
                unsafe pair[..<equals].elementsEqual(name.utf8)
            else { continue }
            var value = unsafe pair[(equals + 1)...]
            if unsafe value.count >= 2 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"") {
                unsafe value = value.dropFirst().dropLast()
            }
            let text = unsafe String(decoding: value, as: UTF8.self)
            if isFit(text) { return text }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without the spaces and tabs at both ends.
    var trimmed: UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var slice = unsafe self[...]
        while let first = unsafe slice.first, isBlank(first) { unsafe slice = slice.dropFirst() }
        while let last = unsafe slice.last, isBlank(last) { unsafe slice = slice.dropLast() }
        return unsafe UnsafeRawBufferPointer(rebasing: slice)
    }
}
