internal import CEventLoop

/// The record of one request and its answer.
public struct HTTPExchange: Sendable {
    /// The address of the client, or of the proxy in front of the server.
    public let peer: IPAddress
    /// The time from the request line to the last byte of the answer, in nanoseconds.
    public let nanoseconds: Int64
    /// The method; nil where there was no answer.
    public let method: HTTPMethod?
    /// The status; nil where there was no answer, as the client left.
    public let status: Int?
    /// The size of the answer's body; nil where it was a stream, or there was none.
    public let size: Int?
    /// The handler's number for such requests, given with `HTTPRequest.classify(as:)`.
    public let kind: Int?
    /// True where the response was a stream.
    public let isStream: Bool
}

/// The record of the request that is under way on a connection: one for all its requests, in turn.
///
/// Each field is loaded and stored by itself, as the properties of ``Connection`` are.
final class ExchangeRecord {
    /// The time of the request line, in nanoseconds; nil between two requests.
    private var start: Int64?
    private var method: HTTPMethod?
    private var status: Int?
    private var size: Int?
    private var isStream = false
    fileprivate var kind: Int?
    /// The further closure to be called at its end.
    fileprivate var whenOver: (@Sendable (HTTPExchange) -> Void)?

    func begin(at now: Int64) {
        start = now
    }

    func note(_ response: HTTPResponse, method: HTTPMethod) {
        status = response.status
        isStream = response.stream != nil
        size = isStream ? nil : response.body.count
        self.method = method
    }

    /// Ends the record, and forgets it.
    ///
    /// - Returns: Nil where no request was under way.
    func end(from peer: IPAddress) -> HTTPExchange? {
        guard let start else { return nil }
        let exchange = HTTPExchange(
            peer: peer, nanoseconds: cloop_nanoseconds() - start, method: method, status: status, size: size,
            kind: kind, isStream: isStream)
        self.start = nil
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
    /// True where a record of the request is kept.
    public var isObserved: Bool { connection.record != nil }

    /// Sets a closure that is called when an observed request is over: as soon as the last byte of the response is
    /// handed over, or the client has left.
    public func whenOver(_ body: @escaping @Sendable (HTTPExchange) -> Void) {
        connection.record?.whenOver = body
    }

    /// Notes the kind of this request in its record. Costs nothing where none is kept.
    public func classify(as kind: Int) {
        connection.record?.kind = kind
    }
}
