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
///
/// A test can make one, for `LocalHTTPServer`.
@safe public struct HTTPRequest: ~Copyable {
    /// The method of the request.
    public let method: HTTPMethod
    private let source: Source
    private let target: UnsafePointer<CChar>
    let connection: Connection

    /// Where the head's fields are.
    @safe private enum Source {
        case library(OpaquePointer)
        /// A request that was made here: its fields, and its target as it is to be freed.
        case program(HTTPFields, UnsafeMutableBufferPointer<CChar>)
    }

    init(
        method: UnsafePointer<CChar>, raw: OpaquePointer, target: UnsafePointer<CChar>, connection: Connection
    ) {
        unsafe self.method = HTTPMethod(method)
        unsafe source = .library(raw)
        unsafe self.target = unsafe target
        self.connection = connection
    }

    /// A request that comes from no socket.
    ///
    /// - Parameters:
    ///   - target: A path, with a query if need be: `/events?after=3`.
    ///   - headers: With `Host` where the handler wants to know it.
    ///   - peer: The address that it is to come from.
    /// - Throws: The refusal that the same target gets from an `HTTPServer`.
    public init(
        _ method: HTTPMethod, _ target: String, headers: HTTPFields = [:], body: [UInt8] = [],
        from peer: IPAddress = .loopback
    ) throws(HTTPRefusal) {
        let connection = Connection(from: peer)
        connection.body = body
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: target.utf8.count + 1)
        _ = unsafe copy.initialize(from: target.utf8.map { CChar(bitPattern: $0) } + [0])
        self.method = method
        unsafe source = .program(headers, copy)
        unsafe self.target = UnsafePointer(copy.baseAddress!)
        self.connection = connection
        _ = unsafe connection.readTarget(self.target)
        if let refusal = unsafe connection.findPath(in: self.target) { throw HTTPRefusal(refusal) }
    }

    deinit {
        if case .program(_, let target) = source { unsafe target.deallocate() }
    }

    /// The fields of a request that was made here; none of any other.
    var madeFields: HTTPFields {
        if case .program(let fields, _) = source { fields } else { [:] }
    }

    /// Libmicrohttpd's connection; nil for a request that was made here.
    var raw: OpaquePointer? {
        if case .library(let raw) = source { unsafe raw } else { nil }
    }

    /// Where the client connects from, or the proxy that is next to the server.
    public var peer: IPAddress { connection.peer }

    /// The host that is asked for, as it was sent, and the port where it is told: the target's, where that is a whole
    /// address, else that of the header `Host` (RFC 9112, section 3.2.2). Nil where an HTTP/1.0 client tells none.
    public var authority: String? {
        unsafe withAuthorityBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Lends the bytes of the ``authority``. Nothing is allocated.
    ///
    /// - Returns: Nil where there is none; then the body is not called.
    public func withAuthority<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        unsafe withAuthorityBytes { unsafe body($0.assumingMemoryBound(to: UInt8.self).span) }
    }

    private func withAuthorityBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let path = connection.pathRange.lowerBound
        guard path > 0 else { return unsafe withHeaderBytes(.host, body) }
        let start = "http://".utf8.count
        return unsafe body(UnsafeRawBufferPointer(start: UnsafeRawPointer(target) + start, count: path - start))
    }

    /// The headers that came more than once, of those that may not: `HTTPHandler.singleHeaders`.
    public var repeatedHeaders: [String] { connection.repeatedHeaders }

    /// Has fields put on whatever answers this request, also on a response that others share, or that is given later. One
    /// takes the place of a former one of the same name.
    public func addToAnswer(_ headers: HTTPFields) {
        connection.answerHeaders.replace(by: headers)
    }

    /// The fields that were added to whatever answers this request.
    public var addedToAnswer: HTTPFields { connection.answerHeaders }

    /// Whether it came on a connection that there is no regular place for: it is to be answered quickly, or told that there
    /// is no room, and the connection ends with that.
    public var isOnReserve: Bool { connection.isOnReserve }

    /// The path as it was sent: still escaped, without the query. It starts with `/`, or is `*` (for `OPTIONS`).
    ///
    /// Split it at its slashes first and decode the parts with `decodePercent(_:)` then, so that `%2F` stays within a part.
    public var path: String {
        let bytes = unsafe pathBytes
        return unsafe bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
    }

    /// Lends the bytes of the ``path``; none where the target is an address without one. Nothing is allocated.
    public func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        unsafe body(pathBytes.span)
    }

    private var pathBytes: UnsafeBufferPointer<UInt8> {
        let range = connection.pathRange
        let bytes = unsafe UnsafeRawBufferPointer(
            start: UnsafeRawPointer(target) + range.lowerBound, count: range.count)
        return unsafe bytes.assumingMemoryBound(to: UInt8.self)
    }

    /// The text after the first `?`, as it was sent: still escaped. Nil where there is no `?`.
    public var query: String? {
        connection.query.map { String(decoding: $0, as: UTF8.self) }
    }

    /// True where there is a `?` in the target.
    public var hasQuery: Bool { connection.query != nil }

    /// The whole body; empty where there is none or it went to a receiver, and in `HTTPHandler.bodyPlan(for:)`.
    public var body: [UInt8] { connection.body }

    /// The receiver of the body, where it was streamed.
    public var receiver: (any HTTPBodyReceiver)? {
        if case .streaming(let receiver) = connection.stage { receiver } else { nil }
    }

    /// The first value of a header, without surrounding white space.
    ///
    /// Bytes that are not UTF-8 are replaced by U+FFFD.
    public func header(_ name: HTTPField.Name) -> String? {
        unsafe withHeaderBytes(name) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Lends the bytes of a header's first value, without surrounding white space. Nothing is allocated.
    ///
    /// - Returns: Nil where there is no such header; then the body is not called.
    public func withHeader<Result>(_ name: HTTPField.Name, _ body: (Span<UInt8>) -> Result) -> Result? {
        unsafe withHeaderBytes(name) { unsafe body($0.assumingMemoryBound(to: UInt8.self).span) }
    }

    /// True where there is such a header, even an empty one.
    public func hasHeader(_ name: HTTPField.Name) -> Bool {
        unsafe withHeaderBytes(name) { _ in true } ?? false
    }

    /// Every value of a header that may be sent more than once, in the order sent.
    public func headers(named name: HTTPField.Name) -> [String] {
        guard let raw = unsafe raw else {
            return madeFields.filter { $0.name == name }.map(\.value.rawValue)
        }
        var search = HeaderSearch(name: Array(name.rawValue.utf8))
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
        unsafe withHeaderBytes(.cookie) { unsafe CookieHeader(bytes: $0).value(of: name, where: isFit) } ?? nil
    }

    private func withHeaderBytes<Result>(
        _ name: HTTPField.Name, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        switch source {
        case .library(let raw):
            var name = name.rawValue
            return name.withUTF8 { key in
                var value: UnsafePointer<CChar>?
                var size = 0
                guard
                    unsafe MHD_lookup_connection_value_n(raw, .HEADER_KIND, key.baseAddress, key.count, &value, &size)
                        == .YES
                else { return nil }
                return unsafe body(UnsafeRawBufferPointer(start: value, count: size).trimmed)
            }
        case .program(let fields, _):
            guard var value = fields[name]?.rawValue else { return nil }
            return value.withUTF8 { unsafe body(UnsafeRawBufferPointer($0).trimmed) }
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
