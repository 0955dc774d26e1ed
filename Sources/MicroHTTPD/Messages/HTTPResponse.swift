internal import CMicroHTTPD
internal import Glibc

/// An answer, ready to be sent any number of times.
///
/// Returning one instance to many clients, from many threads, costs nothing more than the first time, and the bytes are
/// never copied: keep what does not change.
///
/// ```swift
/// let alive = HTTPResponse(
///     status: 200, headers: [("Content-Type", "application/json")], body: #"{"status":"ok"}"#)
/// ```
///
/// `Date` and `Content-Length` are added on the way out; an answer to `HEAD` leaves its body behind.
@safe public final class HTTPResponse: @unchecked Sendable {
    // Unchecked: `raw` is changed before anybody else has it, and libmicrohttpd counts its references under a lock of its own.

    public let status: Int
    /// Whether the connection ends with this answer.
    public let closesConnection: Bool
    /// Empty where it is a stream.
    public let body: HTTPBody

    /// Where the body is written piece by piece.
    let stream: HTTPStream?
    let raw: OpaquePointer

    /// Puts a header and a body together.
    ///
    /// A header that could not be sent safely is left out: one whose name is not a token, whose value has a control
    /// character, or that describes the framing (`Content-Length`, `Transfer-Encoding`, `Connection`), which is the
    /// server's own business.
    ///
    /// - Parameter status: 200…599.
    public init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: HTTPBody,
        closesConnection: Bool = false
    ) {
        stream = nil
        unsafe self.raw = HTTPResponse.make(status: status, body: body)
        self.status = status
        self.body = body
        self.closesConnection = closesConnection
        add(headers)
        if closesConnection {
            _ = unsafe MHD_add_response_header(raw, "Connection", "close")
        }
    }

    /// Copies a body, or has none.
    public convenience init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        closesConnection: Bool = false
    ) {
        self.init(
            status: status, headers: headers, body: HTTPBody(body), closesConnection: closesConnection)
    }

    public convenience init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: String,
        closesConnection: Bool = false
    ) {
        self.init(status: status, headers: headers, body: Array(body.utf8), closesConnection: closesConnection)
    }

    /// The header of a stream. It answers one request, and then closes the connection.
    ///
    /// A second request it is returned for has its connection closed, without an answer.
    ///
    /// - Parameter status: 200…599.
    public init(status: Int, headers: [(name: String, value: String)] = [], stream: HTTPStream) {
        unsafe raw = HTTPResponse.make(status: status, stream: stream)
        self.stream = stream
        self.status = status
        body = HTTPBody.empty
        closesConnection = true
        add(headers)
        _ = unsafe MHD_add_response_header(raw, "Connection", "close")
    }

    /// The same answer, ending the connection.
    var closing: HTTPResponse { closesConnection ? self : HTTPResponse(closing: self) }

    private convenience init(closing other: HTTPResponse) {
        self.init(copying: other, closesConnection: true)
        _ = unsafe MHD_add_response_header(raw, "Connection", "close")
    }

    /// The same answer with more headers. It may be shared by others, so it is a copy that gets them; a stream is not,
    /// since it answers one request.
    func adding(_ headers: [(name: String, value: String)]) -> HTTPResponse {
        let response = stream == nil ? HTTPResponse(copying: self, closesConnection: closesConnection) : self
        response.add(headers)
        return response
    }

    /// Shares the body with the other.
    private init(copying other: HTTPResponse, closesConnection: Bool) {
        stream = nil
        unsafe self.raw = HTTPResponse.make(status: other.status, body: other.body)
        self.status = other.status
        self.body = other.body
        self.closesConnection = closesConnection
        _ = unsafe MHD_get_response_headers(
            other.raw,
            { copy, _, name, value in
                _ = unsafe MHD_add_response_header(OpaquePointer(copy), name, value)
                return .YES
            },
            UnsafeMutableRawPointer(raw))
    }

    deinit {
        stream?.responseIsGone()
        unsafe MHD_destroy_response(raw)
    }

    /// Sends a stream as it is, until the connection is closed. Without it libmicrohttpd sends the last chunk in answer
    /// to `HEAD`, too.
    func leaveUnchunked() {
        unsafe cmhd_leave_unchunked(raw)
    }

    private func add(_ headers: [(name: String, value: String)]) {
        for header in headers where HTTPResponse.isSendable(header) {
            _ = unsafe MHD_add_response_header(raw, header.name, header.value)
        }
    }

    /// libmicrohttpd holds the stream for as long as it holds the response.
    private static func make(status: Int, stream: HTTPStream) -> OpaquePointer {
        precondition((200...599).contains(status), "\(status) is not the status of an answer")
        let context = unsafe Unmanaged.passRetained(stream).toOpaque()
        guard
            let raw = unsafe MHD_create_response_from_callback(
                cmhd_size_unknown, streamBlockSize,
                { context, _, buffer, size in unsafe HTTPResponse.read(context, buffer, size) }, context,
                { context in
                    if let context = unsafe context { unsafe Unmanaged<HTTPStream>.fromOpaque(context).release() }
                })
        else { fatalError("Out of memory for a response") }
        return unsafe raw
    }

    /// What an HTTP/1.0 client is sent at a time, in bytes; others are sent as much as the connection's memory holds.
    private static let streamBlockSize = 1024

    private static func read(
        _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
    ) -> Int {
        guard let context = unsafe context else { return cmhd_end_with_error }
        return unsafe Unmanaged<HTTPStream>.fromOpaque(context)._withUnsafeGuaranteedRef {
            unsafe $0.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        }
    }

    /// The body lives as long as libmicrohttpd needs it, and not a copy of it.
    private static func make(status: Int, body: HTTPBody) -> OpaquePointer {
        precondition((200...599).contains(status), "\(status) is not the status of an answer")
        let raw = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
            body.count, body.start,
            { owner in
                guard let owner = unsafe owner else { return }
                unsafe Unmanaged<HTTPBody>.fromOpaque(owner).release()
            },
            Unmanaged.passRetained(body).toOpaque())
        guard let raw = unsafe raw else { fatalError("Out of memory for a response") }
        return unsafe raw
    }

    private static func isSendable(_ header: (name: String, value: String)) -> Bool {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(HTTPCharacters.isToken) else { return false }
        // Only a name as long as one of those that are not allowed is compared with them.
        if [10, 14, 17].contains(header.name.utf8.count) {
            switch header.name.lowercased() {
            case "content-length", "transfer-encoding", "connection": return false
            default: break
            }
        }
        return header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
