/// The answer to a request: when it is given, and its response.
public enum HTTPAnswer: Sendable {
    /// At once.
    case now(HTTPResponse)
    /// By an `async` function. It begins on the worker, before `HTTPHandler.respond(to:)` of the next request, and its
    /// task prefers the worker. If it does not finish at once, the request's connection is suspended until it does, and
    /// the worker serves its other clients.
    ///
    /// The task is cancelled if its response is no longer wanted: the time is over, the client has left, or the server
    /// stops waiting. A response that it returns afterwards is dropped.
    ///
    /// - Parameters:
    ///   - atMost: The time for which the client waits. At most ``longestWait``.
    ///   - isWork: Whether a stopping server accepts the request, and waits for the response until the deadline of
    ///     `HTTPServer.stop(deadline:)`. If not, `otherwise` responds as soon as the server begins to stop.
    ///   - otherwise: Creates the response if the function has not returned in time. It runs on the worker, so it should
    ///     be quick.
    case async(
        atMost: Duration, isWork: Bool, otherwise: @Sendable () -> HTTPResponse,
        respond: nonisolated(nonsending) @Sendable () async -> HTTPResponse)

    /// The longest time that a request may wait.
    public static let longestWait = Duration.seconds(60)
}

/// The plan for a request's body.
public enum HTTPBodyPlan {
    /// The body is kept until the request is answered, as `HTTPRequest.body`.
    ///
    /// - Parameter limit: The most bytes it may have; `nil` for the configuration's limit.
    case collect(limit: Int? = nil)
    /// Each part is passed to a receiver as it arrives, and is not kept.
    ///
    /// - Parameter limit: The most bytes it may have.
    case stream(to: any HTTPBodyReceiver, limit: Int)
    /// The body is not wanted. The request gets this response, and the handler is not called again.
    ///
    /// A body larger than the configuration's limit is not read: the answer is sent at once and ends the connection.
    case refuse(HTTPResponse)
}

/// A receiver of the body of one request, part by part.
///
/// It is called on the worker thread that serves the request, never concurrently. Like a handler, it must not wait for
/// anything slow. The complete request has it as `HTTPRequest.receiver`. If the client leaves before, it is released.
public protocol HTTPBodyReceiver: AnyObject {
    /// Receives the next part, of one byte or more.
    func receive(_ part: [UInt8])
}
