/// The answer to a request: when it is given, and its response.
public enum HTTPAnswer: Sendable {
    /// At once.
    case now(HTTPResponse)
    /// Later, when work elsewhere is done. The worker serves its other clients in the meantime.
    ///
    /// First the request's connection is suspended. Then `begin` is called once with the object that answers the
    /// request. Any thread may answer, also within `begin`.
    ///
    /// A server that is stopping still accepts such requests, and waits for them like for everything in progress. At
    /// the deadline of `HTTPServer.stop(deadline:)`, the `otherwise` closures respond to the remaining ones, and their
    /// connections are closed. Work that finishes afterwards is too late: its response is dropped.
    ///
    /// - Parameters:
    ///   - atMost: The time for which the client waits. At most `HTTPParkedAnswer.longestWait`.
    ///   - otherwise: Creates the response after that time, at the deadline, or if the `HTTPParkedAnswer` is released
    ///     unanswered. It runs on the worker, so it should be quick. If the deadline has already passed, it is called
    ///     at once and `begin` is not.
    ///   - begin: Called on the worker. It hands the work to another thread.
    case later(atMost: Duration, otherwise: @Sendable () -> HTTPResponse, begin: @Sendable (HTTPParkedAnswer) -> Void)
    /// Later, when something has happened. No thread waits in the meantime, however many requests do.
    ///
    /// First the request is parked. Then `begin` is called once with the object that answers the request. To miss
    /// nothing, an owner checks its state again within `begin`, under the lock under which it answers.
    ///
    /// - Parameters:
    ///   - atMost: The time for which the client waits. At most `HTTPParkedAnswer.longestWait`.
    ///   - otherwise: Creates the response after that time, as soon as the server begins to stop, or if the
    ///     `HTTPParkedAnswer` is released unanswered. It runs on the worker, so it should be quick. If the server is
    ///     already stopping, it is called at once and `begin` is not.
    ///   - begin: Called on the worker.
    case parked(
        atMost: Duration, otherwise: @Sendable () -> HTTPResponse, begin: @Sendable (HTTPParkedAnswer) -> Void)
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
