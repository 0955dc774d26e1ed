internal import Coordinate

/// Why a session did not do as asked. Nothing of it was done.
enum SessionError: Error {
    /// It was ended, or expired.
    case hasEnded
    /// The app has no event of this name.
    case unknownEvent(String)
    /// A field of the payload does not fit; a pointer to it into the request's body, and what is wrong.
    case invalidPayload(EventDecodingError)
    /// No started coordinator has the id that was given; the ids of those that are started.
    case unknownCoordinator(known: [String])
    /// The app has no such path; the patterns of those it has.
    case unknownPath(known: [String])
    /// The tree is as large as it may be.
    case treeIsFull
    /// The app failed within the turn.
    case appFailed(any Error)
    case journal(JournalError)
    /// There are as many sessions as there may be.
    case tooManySessions
}
