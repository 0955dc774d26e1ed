internal import CEventLoop

/// The record of one request and its answer.
public struct HTTPExchange: Sendable {
    /// The address of the client: `HTTPHandler.address(of:)`; the peer's if there was no answer.
    public let client: IPAddress
    /// The time from the request line to the last byte of the answer, in nanoseconds.
    public let nanoseconds: Int64
    /// The method; `nil` if there was no answer.
    public let method: HTTPRequest.Method?
    /// The status; `nil` if there was no answer because the client left.
    public let status: HTTPResponse.Status?
    /// The size of the answer's body; `nil` for a stream or a missing answer.
    public let size: Int?
    /// The handler's number for this kind of request, set with `HTTPRequest.classify(as:)`.
    public let kind: Int?
    /// Whether the response was a stream.
    public let isStream: Bool
}

/// The record of the request in progress on a connection. All requests of the connection reuse it.
///
/// Each field is loaded and stored separately, like the properties of ``Connection``.
final class ExchangeRecord {
    /// The time of the request line, in nanoseconds; `nil` between two requests.
    private var start: Int64?
    private var client: IPAddress?
    private var method: HTTPRequest.Method?
    private var status: HTTPResponse.Status?
    private var size: Int?
    private var isStream = false
    fileprivate var kind: Int?
    /// A further closure to call at the end.
    fileprivate var whenOver: (@Sendable (HTTPExchange) -> Void)?

    func begin(at now: Int64) {
        start = now
    }

    func add(_ response: HTTPResponse, method: HTTPRequest.Method?, to client: IPAddress) {
        status = response.status
        isStream = response.stream != nil
        size = isStream ? nil : response.status == 304 ? 0 : response.body.count
        self.method = method
        self.client = client
    }

    /// Ends and clears the record.
    ///
    /// - Returns: `nil` if no request was in progress.
    func end(from peer: IPAddress) -> HTTPExchange? {
        guard let start else { return nil }
        let exchange = HTTPExchange(
            client: client ?? peer, nanoseconds: cloop_nanoseconds() - start, method: method, status: status,
            size: size,
            kind: kind, isStream: isStream)
        self.start = nil
        client = nil
        method = nil
        status = nil
        size = nil
        isStream = false
        kind = nil
        if let whenOver {
            self.whenOver = nil
            whenOver(exchange)
        }
        return exchange
    }
}

extension HTTPRequest {
    /// Whether a record of the request is kept.
    public var isObserved: Bool { connection.record != nil }

    /// Sets a closure that is called when an observed request ends: when the last byte of the response is handed over,
    /// or when the client leaves.
    public func whenOver(_ body: @escaping @Sendable (HTTPExchange) -> Void) {
        connection.record?.whenOver = body
    }

    /// Records the kind of this request in its record. Does nothing if none is kept.
    public func classify(as kind: Int) {
        connection.record?.kind = kind
        worker?.recordCurrent(kind: kind)
    }
}
