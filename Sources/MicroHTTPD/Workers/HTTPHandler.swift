/// A handler of the requests of an `HTTPServer`.
///
/// All methods are called on the server's worker threads, many at once; a worker serves no other client until they
/// return, so they must not do anything slow. Slow work belongs on another thread, with
/// `HTTPAnswer.later(atMost:otherwise:begin:)`; a request that waits for an event is answered with
/// `HTTPAnswer.parked(atMost:otherwise:begin:)`.
///
/// ```swift
/// struct Greeter: HTTPHandler {
///     let greeting = HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], body: "hello\n")
///     func respond(to request: borrowing HTTPRequest) -> HTTPAnswer { .now(greeting) }
/// }
/// ```
public protocol HTTPHandler: Sendable {
    /// The headers that a request may have only once each, in lower case: `HTTPRequest.repeatedHeaders` lists those
    /// that came more often. At most 32; none by default. It is read once.
    var singleHeaders: [StaticString] { get }

    /// The plan for the body, with its largest size. By default the body is collected.
    ///
    /// Called after the header is read and found well-formed, and only for a request that has a body.
    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan

    /// The answer to a request, once its whole body has arrived.
    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer

    /// The number of the address that a request counts for: by default the peer's.
    func clientNumber(of request: borrowing HTTPRequest) -> UInt64

    /// The response to a request that is refused before the handler sees it.
    ///
    /// The server closes the connection after it. It is also called for requests that libmicrohttpd itself would
    /// refuse.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse
}

extension HTTPHandler {
    public var singleHeaders: [StaticString] { [] }

    public func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan { .collect() }

    public func clientNumber(of request: borrowing HTTPRequest) -> UInt64 { request.peer.holder.number }

    public func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(
            status: refusal.status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: refusal.detail + "\n"
        )
    }
}
