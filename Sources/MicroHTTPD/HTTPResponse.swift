internal import CMicroHTTPD
internal import Glibc

/// An answer, ready to be sent any number of times.
///
/// The bytes are copied into libmicrohttpd once, when the response is made. Returning one instance to many clients,
/// from many threads, costs nothing more: keep what does not change.
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
    /// The size of the body, in bytes.
    public let bodySize: Int

    let raw: OpaquePointer
    /// Owned by `raw`; nil where the body is empty.
    private let bytes: UnsafeMutableRawPointer?

    /// Copies a body and its header.
    ///
    /// A header that could not be sent safely is left out: one whose name is not a token, whose value has a control
    /// character, or that describes the framing (`Content-Length`, `Transfer-Encoding`, `Connection`), which is the
    /// server's own business.
    ///
    /// - Parameter status: 200…599.
    public init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        closesConnection: Bool = false
    ) {
        let bytes = unsafe body.withUnsafeBytes { unsafe HTTPResponse.copy(of: $0) }
        unsafe self.raw = HTTPResponse.make(status: status, size: body.count, bytes: bytes)
        unsafe self.bytes = bytes
        self.status = status
        self.bodySize = body.count
        self.closesConnection = closesConnection
        for header in headers where HTTPResponse.isSendable(header) {
            _ = unsafe MHD_add_response_header(raw, header.name, header.value)
        }
        if closesConnection {
            _ = unsafe MHD_add_response_header(raw, "Connection", "close")
        }
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
        let bytes = unsafe HTTPResponse.copy(of: UnsafeRawBufferPointer(start: other.bytes, count: other.bodySize))
        unsafe self.raw = HTTPResponse.make(status: other.status, size: other.bodySize, bytes: bytes)
        unsafe self.bytes = bytes
        self.status = other.status
        self.bodySize = other.bodySize
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

    private static func make(status: Int, size: Int, bytes: UnsafeMutableRawPointer?) -> OpaquePointer {
        precondition((200...599).contains(status), "\(status) is not the status of an answer")
        guard let raw = unsafe MHD_create_response_from_buffer(size, bytes, .RESPMEM_MUST_FREE) else {
            fatalError("Out of memory for a response of \(size) bytes")
        }
        return unsafe raw
    }

    private static func copy(of bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return nil }
        guard let copy = unsafe malloc(bytes.count) else {
            fatalError("Out of memory for a response of \(bytes.count) bytes")
        }
        unsafe copy.copyMemory(from: start, byteCount: bytes.count)
        return unsafe copy
    }

    private static func isSendable(_ header: (name: String, value: String)) -> Bool {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(HTTPCharacters.isToken) else { return false }
        switch header.name.lowercased() {
        case "content-length", "transfer-encoding", "connection": return false
        default: return header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }
}
