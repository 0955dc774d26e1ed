extension HTTPRequest {
    /// The decoded text of `%XX` escapes; `nil` if an escape is malformed or stands for NUL, or if the result is not
    /// UTF-8.
    ///
    /// ```swift
    /// HTTPRequest.decodePercent("caf%C3%A9")   // "café"
    /// HTTPRequest.decodePercent("100%")        // nil
    /// ```
    public static func decodePercent(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text.utf8.contains(0) ? nil : String(text) }
        return PercentEncoding.decodedBytes(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The decoded names and values of the query, in the order sent. `+` is a space. An item without `=` has an empty
    /// value. Bytes that are not UTF-8 are replaced by U+FFFD.
    public var queryItems: [(name: String, value: String)] {
        guard let query = connection.query else { return [] }
        return query.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (HTTPRequest.decodeQuery(parts[0]), parts.count == 2 ? HTTPRequest.decodeQuery(parts[1]) : "")
        }
    }

    /// The decoded value of the query's first item with a name.
    public func queryValue(_ name: String) -> String? {
        hasQuery ? queryItems.first { $0.name.utf8.elementsEqual(name.utf8) }?.value : nil
    }

    /// Decodes a part of the query. Requests with malformed escapes have been refused before.
    private static func decodeQuery(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: PercentEncoding.decodedBytes(text, plusIsSpace: true) ?? [], as: UTF8.self)
    }
}
