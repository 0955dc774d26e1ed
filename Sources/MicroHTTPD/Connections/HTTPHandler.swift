/// A handler of the requests of an `HTTPServer`.
///
/// All methods are called on the server's worker threads, concurrently. A worker serves no other client until they
/// return, so they must not do anything slow. Answer a request that has to wait with
/// `HTTPAnswer.async(atMost:isWork:otherwise:respond:)`, and do slow work in it on another executor.
///
/// ```swift
/// struct Greeter: HTTPHandler {
///     let greeting = HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], body: "hello\n")
///     func respond(to request: borrowing HTTPRequest) -> HTTPAnswer { .now(greeting) }
/// }
/// ```
public protocol HTTPHandler: Sendable {
    /// The headers that a request may have only once each, in lower case. `HTTPRequest.repeatedHeaders` lists those
    /// that occurred more often. At most 32; none by default. It is read once.
    var singleHeaders: [StaticString] { get }

    /// The plan for the body, with its largest size. By default the body is collected.
    ///
    /// Called after the header was read and validated, and only for a request with a body.
    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan

    /// The answer to a request, once its whole body has arrived.
    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer

    /// The address of the client; by default the peer's. Behind a proxy, it is in a header.
    func address(of request: borrowing HTTPRequest) -> IPAddress

    /// The response to a request that is refused before it reaches the handler.
    ///
    /// The server closes the connection after it. It is also called for requests that libmicrohttpd itself would
    /// refuse.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse

    /// The response to a request that is refused once its header was read, though it may be malformed. By default that
    /// of ``refuse(_:)``.
    func refuse(_ refusal: HTTPRefusal, of request: borrowing HTTPRequest) -> HTTPResponse
}

extension HTTPHandler {
    public var singleHeaders: [StaticString] { [] }

    public func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan { .collect() }

    public func address(of request: borrowing HTTPRequest) -> IPAddress { request.peer }

    public func refuse(_ refusal: HTTPRefusal, of request: borrowing HTTPRequest) -> HTTPResponse { refuse(refusal) }

    public func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(
            status: refusal.status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: refusal.detail + "\n"
        )
    }
}
