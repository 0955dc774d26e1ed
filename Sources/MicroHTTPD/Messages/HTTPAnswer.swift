/// When a request is answered.
public enum HTTPAnswer: Sendable {
    /// At once.
    case now(HTTPResponse)
    /// After work that takes long, on a thread of its own: the worker goes on with its other clients in the meantime.
    ///
    /// Such work is done one at a time; where too much of it waits, the request is refused.
    case later(@Sendable () -> HTTPResponse)
    /// When somebody has it: no thread waits in the meantime, however many requests do.
    ///
    /// First the request is parked, then `begin` is called, once, with what it is answered by. So nothing that happens
    /// is missed by an owner who looks once more within `begin`, under the same lock as those who answer.
    ///
    /// - Parameters:
    ///   - atMost: How long the client waits; no longer than `HTTPParkedAnswer.longestWait`.
    ///   - otherwise: makes the answer past that time, and when the server stops, on a thread of its own with nothing
    ///     locked; it should be quick. Where the server is stopping already, it is called at once, and `begin` is not.
    ///   - begin: is called on the worker thread.
    case parked(
        atMost: Duration, otherwise: @Sendable () -> HTTPResponse, begin: @Sendable (HTTPParkedAnswer) -> Void)
}
