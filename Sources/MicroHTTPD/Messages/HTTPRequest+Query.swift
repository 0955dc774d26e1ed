extension HTTPRequest {
    /// The text behind `%XX` escapes; nil where an escape is malformed, stands for NUL, or the result is not UTF-8.
    ///
    /// ```swift
    /// HTTPRequest.decodePercent("caf%C3%A9")   // "café"
    /// HTTPRequest.decodePercent("100%")        // nil
    /// ```
    public static func decodePercent(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text.utf8.contains(0) ? nil : String(text) }
        return PercentEncoding.decodedBytes(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The names and values of the query, in the order sent, decoded: `+` is a space. An item without `=` has an
    /// empty value; what is not UTF-8 is replaced by U+FFFD.
    public var queryItems: [(name: String, value: String)] {
        guard let query = connection.query else { return [] }
        return query.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (HTTPRequest.decodeQuery(parts[0]), parts.count == 2 ? HTTPRequest.decodeQuery(parts[1]) : "")
        }
    }

    /// The value of the query's first item of this name, decoded.
    public func queryValue(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// A request with a malformed escape never comes this far.
    private static func decodeQuery(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: PercentEncoding.decodedBytes(text, plusIsSpace: true) ?? [], as: UTF8.self)
    }
}
