internal import CMicroHTTPD

/// A response: a value that can be sent any number of times.
///
/// Copies share their content. To return one response to many clients from many threads costs no more than the first
/// time, and the body's bytes are never copied. So keep responses that do not change.
///
/// ```swift
/// let alive = HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: #"{"status":"ok"}"#)
/// ```
///
/// `Date` and `Content-Length` are added when it is sent. The response to `HEAD` and one with the status 304 are sent
/// without their body, but with its length. If a 304 has no body, its length is unknown, and the connection ends with it.
public struct HTTPResponse: Sendable {
    private let storage: ResponseStorage

    public var status: Status { storage.status }
    public var headers: HTTPFields { storage.headers }
    /// The body; empty for a stream.
    public var body: HTTPBody { storage.body }
    /// Whether the connection ends with this response.
    public var closesConnection: Bool { storage.closesConnection }

    /// Creates a response with a body.
    ///
    /// - Parameters:
    ///   - status: The status, 200…599.
    ///   - headers: The fields, without `Content-Length`, `Transfer-Encoding` and `Connection`. The server sets these
    ///     itself; passing one stops the program.
    public init(status: Status, headers: HTTPFields = [:], body: HTTPBody, closesConnection: Bool = false) {
        storage = ResponseStorage(status: status, headers: headers, body: body, closesConnection: closesConnection)
    }

    /// Creates a response with a copy of bytes, or without a body.
    public init(status: Status, headers: HTTPFields = [:], body: [UInt8] = [], closesConnection: Bool = false) {
        self.init(
            status: status, headers: headers, body: body.isEmpty ? .empty : HTTPBody(body),
            closesConnection: closesConnection)
    }

    public init(status: Status, headers: HTTPFields = [:], body: String, closesConnection: Bool = false) {
        self.init(status: status, headers: headers, body: HTTPBody(body), closesConnection: closesConnection)
    }

    /// Creates the head of a stream. It answers one request, and then closes the connection.
    ///
    /// If it is returned for a second request, the connection of that request is closed without a response. A stream
    /// whose response is never returned ends when the last copy of the response is released.
    ///
    /// - Parameter status: The status, 200…599.
    public init(status: Status, headers: HTTPFields = [:], stream: HTTPStream) {
        storage = ResponseStorage(
            status: status, headers: headers, body: .empty, stream: StreamHead(stream), closesConnection: true)
    }

    private init(_ other: HTTPResponse, adding headers: HTTPFields = [:], closesConnection: Bool) {
        storage = ResponseStorage(
            status: other.status, headers: other.headers + headers, body: other.body, stream: other.storage.stream,
            closesConnection: closesConnection)
    }

    /// The same response, which ends the connection.
    var closing: HTTPResponse { closesConnection ? self : HTTPResponse(self, closesConnection: true) }

    /// The same response with more fields.
    func adding(_ headers: HTTPFields) -> HTTPResponse {
        HTTPResponse(self, adding: headers, closesConnection: closesConnection)
    }

    /// Whether the body is a stream.
    public var isStream: Bool { storage.stream != nil }

    /// The stream that writes the body piece by piece.
    package var stream: HTTPStream? { storage.stream?.stream }

    /// The response of libmicrohttpd. It lives as long as any copy of this one, and while it is being sent.
    var raw: OpaquePointer { unsafe storage.raw }

    /// Sends a stream without chunks until the connection is closed. Otherwise libmicrohttpd sends the last chunk also
    /// in answer to `HEAD`.
    func leaveUnchunked() {
        unsafe cmhd_leave_unchunked(raw)
    }
}
