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
    // Unchecked: `raw` is changed in `init` alone, and libmicrohttpd counts its references under a lock of its own.

    public let status: Int
    /// Whether the connection ends with this answer.
    public let closesConnection: Bool
    public let body: HTTPBody

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
        unsafe self.raw = HTTPResponse.make(status: status, body: body)
        self.status = status
        self.body = body
        self.closesConnection = closesConnection
        for header in headers where HTTPResponse.isSendable(header) {
            _ = unsafe MHD_add_response_header(raw, header.name, header.value)
        }
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
            status: status, headers: headers, body: HTTPBody.copy(of: body), closesConnection: closesConnection)
    }

    public convenience init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: String,
        closesConnection: Bool = false
    ) {
        self.init(status: status, headers: headers, body: Array(body.utf8), closesConnection: closesConnection)
    }

    /// The same answer, ending the connection.
    var closing: HTTPResponse { closesConnection ? self : HTTPResponse(closing: self) }

    private init(closing other: HTTPResponse) {
        unsafe self.raw = HTTPResponse.make(status: other.status, body: other.body)
        self.status = other.status
        self.body = other.body
        self.closesConnection = true
        _ = unsafe MHD_get_response_headers(
            other.raw,
            { copy, _, name, value in
                _ = unsafe MHD_add_response_header(OpaquePointer(copy), name, value)
                return .YES
            },
            UnsafeMutableRawPointer(raw))
        _ = unsafe MHD_add_response_header(raw, "Connection", "close")
    }

    deinit {
        unsafe MHD_destroy_response(raw)
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
