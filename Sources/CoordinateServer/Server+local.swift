public import MicroHTTPD

extension Server {
    /// Answers a request that comes from no socket as one that came over it: for tests, and for a program that has a server
    /// of its own. A live stream is not begun.
    ///
    /// ```swift
    /// let server = try Server(app: MyApp())
    /// let request = try HTTPRequest(.get, "/route", headers: [.host: "localhost"])
    /// let response = await server.response(to: request)
    /// ```
    ///
    /// The server need not have been started; one that was not looks after idle sessions only when it is told to.
    ///
    /// - Returns: Nil where a connection would be closed without a response.
    public func response(to request: consuming HTTPRequest) async -> HTTPResponse? {
        await local.response(to: request)
    }

    /// The response to a request that could not even be made.
    package func response(to refusal: HTTPRefusal) -> HTTPResponse {
        api.refuse(refusal)
    }

    /// Answers a request that is answered at once, on this thread.
    ///
    /// - Returns: Nil for one that has to wait for something.
    public func responseAtOnce(to request: consuming HTTPRequest) -> HTTPResponse? {
        local.responseAtOnce(to: request)
    }
}
