package import Coordinate

/// The reason why a session refused a request. Nothing was done, with two exceptions: after
/// `.journal(.outcomeUnknown)` the journal may have the change, and after `.outcomeUnavailable` it has it.
///
/// Errors are rare and passed on in many places, so the contents are stored indirectly.
package indirect enum SessionError: Error {
    /// The session was ended, or has expired.
    case hasEnded
    /// The app has no such event; with the names of its events, and a similar name.
    case unknownEvent(known: [String], nearest: String?)
    /// A value of the payload is not valid.
    case invalidPayload(EventDecodingError)
    /// Only the app and its host may emit this event.
    case eventNotAllowed
    /// The event is none that the screen offers; with the names of those.
    case notOffered([String])
    /// The options are not valid for the app.
    case invalidOptions(PlainValueError)
    /// The work or the timer whose outcome the event is, is not pending: its outcome was reported before, or its
    /// coordinator has ended.
    case workIsOver
    /// A client posted an outcome, but the session's work is not withheld: the session reports outcomes itself.
    case workNotWithheld
    /// A client posted the outcome of something that is not pending; with the ids of everything pending.
    case notPending(known: [String])
    /// The event that a client posted cannot be an outcome of the named work or timer; with the events that can, and a
    /// similar name.
    case noOutcome(of: String, known: [String], nearest: String?)
    /// A client posted an outcome at a coordinator that does not own the work; with the id of the owner.
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
    /// Another session has the key.
    case keyTaken
    /// The session would have too many attributes.
    case tooManyAttributes
    /// An event with which a session was to begin is refused; with its index, and the reason. There is no session.
    case eventRefused(at: Int, SessionError)
    /// The journal does not find sessions by keys and attributes.
    case keysUnsupported
    /// The memory held for clients has reached its limit.
    case memoryIsFull
    /// The session has not reached that version yet; with the current one.
    case unknownVersion(current: Int)
    /// A precondition of the client does not hold; with the current version.
    case versionConflict(current: Int)
    /// Another request with the same idempotency key has another body.
    case otherRequestRetried
    /// The server has more work than the client can wait for.
    case tooBusy
    /// All clients that waited for it have left.
    case abandoned
    /// The event is in the journal; its outcome is temporarily unavailable.
    case outcomeUnavailable
    /// The request arrived while the server stops.
    case draining
    /// The session does not replay as it was recorded, and accepts no more events.
    case appChanged(AppChange)
    /// The app crashed the process repeatedly in the same turn of the session, which accepts no more events.
    case crashed(CrashNote)
    /// An entry of the session, 0 for its record, cannot be read; the session accepts no more events.
    case damaged(version: Int)
    /// A line of an exported journal cannot be replayed; with its number, from 1, and the reason.
    case invalidJournal(line: Int, reason: String)
}

extension SessionError {
    init(_ reason: FairScheduler.StopReason) {
        switch reason {
        case .tooBusy: self = .tooBusy
        case .abandoned: self = .abandoned
        case .draining: self = .draining
        }
    }
}

extension SessionError {
    /// Whether the server or its store is the reason, and not the request or the app.
    var isOfServer: Bool {
        switch self {
        case .journal, .memoryIsFull, .tooBusy, .outcomeUnavailable, .draining: true
        default: false
        }
    }
}

extension SessionError: CustomStringConvertible {
    /// The reason, and what to do about it, as far as that does not depend on the kind of request.
    package var description: String {
        switch self {
        case .hasEnded:
            "There is no such session. It was ended, has expired, or never existed."
        case .unknownEvent(_, let nearest):
            "There is no such event.\(question(nearest))"
        case .invalidPayload(let error):
            "The payload's field \"\(error.path.joined(separator: "/"))\" \(error.message).\(question(error.nearest))"
        case .eventNotAllowed:
            "Only the app or its host can emit this event: it reports work, a timer, or news from the host."
        case .notOffered:
            "The screen does not offer this event with this payload. GET …/route has the actions that can be sent."
        case .invalidOptions(let error):
            "The option \"\(error.path.joined(separator: "/"))\" \(error.message).\(question(error.nearest))"
        case .workIsOver:
            "The work or the timer is no longer pending."
        case .workNotWithheld:
            "The session's work is not withheld. The session reports its outcomes itself."
        case .notPending(let known):
            """
            No work or timer with this id is pending. \
            \(known.isEmpty ? "Nothing is pending." : "Pending: \(known.joined(separator: ", ")).")
            """
        case .noOutcome(let name, let known, let nearest):
            """
            This event is not an outcome of \(name).\(question(nearest)) \
            Its outcomes: \(known.joined(separator: ", ")).
            """
        case .notAtOwner(let coordinator):
            "Only the coordinator that owns the work can emit its outcome. Leave out \"at\", or use \(coordinator)."
        case .tooMuchWork:
            "The session's limit of pending work is reached. Retry when some of it is done."
        case .unknownCoordinator:
            "There is no coordinator with this id. Leave out \"at\" for the visible leaf, or use one of the known ids."
        case .unknownPath(_, let link):
            """
            \(link.reason.map { "The path leads nowhere: \($0)." } ?? "The app has no such path.")\
            \(link.nearest == nil ? " Braces in the known patterns mark values." : question(link.nearest))
            """
        case .treeIsFull:
            "The session's coordinator limit is reached. Go back, or pop to the root."
        case .historyIsFull:
            "The session's event limit is reached. Continue in a new session, or in a fork of an earlier version."
        case .appFailed:
            "The app failed on this request. The session is unchanged and continues."
        case .journal(.outcomeUnknown):
            """
            The journal did not report whether it made the change. Send the request again with the same \
            Idempotency-Key, or read the session.
            """
        case .journal:
            "The journal cannot be reached. Nothing was done. Retry shortly."
        case .tooManySessions:
            "Session limit reached. End a session, or wait."
        case .keyTaken:
            "Another session has this key. Find it by the key, or use another key."
        case .tooManyAttributes:
            "A session has at most \(SessionRecord.maximumAttributes) attributes. Remove some by setting them to null."
        case .eventRefused(_, let error):
            error.description
        case .keysUnsupported:
            "The server's journal stores no keys and attributes of sessions. Leave them out, or use another journal."
        case .memoryIsFull:
            "Memory limit reached. Sessions can still be read and ended. End sessions, or retry later."
        case .unknownVersion(let current):
            "The session has no such version. Request a version from 0 to \(current)."
        case .versionConflict(let current):
            "The session is at version \(current), which the request's condition rules out."
        case .otherRequestRetried:
            "Another request to this session used the same key with another body. Use a new key for each request."
        case .tooBusy:
            "Server busy. Retry shortly."
        case .outcomeUnavailable:
            """
            The event was accepted; its outcome is temporarily unavailable. Send the request again with the same \
            Idempotency-Key, or read the session.
            """
        case .abandoned:
            "The request was canceled. Nothing was done."
        case .draining:
            "The server is stopping. Retry shortly, or use another server."
        case .appChanged(let change):
            """
            The app has changed, and this session does not replay as it was recorded: \(change) Its events can be read \
            and exported, and it can be forked before that version, or ended.
            """
        case .crashed(let crash):
            """
            The session is quarantined, so that it cannot crash another process: \(crash). Its events can be read and \
            exported. It can be viewed and forked before that version, or ended. Another app version continues it.
            """
        case .damaged(let version):
            """
            \(version == 0 ? "The record" : "Entry \(version)") of this session cannot be read: its store is damaged. \
            \(version == 0 ? "It" : "The session can be read, forked and exported up to that version. It") can be ended.
            """
        case .invalidJournal(let line, let reason):
            "Line \(line): \(reason)"
        }
    }

    private func question(_ nearest: String?) -> String {
        nearest.map { " Did you mean \($0)?" } ?? ""
    }
}
