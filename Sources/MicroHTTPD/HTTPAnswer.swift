/// When a request is answered.
public enum HTTPAnswer: Sendable {
    /// At once.
    case now(HTTPResponse)
    /// After work that takes long, on a thread of its own: the worker goes on with its other clients in the meantime.
    ///
    /// Such work is done one at a time; where too much of it waits, the request is refused.
    case later(@Sendable () -> HTTPResponse)
}
