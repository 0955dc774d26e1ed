/// What is in the `WaitingRoom`: it suspends its connection at times.
///
/// All but `serverStops()` and `serverHasAnswered()` are called on the room's thread, and all with no lock held.
protocol Waiting: AnyObject, Sendable {
    /// The socket to be watched for a client that leaves: nil unless the connection is suspended.
    var watchedSocket: Int32? { get }

    /// Resumes the connection, if it is suspended and there is reason to.
    func resume()

    /// The client closed its side while the connection was suspended. Called about once a second from then on.
    ///
    /// - Parameter isGone: Whether it is certain that it reads nothing any more.
    func clientLeft(isGone: Bool)

    /// The time it asked for has come. Returns the next one, if any.
    func timeHasCome(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant?

    /// The server is about to stop: to come to an end in good order. Called on the stopping thread.
    func serverStops()

    /// No answer is being made any more, so that nothing more is to be told. Called on the stopping thread.
    func serverHasAnswered()

    /// The server stops now: never to suspend the connection again, and to have reason to resume it with the next call,
    /// or once all notices so far are done. Returns the connection if an answer is still to be sent on it.
    func serverHasStopped() -> Connection?
}
