// The simplest readers of texts by their bytes, with which others are compared.

extension Collection<UInt8> {
    /// The bytes without the spaces and tabs at both ends.
    var trimmed: [UInt8] {
        var bytes = Array(self)
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return Array(bytes.drop { $0 == 0x20 || $0 == 0x09 })
    }

    /// The text with ASCII capitals in lower case.
    var lowercased: String {
        String(decoding: map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns the parts between the separators, empty or not.
    func split(at separator: Character) -> [[UInt8]] {
        split(separator: separator.asciiValue ?? 0, omittingEmptySubsequences: false).map { Array($0) }
    }

    /// The text without `%XX` escapes; `nil` if one is malformed, or the result is not UTF-8.
    func unescaped(plusIsSpace: Bool = false) -> String? {
        unescapedBytes(plusIsSpace: plusIsSpace).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes without `%XX` escapes; `nil` if one is malformed.
    func unescapedBytes(plusIsSpace: Bool = false) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = Array(self)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return decoded
    }
}
