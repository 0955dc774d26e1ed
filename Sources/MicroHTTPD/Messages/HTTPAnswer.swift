/// The time at which a request is answered, and its response.
public enum HTTPAnswer: Sendable {
    /// At once.
    case now(HTTPResponse)
    /// Later, when work elsewhere is done: the worker goes on with its other clients in the meantime.
    ///
    /// First the request's connection is suspended, then `begin` is called, once, with the object that answers the
    /// request: from any thread, also within `begin`.
    ///
    /// A server that is stopping still accepts such requests, and waits for them as for all that is under way. At the
    /// deadline of `HTTPServer.stop(deadline:)` those that are left get the responses of their `otherwise` closures,
    /// and then their connections are closed. Work that goes on after that comes too late: its response is dropped.
    ///
    /// - Parameters:
    ///   - atMost: The time for which the client waits; no longer than `HTTPParkedAnswer.longestWait`.
    ///   - otherwise: Creates the response after that time, at the deadline, and if the `HTTPParkedAnswer` is released
    ///     unanswered. It is called on the worker, so it should be quick. If the deadline has passed already, it is called
    ///     at once, and `begin` is not.
    ///   - begin: Called on the worker; it hands the work on.
    case later(atMost: Duration, otherwise: @Sendable () -> HTTPResponse, begin: @Sendable (HTTPParkedAnswer) -> Void)
    /// Later, when something has happened: no thread waits in the meantime, however many requests do.
    ///
    /// First the request is parked, then `begin` is called, once, with the object that answers the request. So an owner
    /// misses nothing that checks its state once more within `begin`, under the same lock under which it answers.
    ///
    /// - Parameters:
    ///   - atMost: The time for which the client waits; no longer than `HTTPParkedAnswer.longestWait`.
    ///   - otherwise: Creates the response after that time, as soon as the server begins to stop, and if the
    ///     `HTTPParkedAnswer` is released unanswered. It is called on the worker, so it should be quick. If the server is
    ///     stopping already, it is called at once, and `begin` is not.
    ///   - begin: Called on the worker.
    case parked(
        atMost: Duration, otherwise: @Sendable () -> HTTPResponse, begin: @Sendable (HTTPParkedAnswer) -> Void)
}

/// The plan for a request's body.
public enum HTTPBodyPlan {
    /// It is kept until the request is answered, as `HTTPRequest.body`.
    ///
    /// - Parameter limit: The most bytes it may have; nil means the configuration's.
    case collect(limit: Int? = nil)
    /// Each part goes to a receiver as it arrives, and is not kept.
    ///
    /// - Parameter limit: The most bytes it may have.
    case stream(to: any HTTPBodyReceiver, limit: Int)
    /// None of it is wanted: the request gets this response, and the handler is not called again.
    ///
    /// A body that is larger than the configuration's limit is not even read: the answer goes out at once, and ends the
    /// connection.
    case refuse(HTTPResponse)
}

/// A receiver of the body of one request, part by part.
///
/// It is called on the worker thread that serves the request, never twice at once, and like a handler must not wait for
/// anything slow. The complete request has it as `HTTPRequest.receiver`; where the client leaves before that, it is
/// released.
public protocol HTTPBodyReceiver: AnyObject {
    /// Receives the next part, of one byte or more.
    func receive(_ part: [UInt8])
}
