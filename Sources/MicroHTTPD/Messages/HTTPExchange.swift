/// One request and its answer, as whoever keeps a record of them is told.
public struct HTTPExchange: Sendable {
    /// Where the client connects from, or the proxy that is next to the server.
    public let peer: IPAddress
    /// How long it took, from the request line to the last byte of the answer.
    public private(set) var duration = Duration.zero
    /// Nil where there was no answer.
    public private(set) var method: HTTPMethod?
    /// Nil where there was no answer, as the client left.
    public private(set) var status: Int?
    /// The size of the answer's body; nil where it was written piece by piece, or there was none.
    public private(set) var size: Int?
    /// What the handler calls such requests, with `HTTPRequest.classify(as:)`.
    public fileprivate(set) var kind: String?
    /// The handler's number for that kind.
    public fileprivate(set) var kindNumber: Int?
    /// True where the response was written piece by piece, for as long as that took.
    public private(set) var isStream = false

    /// Who else is told of its end.
    fileprivate var whenOver: (@Sendable (HTTPExchange) -> Void)?

    private let start = ContinuousClock.now

    init(from peer: IPAddress) {
        self.peer = peer
    }

    mutating func note(_ response: HTTPResponse, method: HTTPMethod) {
        status = response.status
        isStream = response.stream != nil
        size = isStream ? nil : response.body.count
        self.method = method
    }

    func ended() -> HTTPExchange {
        var exchange = self
        exchange.duration = start.duration(to: .now)
        exchange.whenOver?(exchange)
        return exchange
    }
}

extension HTTPRequest {
    /// True where somebody keeps a record of it.
    public var isObserved: Bool { connection.exchange != nil }

    /// Has somebody told when an observed request is over: as soon as the last byte of the response is handed over, or the
    /// client has left.
    public func whenOver(_ body: @escaping @Sendable (HTTPExchange) -> Void) {
        connection.exchange?.whenOver = body
    }

    /// Tells whoever keeps a record what kind of request this is. Costs nothing where nobody does.
    public func classify(as kind: String, number: Int? = nil) {
        connection.exchange?.kind = kind
        connection.exchange?.kindNumber = number
    }
}
