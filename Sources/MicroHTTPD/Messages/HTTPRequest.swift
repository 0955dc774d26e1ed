internal import CMicroHTTPD

/// A request, lent to the handler for the length of one call.
///
/// It cannot be copied or kept: what it tells is read from libmicrohttpd's memory when it is asked for, and that memory
/// is the next request's after the answer. Header, cookie and query are looked up by name; what is not asked for
/// costs nothing.
///
/// ```swift
/// func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
///     switch (request.method, request.path) {
///     case (.get, "/hello"): .now(HTTPResponse(status: 200, body: "hello \(request.queryValue("name") ?? "you")\n"))
///     default: .now(HTTPResponse(status: 404))
///     }
/// }
/// ```
@safe public struct HTTPRequest: ~Copyable {
    let raw: OpaquePointer
    private let word: UnsafePointer<CChar>
    private let target: UnsafePointer<CChar>
    let connection: Connection

    init(
        method: UnsafePointer<CChar>, raw: OpaquePointer, target: UnsafePointer<CChar>, connection: Connection
    ) {
        unsafe self.word = unsafe method
        unsafe self.raw = unsafe raw
        unsafe self.target = unsafe target
        self.connection = connection
    }

    /// What is asked to be done.
    public var method: HTTPMethod { unsafe HTTPMethod(rawValue: String(cString: word)) }

    /// Where the client connects from, or the proxy that is next to the server.
    public var peer: IPAddress { connection.peer }

    /// The host that is asked for, as it was sent, and the port where it is told: the target's, where that is a whole
    /// address, else that of the header `Host` (RFC 9112, section 3.2.2). Nil where an HTTP/1.0 client tells none.
    public var authority: String? {
        let path = connection.pathRange.lowerBound
        guard path > 0 else { return header("Host") }
        let start = "http://".utf8.count
        let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(target) + start, count: path - start)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// The headers that came more than once, of those that may not: `HTTPHandler.singleHeaders`.
    public var repeatedHeaders: [String] { connection.repeatedHeaders }

    /// Has headers put on whatever answers this request, also on an answer that others share, or that is given later. A
    /// second call replaces the first one's.
    public func addToAnswer(_ headers: [(name: String, value: String)]) {
        connection.answerHeaders = headers
    }

    /// Whether it came on a connection that there is no regular place for: it is to be answered quickly, or told that there
    /// is no room, and the connection ends with that.
    public var isOnReserve: Bool { connection.isOnReserve }

    /// The path as it was sent: still escaped, without the query. It starts with `/`, or is `*` (for `OPTIONS`).
    ///
    /// Split it at its slashes first and decode the parts with `decodePercent(_:)` then, so that `%2F` stays within a part.
    public var path: String {
        let range = connection.pathRange
        guard !range.isEmpty else { return "/" }
        let start = unsafe UnsafeRawPointer(target) + range.lowerBound
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: range.count), as: UTF8.self)
    }

    /// What follows the first `?`, as it was sent: still escaped. Nil where there is no `?`.
    public var query: String? {
        connection.query.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The whole body; empty where there is none or it went to a receiver, and in `HTTPHandler.bodyPlan(for:)`.
    public var body: [UInt8] { connection.body }

    /// What took the body, where it was streamed.
    public var receiver: (any HTTPBodyReceiver)? {
        if case .streaming(let receiver) = connection.stage { receiver } else { nil }
    }

    /// The first value of a header, without surrounding white space. Case does not matter in the name.
    ///
    /// Bytes that are not UTF-8 are replaced by U+FFFD.
    public func header(_ name: String) -> String? {
        unsafe withHeader(name) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Every value of a header that may be sent more than once, in the order sent.
    public func headers(named name: String) -> [String] {
        var search = HeaderSearch(name: Array(name.utf8))
        _ = unsafe withUnsafeMutablePointer(to: &search) { search in
            unsafe MHD_get_connection_values_n(
                raw, .HEADER_KIND,
                { search, _, key, keySize, value, valueSize in
                    guard let search = unsafe search?.assumingMemoryBound(to: HeaderSearch.self) else { return .NO }
                    unsafe search.pointee.visit(
                        UnsafeRawBufferPointer(start: key, count: keySize),
                        UnsafeRawBufferPointer(start: value, count: valueSize))
                    return .YES
                },
                search)
        }
        return search.values
    }

    /// The value of a cookie, without surrounding quotes. Case matters in the name; of two alike, the first counts.
    public func cookie(_ name: String) -> String? {
        cookie(name) { _ in true }
    }

    /// The first value of a cookie that is as it must be; others of the name are passed over.
    public func cookie(_ name: String, where isFit: (String) -> Bool) -> String? {
        unsafe withHeader("Cookie") { unsafe CookieHeader(bytes: $0).value(of: name, where: isFit) } ?? nil
    }

    /// Lends the bytes of a header's first value, which nothing else is allocated for.
    private func withHeader<Result>(_ name: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        var name = name
        return name.withUTF8 { key in
            var value: UnsafePointer<CChar>?
            var size = 0
            guard
                unsafe MHD_lookup_connection_value_n(raw, .HEADER_KIND, key.baseAddress, key.count, &value, &size)
                    == .YES
            else { return nil }
            return unsafe body(UnsafeRawBufferPointer(start: value, count: size).trimmed)
        }
    }
}

/// Collects the values of one header.
private struct HeaderSearch {
    let name: [UInt8]
    var values: [String] = []

    mutating func visit(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard unsafe key.elementsEqual(name, by: { $0 == $1 || ($0 ^ $1 == 0x20 && ($0 | 0x20).isLowercaseLetter) })
        else { return }
        unsafe values.append(String(decoding: value.trimmed, as: UTF8.self))
    }
}

extension UInt8 {
    fileprivate var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
