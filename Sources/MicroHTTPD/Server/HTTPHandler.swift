/// What answers the requests of an `HTTPServer`.
///
/// All methods are called on the server's worker threads, many at once; a worker serves no other client until they
/// return, so they must not do anything slow: that is done elsewhere, for `HTTPAnswer.later(atMost:otherwise:begin:)`,
/// and what is waited for is for `HTTPAnswer.parked(atMost:otherwise:begin:)`.
///
/// ```swift
/// struct Greeter: HTTPHandler {
///     let greeting = HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], body: "hello\n")
///     func respond(to request: borrowing HTTPRequest) -> HTTPAnswer { .now(greeting) }
/// }
/// ```
public protocol HTTPHandler: Sendable {
    /// The headers of which a request may have one each, in lower case: `HTTPRequest.repeatedHeaders` tells which came
    /// more often. At most 32; none by default. It is asked once.
    var singleHeaders: [StaticString] { get }

    /// What is to become of the body, and how large it may be. By default it is collected.
    ///
    /// Called once the header is read and found well-formed, and only for a request that has a body.
    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan

    /// The answer, once the whole body has arrived.
    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer

    /// How a refusal made before the handler saw the request looks to the client.
    ///
    /// The server closes the connection after it. What libmicrohttpd would refuse itself comes by here as well.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse
}

extension HTTPHandler {
    public var singleHeaders: [StaticString] { [] }

    public func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan { .collect() }

    public func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(
            status: refusal.status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: refusal.detail + "\n"
        )
    }
}
