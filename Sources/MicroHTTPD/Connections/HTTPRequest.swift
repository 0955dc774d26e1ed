internal import CMicroHTTPD

/// A request, borrowed by the handler for one call.
///
/// It cannot be copied or kept. Its parts are read from libmicrohttpd's memory when they are used. After the answer,
/// the next request uses that memory. Headers, cookies and query items are looked up by name; others cost nothing.
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
/// A test can create one for a `LocalHTTPServer`.
@safe public struct HTTPRequest: ~Copyable {
    /// The method of the request.
    public let method: HTTPRequest.Method
    private let source: Source
    private let target: UnsafePointer<CChar>
    let connection: Connection

    /// The source of the head's fields.
    @safe private enum Source {
        case library(OpaquePointer)
        /// A request created here: its fields, and the memory of its target, which it frees.
        case program(HTTPFields, UnsafeMutableBufferPointer<CChar>)
    }

    init(
        method: UnsafePointer<CChar>, raw: OpaquePointer, target: UnsafePointer<CChar>, connection: Connection
    ) {
        unsafe self.method = HTTPRequest.Method(method)
        unsafe source = .library(raw)
        unsafe self.target = unsafe target
        self.connection = connection
    }

    /// Creates a request without a socket.
    ///
    /// - Parameters:
    ///   - target: A path, with or without a query: `/events?after=3`.
    ///   - headers: The fields, with `Host` if the handler needs it.
    ///   - peer: The client address that the request reports.
    /// - Throws: The refusal that the same target gets from an `HTTPServer`.
    public init(
        _ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], body: [UInt8] = [],
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
        unsafe connection.readTarget(self.target)
        if let refusal = unsafe connection.findPath(in: self.target) { throw HTTPRefusal(refusal) }
    }

    deinit {
        if case .program(_, let target) = source { unsafe target.deallocate() }
    }

    /// The fields of a request created here; empty for any other.
    var programFields: HTTPFields {
        if case .program(let fields, _) = source { fields } else { [:] }
    }

    /// The connection of libmicrohttpd; `nil` for a request created here.
    var raw: OpaquePointer? {
        if case .library(let raw) = source { unsafe raw } else { nil }
    }

    /// The address of the client, or of the proxy in front of the server.
    public var peer: IPAddress { connection.peer }

    /// The worker that serves the request; `nil` for a request created here.
    public var worker: HTTPWorker? { connection.worker }

    /// The host that the client sent, with the port if there is one: that of the target if it is a whole address, else
    /// that of the header `Host` (RFC 9112, section 3.2.2); `nil` if an HTTP/1.0 client sent none.
    public var authority: String? {
        withAuthority { $0.text }
    }

    /// Lends the bytes of the ``authority``, without allocating memory.
    ///
    /// - Returns: `nil` if there is none. Then the body is not called.
    @inlinable
    public func withAuthority<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        var result: Result?
        lendAuthority { result = body($0) }
        return result
    }

    @usableFromInline
    func lendAuthority(to body: (Span<UInt8>) -> Void) {
        let path = connection.pathRange.lowerBound
        guard path > 0 else { return lendHeader(.hostField, to: body) }
        let start = "http://".utf8.count
        let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(target) + start, count: path - start)
        unsafe body(bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    /// The headers that occurred more than once although they may occur only once: `HTTPHandler.singleHeaders`.
    public var repeatedHeaders: [String] { connection.repeatedHeaders }

    /// Whether there are ``repeatedHeaders``.
    public var hasRepeatedHeaders: Bool { !connection.repeatedHeaders.isEmpty }

    /// Adds fields to any response to this request, including a shared or later response. A field replaces one of the
    /// same name.
    public func addToAnswer(_ headers: HTTPFields) {
        connection.answerHeaders = connection.answerHeaders.replaced(by: headers)
    }

    /// The fields that were added to any response to this request.
    public var addedToAnswer: HTTPFields { connection.answerHeaders }

    /// Converts any response to this request just before it is sent, also a later one. It runs on the worker.
    ///
    /// The conversion keeps `closesConnection`, and returns a stream as it is.
    public func convertAnswer(by conversion: @escaping @Sendable (HTTPResponse) -> HTTPResponse) {
        connection.answerConversion = conversion
    }

    /// An object that the handler keeps from `HTTPHandler.bodyPlan(for:)` to `HTTPHandler.respond(to:)`; `nil` until it is
    /// set.
    public var context: (any AnyObject & Sendable)? {
        get { connection.context }
        nonmutating set { connection.context = newValue }
    }

    /// Whether the connection has no regular place. Answer such a request quickly, or refuse it because the server is
    /// full. The connection ends afterwards.
    public var isOnReserve: Bool { connection.isOnReserve }

    /// The path as it was sent: still escaped, without the query. It starts with `/`, or is `*` (for `OPTIONS`).
    ///
    /// Split the path at its slashes before you decode the parts with `decodePercent(_:)`, so that `%2F` stays within a
    /// part.
    public var path: String {
        let bytes = unsafe pathBytes
        return unsafe bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
    }

    /// Lends the bytes of the ``path``, without allocating memory; empty if the target is an address without a path.
    @inlinable
    public func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var result: Result?
        lendPath { result = body($0) }
        return result!
    }

    @usableFromInline
    func lendPath(to body: (Span<UInt8>) -> Void) {
        unsafe body(pathBytes.span)
    }

    private var pathBytes: UnsafeBufferPointer<UInt8> {
        let range = connection.pathRange
        let bytes = unsafe UnsafeRawBufferPointer(
            start: UnsafeRawPointer(target) + range.lowerBound, count: range.count)
        return unsafe bytes.assumingMemoryBound(to: UInt8.self)
    }

    /// The text after the first `?` as it was sent, still escaped; `nil` without a `?`.
    public var query: String? {
        connection.query.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the path and the query are ASCII without escapes.
    public var isTargetPlain: Bool {
        guard unsafe TargetValidation.arePlain(UnsafeRawBufferPointer(pathBytes)) else { return false }
        return unsafe connection.query?.withUnsafeBytes { unsafe TargetValidation.arePlain($0) } ?? true
    }

    /// Whether the target contains a `?`.
    public var hasQuery: Bool { connection.query != nil }

    /// The whole body; empty if there is none, if it went to a receiver, and in `HTTPHandler.bodyPlan(for:)`.
    public var body: [UInt8] { connection.body }

    /// The receiver of the body if it was streamed; `nil` otherwise.
    public var receiver: (any HTTPBodyReceiver)? {
        if case .streaming(let receiver) = connection.stage { receiver } else { nil }
    }

    /// The first value of a header, without surrounding white space.
    ///
    /// Bytes that are not UTF-8 are replaced by U+FFFD.
    public func header(_ name: HTTPField.Name) -> String? {
        withHeader(name) { $0.text }
    }

    /// Lends the bytes of a header's first value, without surrounding white space and without allocating memory.
    ///
    /// - Returns: `nil` if the header is missing. Then the body is not called.
    @inlinable
    public func withHeader<Result>(_ name: HTTPField.Name, _ body: (Span<UInt8>) -> Result) -> Result? {
        var result: Result?
        lendHeader(name) { result = body($0) }
        return result
    }

    /// Whether the request has a header, even with an empty value.
    public func hasHeader(_ name: HTTPField.Name) -> Bool {
        withHeader(name) { _ in true } ?? false
    }

    /// Every value of a header that may be sent more than once, in the order sent.
    public func headers(named name: HTTPField.Name) -> [String] {
        guard let raw = unsafe raw else {
            return programFields.filter { $0.name == name }.map(\.value)
        }
        return unsafe fields(of: raw, named: Array(name.rawName.utf8)).map(\.value)
    }

    /// All header fields, in the order sent. Those whose names are malformed are left out.
    public var headers: HTTPFields {
        guard let raw = unsafe raw else { return programFields }
        return HTTPFields(
            unsafe fields(of: raw, named: nil).compactMap { name, value in
                HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
            })
    }

    /// - Parameter name: The name; `nil` for all.
    private func fields(of raw: OpaquePointer, named name: [UInt8]?) -> [(name: String, value: String)] {
        var search = HeaderSearch(name: name)
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
        return search.found
    }

    /// The value of a cookie, without surrounding quotes. Names are case-sensitive. The first of several with one name
    /// counts.
    public func cookie(_ name: String) -> String? {
        cookie(name) { _ in true }
    }

    /// The first value of a cookie that satisfies a condition.
    public func cookie(_ name: String, where isFit: (String) -> Bool) -> String? {
        let value = withHeader(.cookie) { span in
            unsafe span.withUnsafeBytes { unsafe CookieHeader(bytes: $0).value(of: name, where: isFit) }
        }
        return value ?? nil
    }

    /// Lends the bytes of a header's first value, if the header exists. It is not generic, because a generic function
    /// called from another module would look up its types each time.
    @usableFromInline
    func lendHeader(_ name: HTTPField.Name, to body: (Span<UInt8>) -> Void) {
        switch source {
        case .library(let raw):
            let length = name.rawName.utf8.count
            guard connection.nameLengths & HeaderValidation.lengthBit(length) != 0 else { return }
            var value: UnsafePointer<CChar>?
            var size = 0
            let isFound = unsafe name.rawName.utf8.span.withUnsafeBytes { key in
                unsafe MHD_lookup_connection_value_n(
                    raw, .HEADER_KIND, key.baseAddress, length, &value, &size)
            }
            guard isFound == .YES else { return }
            let bytes = unsafe UnsafeRawBufferPointer(start: value, count: size).trimmed
            unsafe body(bytes.assumingMemoryBound(to: UInt8.self).span)
        case .program(let fields, _):
            guard var value = fields[fields: name].first?.value else { return }
            value.withUTF8 { unsafe body(UnsafeRawBufferPointer($0).trimmed.assumingMemoryBound(to: UInt8.self).span) }
        }
    }
}

extension Span<UInt8> {
    /// The text; bytes that are not UTF-8 are replaced by U+FFFD.
    fileprivate var text: String {
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// A search for all fields of one name.
private struct HeaderSearch {
    /// The name; `nil` for any.
    let name: [UInt8]?
    var found: [(name: String, value: String)] = []

    mutating func visit(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if let name {
            guard unsafe key.elementsEqual(name, by: { $0 == $1 || ($0 ^ $1 == 0x20 && ($0 | 0x20).isLowercaseLetter) })
            else { return }
        }
        unsafe found.append((String(decoding: key, as: UTF8.self), String(decoding: value.trimmed, as: UTF8.self)))
    }
}

extension UInt8 {
    fileprivate var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
