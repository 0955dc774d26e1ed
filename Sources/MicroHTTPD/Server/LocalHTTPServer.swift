/// A server for requests without sockets. It answers them as an `HTTPServer` does, with the same refusals, body limits
/// and waiting. For tests without sockets, and for measuring the cost of an answer.
///
/// ```swift
/// let server = LocalHTTPServer(handler: Greeter())
/// let response = await server.response(to: try HTTPRequest(.get, "/hello?name=you"))
/// ```
public final class LocalHTTPServer: Sendable {
    private let service: Service
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: The executor of the handler's `async` functions; `nil` to begin them on the caller's thread.
    public init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(), handler: some HTTPHandler,
        executor: (any TaskExecutor)? = nil
    ) {
        self.executor = executor
        service = Service(
            configuration: configuration, handler: handler, memory: HTTPMemory(), onLog: { _ in }, onExchange: nil)
    }

    /// The response to one request. A stream begins with its `pieces()`; without them it ends.
    ///
    /// - Returns: `nil` if a socket would be closed without a response.
    public func response(to request: consuming HTTPRequest) async -> HTTPResponse? {
        let exchange = LocalExchange(on: executor)
        begin(request, exchange)
        if exchange.isSuspended {
            request.connection.stage = .answered(await exchange.response())
            _ = service.answer(request, in: nil)
        }
        return request.connection.response
    }

    /// The response to a request that needs no waiting.
    ///
    /// - Returns: `nil` for a request that has to wait. Its answer is dropped.
    public func responseAtOnce(to request: consuming HTTPRequest) -> HTTPResponse? {
        let exchange = LocalExchange(on: executor)
        begin(request, exchange)
        return exchange.isSuspended ? nil : request.connection.response
    }

    private func begin(_ request: borrowing HTTPRequest, _ exchange: LocalExchange) {
        let connection = request.connection
        let body = connection.body
        connection.body = []
        connection.local = exchange
        connection.repeatedHeaders = service.singles.repeated(in: request.programFields)
        guard service.plan(request, bodySize: body.count, in: nil), connection.response == nil else { return }
        unsafe body.withUnsafeBytes { unsafe service.collect($0, on: connection) }
        _ = service.answer(request, in: nil)
    }
}

extension Connection {
    /// The response; `nil` while there is none.
    fileprivate var response: HTTPResponse? {
        if case .answered(let response) = stage { response } else { nil }
    }
}
