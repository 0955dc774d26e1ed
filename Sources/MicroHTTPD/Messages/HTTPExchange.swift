internal import CMicroHTTPD

/// The record of one request and its answer.
public struct HTTPExchange: Sendable {
    /// The address of the client, or of the proxy in front of the server.
    public let peer: IPAddress
    /// The time from the request line to the last byte of the answer, in nanoseconds.
    public private(set) var nanoseconds: Int64 = 0
    /// The method; nil where there was no answer.
    public private(set) var method: HTTPMethod?
    /// The status; nil where there was no answer, as the client left.
    public private(set) var status: Int?
    /// The size of the answer's body; nil where it was a stream, or there was none.
    public private(set) var size: Int?
    /// The handler's name for such requests, given with `HTTPRequest.classify(as:)`.
    public fileprivate(set) var kind: String?
    /// The handler's number for that kind.
    public fileprivate(set) var kindNumber: Int?
    /// True where the response was a stream.
    public private(set) var isStream = false

    /// The further closure to be called at its end.
    fileprivate var whenOver: (@Sendable (HTTPExchange) -> Void)?

    // No `ContinuousClock.Instant`: its size is known at run time only, and each copy of the record would ask for it.
    private let start = cmhd_nanoseconds()

    init(from peer: IPAddress) {
        self.peer = peer
    }

    mutating func note(_ response: HTTPResponse, method: HTTPMethod) {
        status = response.status
        isStream = response.stream != nil
        size = isStream ? nil : response.body.count
        self.method = method
    }

    mutating func end() {
        nanoseconds = cmhd_nanoseconds() - start
        whenOver?(self)
    }
}

extension HTTPRequest {
    /// True where a record of the request is kept.
    public var isObserved: Bool { connection.exchange != nil }

    /// Sets a closure that is called when an observed request is over: as soon as the last byte of the response is
    /// handed over, or the client has left.
    public func whenOver(_ body: @escaping @Sendable (HTTPExchange) -> Void) {
        connection.exchange?.whenOver = body
    }

    /// Notes the kind of this request in its record. Costs nothing where none is kept.
    public func classify(as kind: String, number: Int? = nil) {
        connection.exchange?.kind = kind
        connection.exchange?.kindNumber = number
    }
}
