/// Answers requests that come from no socket as an `HTTPServer` does: the same refusals, the same limits of bodies, the same
/// waiting. For tests in which the socket is not the point, and for counting what an answer costs.
///
/// ```swift
/// let server = LocalHTTPServer(handler: Greeter())
/// let response = await server.response(to: try HTTPRequest(.get, "/hello?name=you"))
/// ```
public final class LocalHTTPServer: Sendable {
    private let service: Service

    public init(configuration: HTTPServerConfiguration = HTTPServerConfiguration(), handler: some HTTPHandler) {
        service = Service(
            configuration: configuration, handler: handler, bodies: nil, waiting: nil, onLog: { _ in }, onExchange: nil)
    }

    /// Answers one request. A stream is not begun: what it has to say goes nowhere.
    ///
    /// - Returns: Nil where a socket would be closed without a response.
    public func response(to request: consuming HTTPRequest) async -> HTTPResponse? {
        let exchange = LocalExchange()
        begin(request, exchange)
        if exchange.isSuspended {
            await exchange.wait()
            _ = service.answer(request)
        }
        return request.connection.response
    }

    /// Answers a request that is answered at once.
    ///
    /// - Returns: Nil for one that has to wait, of which nobody hears any more then.
    public func responseAtOnce(to request: consuming HTTPRequest) -> HTTPResponse? {
        let exchange = LocalExchange()
        begin(request, exchange)
        return exchange.isSuspended ? nil : request.connection.response
    }

    private func begin(_ request: borrowing HTTPRequest, _ exchange: LocalExchange) {
        let connection = request.connection
        let body = connection.body
        connection.body = []
        connection.local = exchange
        connection.repeatedHeaders = service.singles.repeated(in: request.madeFields)
        guard service.plan(request, bodySize: body.count), connection.response == nil else { return }
        unsafe body.withUnsafeBytes { unsafe service.collect($0, on: connection) }
        _ = service.answer(request)
    }
}

extension Connection {
    /// The response, once there is one.
    fileprivate var response: HTTPResponse? {
        if case .answered(let response) = stage { response } else { nil }
    }
}
