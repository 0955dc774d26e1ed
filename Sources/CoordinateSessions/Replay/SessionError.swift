package import Coordinate

/// The reason why a session refused a request. Nothing was done, except perhaps where it ``isUncertain``.
///
/// It is rare and passed on in many places, so its contents are stored indirectly.
package indirect enum SessionError: Error {
    /// The session was ended, or has expired.
    case hasEnded
    /// The app has no such event; with the names of its events, and the one that may have been meant.
    case unknownEvent(known: [String], nearest: String?)
    /// A value of the payload is not valid.
    case invalidPayload(EventDecodingError)
    /// Only the app and its host may emit this event.
    case eventNotAllowed
    /// The options are not valid for the app.
    case invalidOptions(PlainValueError)
    /// The work or the timer whose outcome the event is, is not pending: its outcome was reported before, or its
    /// coordinator has ended.
    case workIsOver
    /// A client posted an outcome, and the session's work is not withheld: it reports its outcomes itself.
    case workNotWithheld
    /// A client posted the outcome of something that is not pending; with the ids of what is.
    case notPending(known: [String])
    /// The event that a client posted is no outcome of the work or the timer with a name; with the events that are, and the
    /// one that may have been meant.
    case noOutcome(of: String, known: [String], nearest: String?)
    /// A client posted an outcome at another coordinator than the one that owns its work; with the id of that one.
    case notAtOwner(String)
    /// The pending work has reached its limit.
    case tooMuchWork
    /// No started coordinator has the given id; with the ids of those that are started.
    case unknownCoordinator(known: [String])
    /// The app has no such path; with the patterns of its paths.
    case unknownPath(known: [String], DeadLink)
    /// The tree has reached its size limit.
    case treeIsFull
    /// The number of events has reached its limit.
    case historyIsFull
    /// The app failed within the turn.
    case appFailed(any Error)
    case journal(JournalError)
    /// The number of sessions has reached its limit.
    case tooManySessions
    /// The memory held for clients has reached its limit.
    case memoryIsFull
    /// The session has not reached that version yet; with the current one.
    case unknownVersion(current: Int)
    /// A precondition of the client does not hold; with the current version.
    case versionConflict(current: Int)
    /// Another request had the same idempotency key.
    case otherRequestRetried
    /// There is more to do than the client can wait for.
    case tooBusy
    /// Every client that waited for it has left.
    case givenUp
    /// The event is in the journal; its outcome cannot be told now.
    case cannotRetell
    /// It came too late: the server is about to stop.
    case draining
    /// The session does not replay as it was recorded, and changes no more.
    case appChanged(AppChange)
    /// The app ended the process repeatedly in the same turn of the session, which changes no more.
    case crashed(CrashNote)
    /// An entry of the session cannot be read, 0 for what it began with; it changes no more.
    case damaged(version: Int)
    /// A line of an exported journal cannot be replayed; with its number, from 1, and the reason.
    case invalidJournal(line: Int, reason: String)
}

extension SessionError {
    /// Whether something may have been done: the journal did not say, or the outcome of an event that it has is not known.
    package var isUncertain: Bool {
        switch self {
        case .journal(.outcomeUnknown), .cannotRetell: true
        default: false
        }
    }
}

extension SessionError: CustomStringConvertible {
    /// The reason, and what to do about it, as far as that does not depend on how the session was asked.
    package var description: String {
        switch self {
        case .hasEnded:
            "There is no such session: it was ended, has expired, or never was."
        case .unknownEvent(_, let nearest):
            "There is no such event.\(question(nearest))"
        case .invalidPayload(let error):
            "The payload's field \"\(error.path.joined(separator: "/"))\" \(error.message).\(question(error.nearest))"
        case .eventNotAllowed:
            "Only the app itself emits this event: it tells of work, of a timer, or of what its host knows."
        case .invalidOptions(let error):
            "The option \"\(error.path.joined(separator: "/"))\" \(error.message).\(question(error.nearest))"
        case .workIsOver:
            "The work or the timer is not pending any more."
        case .workNotWithheld:
            "The work of this session is not withheld. It reports its outcomes itself."
        case .notPending(let known):
            """
            No work and no timer with this id is pending. \
            \(known.isEmpty ? "Nothing is." : "These are: \(known.joined(separator: ", ")).")
            """
        case .noOutcome(let name, let known, let nearest):
            "This event is no outcome of \(name).\(question(nearest)) These can be: \(known.joined(separator: ", "))."
        case .notAtOwner(let coordinator):
            "An outcome is emitted at the coordinator that owns its work. Leave out \"at\", or use \(coordinator)."
        case .tooMuchWork:
            "As much work is pending as may be in one session. Try again when some of it is done."
        case .unknownCoordinator:
            "No started coordinator has this id. Leave out \"at\" for the visible leaf, or use one of the known ids."
        case .unknownPath(_, let link):
            """
            \(link.reason.map { "The path leads nowhere: \($0)." } ?? "No path of the app is like this.")\
            \(link.nearest == nil ? " The known patterns have their values in braces." : question(link.nearest))
            """
        case .treeIsFull:
            "The session has as many coordinators as one may have. Go back, or pop to the root."
        case .historyIsFull:
            "A session may not have more events than this. Go on in a new one, or in a fork of an earlier version."
        case .appFailed:
            "The app failed on this request. Nothing was done; the session goes on as it was before."
        case .journal(.outcomeUnknown):
            """
            The journal did not say whether it has the change. Send the request again with the same Idempotency-Key, or \
            read the session.
            """
        case .journal:
            "The journal cannot be reached. Nothing was done. Retry shortly."
        case .tooManySessions:
            "There are as many sessions as there may be. End one, or wait."
        case .memoryIsFull:
            "As much is held in memory as may be. What is there can be read and ended; end sessions, or wait."
        case .unknownVersion(let current):
            "The session has no such version: it is at \(current). Ask for one from 0 to \(current)."
        case .versionConflict(let current):
            "The session is at version \(current), which the request's condition rules out."
        case .otherRequestRetried:
            "Another request of this session had the same key, and another body."
        case .tooBusy:
            "This takes long, and there is more of that to do than can be waited for. Try again in a moment."
        case .cannotRetell:
            """
            The event was accepted; its outcome is temporarily unavailable. Send the request again with the same \
            Idempotency-Key, or read the session.
            """
        case .givenUp:
            "Nobody waited for it any longer. Nothing was done."
        case .draining:
            "The server is about to stop. Try again in a moment, or another server."
        case .appChanged(let change):
            """
            The app has changed, and this session does not replay as it was recorded: \(change) Its events can be read \
            and exported, and it can be forked before that version, or ended.
            """
        case .crashed(let crash):
            """
            The session is left as it is, so that it ends no other process: \(crash). Its events can be read and exported, \
            and it can be looked at and forked before that version, or ended. Another version of the app goes on with it.
            """
        case .damaged(let version):
            """
            \(version == 0 ? "The record" : "Entry \(version)") of this session cannot be read: its store is damaged. \
            \(version == 0 ? "It" : "The session can be read, forked and exported up to there, and it") can be ended.
            """
        case .invalidJournal(let line, let reason):
            "Line \(line): \(reason)"
        }
    }

    private func question(_ nearest: String?) -> String {
        nearest.map { " Did you mean \($0)?" } ?? ""
    }
}
