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
