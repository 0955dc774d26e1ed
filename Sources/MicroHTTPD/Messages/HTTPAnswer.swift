/// When a request is answered.
public enum HTTPAnswer: Sendable {
    /// At once.
    case now(HTTPResponse)
    /// When somebody has done the work for it, elsewhere: the worker goes on with its other clients in the meantime.
    ///
    /// First the request's connection is suspended, then `begin` is called, once, with what it is answered by: from any
    /// thread, also within `begin`.
    ///
    /// A server that is stopping still takes such requests, and waits for them as for all that is under way. At the
    /// deadline of `HTTPServer.stop(deadline:)` those that are left are answered by their stand-ins, and then their
    /// connections are closed. The work may be going on by then: its answer comes too late, and nobody waits for it.
    ///
    /// - Parameters:
    ///   - atMost: How long the client waits; no longer than `HTTPParkedAnswer.longestWait`.
    ///   - otherwise: makes the answer past that time, at the deadline, and where the `HTTPParkedAnswer` is let go of
    ///     unanswered, on a thread of its own with nothing locked; it should be quick. Where the deadline has passed
    ///     already, it is called at once, and `begin` is not.
    ///   - begin: is called on the worker thread; it hands the work on.
    case later(atMost: Duration, otherwise: @Sendable () -> HTTPResponse, begin: @Sendable (HTTPParkedAnswer) -> Void)
    /// When somebody has it: no thread waits in the meantime, however many requests do.
    ///
    /// First the request is parked, then `begin` is called, once, with what it is answered by. So nothing that happens
    /// is missed by an owner who looks once more within `begin`, under the same lock as those who answer.
    ///
    /// - Parameters:
    ///   - atMost: How long the client waits; no longer than `HTTPParkedAnswer.longestWait`.
    ///   - otherwise: makes the answer past that time, as soon as the server begins to stop, and where the
    ///     `HTTPParkedAnswer` is let go of unanswered, on a thread of its own with nothing locked; it should be quick.
    ///     Where the server is stopping already, it is called at once, and `begin` is not.
    ///   - begin: is called on the worker thread.
    case parked(
        atMost: Duration, otherwise: @Sendable () -> HTTPResponse, begin: @Sendable (HTTPParkedAnswer) -> Void)
}

/// What is to become of a request's body.
public enum HTTPBodyPlan {
    /// It is kept until the request is answered, as `HTTPRequest.body`.
    ///
    /// - Parameter limit: The most bytes it may have; nil means the configuration's.
    case collect(limit: Int? = nil)
    /// Each part goes to a receiver as it arrives, and is not kept.
    ///
    /// - Parameter limit: The most bytes it may have.
    case stream(to: any HTTPBodyReceiver, limit: Int)
    /// None of it is wanted: the request is answered so, without the handler's being asked again.
    ///
    /// A body that is larger than the configuration's limit is not even read: the answer goes out at once, and ends the
    /// connection.
    case refuse(HTTPResponse)
}

/// Takes the body of one request, part by part.
///
/// It is called on the worker thread that serves the request, never twice at once, and like a handler must not wait for
/// anything slow. The request that is answered in the end holds it as `HTTPRequest.receiver`; where the client leaves
/// before that, it is let go of.
public protocol HTTPBodyReceiver: AnyObject {
    /// The next part, of one byte or more.
    func receive(_ part: [UInt8])
}
