internal import CMicroHTTPD

/// A response: a value that can be sent any number of times.
///
/// Copies share all that they say. To return one to many clients, from many threads, costs nothing more than the first time,
/// and the body's bytes are never copied: keep what does not change.
///
/// ```swift
/// let alive = HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: #"{"status":"ok"}"#)
/// ```
///
/// `Date` and `Content-Length` are added on the way out; a response to `HEAD` leaves its body behind.
public struct HTTPResponse: Sendable {
    private let storage: ResponseStorage

    public var status: Int { storage.status }
    public var headers: HTTPFields { storage.headers }
    /// Empty where it is a stream.
    public var body: HTTPBody { storage.body }
    /// True where the connection ends with this response.
    public var closesConnection: Bool { storage.closesConnection }

    /// A response with a body.
    ///
    /// - Parameters:
    ///   - status: 200…599.
    ///   - headers: Without `Content-Length`, `Transfer-Encoding` and `Connection`, which are the server's own to say: to send
    ///     one of these ends the program.
    public init(status: Int, headers: HTTPFields = [:], body: HTTPBody, closesConnection: Bool = false) {
        storage = ResponseStorage(status: status, headers: headers, body: body, closesConnection: closesConnection)
    }

    /// Copies a body, or has none.
    public init(status: Int, headers: HTTPFields = [:], body: [UInt8] = [], closesConnection: Bool = false) {
        self.init(
            status: status, headers: headers, body: body.isEmpty ? .empty : HTTPBody(body),
            closesConnection: closesConnection)
    }

    public init(status: Int, headers: HTTPFields = [:], body: String, closesConnection: Bool = false) {
        self.init(status: status, headers: headers, body: HTTPBody(body), closesConnection: closesConnection)
    }

    /// The head of a stream. It answers one request, and then closes the connection.
    ///
    /// A second request it is returned for has its connection closed, without a response. A stream of which the response is
    /// never returned is over when the last copy of that is gone.
    ///
    /// - Parameter status: 200…599.
    public init(status: Int, headers: HTTPFields = [:], stream: HTTPStream) {
        storage = ResponseStorage(
            status: status, headers: headers, body: .empty, stream: StreamHead(stream), closesConnection: true)
    }

    private init(_ other: HTTPResponse, adding headers: HTTPFields = [:], closesConnection: Bool) {
        storage = ResponseStorage(
            status: other.status, headers: other.headers + headers, body: other.body, stream: other.storage.stream,
            closesConnection: closesConnection)
    }

    /// The same response, ending the connection.
    var closing: HTTPResponse { closesConnection ? self : HTTPResponse(self, closesConnection: true) }

    /// The same response with more fields.
    func adding(_ headers: HTTPFields) -> HTTPResponse {
        HTTPResponse(self, adding: headers, closesConnection: closesConnection)
    }

    /// The stream that writes the body piece by piece.
    var stream: HTTPStream? { storage.stream?.stream }

    /// Libmicrohttpd's form of it, which lives as long as some copy of the response, and as long as it is being sent.
    var raw: OpaquePointer { unsafe storage.raw }

    /// Sends a stream as it is, until the connection is closed. Without it libmicrohttpd sends the last chunk in answer
    /// to `HEAD`, too.
    func leaveUnchunked() {
        unsafe cmhd_leave_unchunked(raw)
    }
}
