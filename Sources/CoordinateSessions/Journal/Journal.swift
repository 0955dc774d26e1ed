public import Coordinate

/// The store of every session: how it began, and the events that it has taken since, in order.
///
/// A tree can be dropped at any time and made again by replaying them. An event is taken when its entry is in the
/// journal, and not before: no client may see any effect of it until then. Every server has a ``MemoryJournal`` unless
/// it is given another one.
///
/// ## Writing a journal
///
/// Every result is a ``Future``: `.now` where it needs no waiting, else `.later` with a promise that is fulfilled on a
/// thread of the journal's own. The methods are called with the caller's locks held and must not wait; a promise must
/// never be fulfilled within the call that made it. A session has at most one entry on its way at a time, so a journal
/// that commits in groups finds at most one entry of each session in a group; it should write them in the order of the
/// sessions' ids.
///
/// An error is certain: after ``JournalError/unavailable`` nothing was done, after ``JournalError/outcomeUnknown`` it
/// may have been done, or may still be.
public protocol Journal: Sendable {
    /// True where other servers write to it, too. Then a server reads a session's head before it reads the session.
    var isShared: Bool { get }

    /// True where the result of an append can be lost. Then each entry carries a mark, by which it is recognised.
    var losesAnswers: Bool { get }

    /// Adds a session, as one step: all of it is there afterwards, or nothing.
    ///
    /// - Parameters:
    ///   - session: Its version 0. A session with a ``SessionRecord/parent`` has the parent's first entries, up to that
    ///     version; they are the same entries, without those fields that belong to the parent alone (retries and
    ///     marks).
    ///   - history: The entries of a session without a parent, from version 1.
    ///   - expiry: The moment at which it ends, unless it is kept longer until then.
    ///   - limit: The most sessions there may be, this one included.
    /// - Returns: ``JournalError/tooManySessions``, or ``JournalError/noSuchSession`` where the parent has ended or has
    ///   no such version.
    func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError>

    /// The version of a session, and all else that is known of it without a tree; nil where there is no such session
    /// (any more).
    func head(of session: SessionID) -> Future<SessionHead?, JournalError>

    /// Adds the next entry to a session's history.
    ///
    /// - Returns: ``JournalError/conflict`` where the entry's version is not the next one, also where this very entry
    ///   is there already; ``JournalError/noSuchSession``, ``JournalError/full``.
    func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError>

    /// A session's entries after a version, oldest first, at most `limit`; fewer only at the end.
    ///
    /// - Returns: ``JournalError/noSuchSession`` if there is no such session (any more), ``JournalError/damaged(version:)`` if
    ///   any of these entries cannot be read.
    func read(_ session: SessionID, after version: Int, limit: Int) -> Future<[JournalEntry], JournalError>

    /// Ends a session: deletes its record and its entries, except the entries that its forks share.
    ///
    /// - Parameter version: The version at which it has to be, nil for any.
    /// - Returns: ``JournalError/conflict`` where it is at another version, ``JournalError/noSuchSession``.
    func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError>

    /// Notes the moment until which a session is kept. It is called seldom, and nobody waits for it. A shared journal
    /// keeps the latest of the moments that several servers give.
    func keep(_ session: SessionID, until expiry: Timestamp)

    /// Ends some of the sessions whose expiry has passed; called about once a second.
    ///
    /// - Parameter ended: Called for each session that this ends, with the name of its app: later, with nothing locked,
    ///   and by one server only.
    func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void)

    /// The approximate number of sessions.
    var count: Int { get }

    /// The approximate memory that the journal uses for its sessions, in bytes; 0 where they are stored elsewhere. It
    /// is read with every event.
    var memoryUse: Int { get }

    /// A page of sessions in the order in which they were last used, latest first.
    func list(_ query: SessionQuery) -> Future<SessionPage, JournalError>

    /// Calls a closure when other servers may have appended entries to a session, or ended it: soon, any number of
    /// times, and with nothing locked. It is also called for a change by this server whose result was lost.
    ///
    /// Changes from before this call need not be reported.
    ///
    /// - Returns: The subscription, which ends when it is released; nil for a journal that is not shared.
    func follow(_ session: SessionID, _ changed: @escaping @Sendable () -> Void) -> (any JournalSubscription)?

    /// Notes that the process is about to crash in a turn of a session: the session's head has the note from then on,
    /// ``CrashNote/following(_:)`` the note that it had.
    ///
    /// It is called while the process dies, on a thread of its own. The thread that crashed may hold any locks, except
    /// those of the journal. The process waits for the result for two seconds at most.
    func note(_ crash: CrashNote, of session: SessionID) -> Future<Void, JournalError>

    // MARK: Pending work

    /// Leases sessions of an app that have pending work to be looked after: those whose last entry, or record, has a
    /// ``JournalEntry/wake`` that is not after a moment, and that no server has leased; longest overdue first. Sessions whose
    /// work is withheld (``SessionRecord/isWorkWithheld``) are never due, whatever their entries say.
    ///
    /// A lease keeps other servers from running the same work. It ends when it is given back, when nothing is pending
    /// in the session any more, or when it was not renewed for ``leaseTime``, by the journal's own clock; and it ends
    /// with the session.
    ///
    /// - Returns: At most `limit` sessions that this server has leased now, and had not leased before; and some that rested
    ///   before, at most ``SessionRest/limit``.
    func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError>

    /// Leases a session, whether its work is due or not; called when an event was committed that asked for work.
    ///
    /// - Returns: True where this server has leased it now, or had before; false where nothing is pending in it.
    func lease(_ session: SessionID) -> Future<Bool, JournalError>

    /// Renews leases; called for all leases of a server, several times within ``leaseTime``.
    ///
    /// - Returns: The sessions that this server still has leased. Other servers may have the rest, or nothing is
    ///   pending in them any more.
    func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError>

    /// Gives leases back. Nobody waits for it.
    func endLeases(of sessions: [SessionID])

    /// Gives back the leases of sessions that could not be looked after, and leaves these alone: for a second after the
    /// first failure, twice as long after each further one, an hour at most (``SessionRest``). ``leaseDue(by:of:limit:)``
    /// returns others first. No caller waits for it.
    ///
    /// An entry that changes what is pending, and ``endLeases(of:)``, end the series of failures.
    func rest(_ sessions: [SessionID], from now: Timestamp)

    // MARK: The journal itself

    /// The seconds by which the journal's clock is ahead of this machine's. Servers that share a journal go by its clock.
    var clockOffset: Int { get }

    /// Succeeds where the journal can be reached.
    func check() -> Future<Void, JournalError>

    /// The statistics of its commits; zeros where it has none.
    var statistics: JournalStatistics { get }

    /// Writes what is still to be written, and closes files, connections and threads. The code that opened the journal
    /// calls it once, when no server uses the journal any more. It blocks its thread.
    func close()
}

extension Journal {
    public var isShared: Bool { false }

    public var losesAnswers: Bool { false }

    /// 0: the journal is on this machine.
    public var clockOffset: Int { 0 }

    public var memoryUse: Int { 0 }

    public func follow(
        _ session: SessionID, _ changed: @escaping @Sendable () -> Void
    ) -> (any JournalSubscription)? { nil }

    /// Does nothing: right for a journal that ends with its process.
    public func note(_ crash: CrashNote, of session: SessionID) -> Future<Void, JournalError> { .now(()) }

    /// The longest that a lease is valid without being renewed, in seconds.
    public static var leaseTime: Int { 6 }

    /// The longest that a lease is valid without being renewed, in seconds.
    public var leaseTime: Int { Self.leaseTime }

    /// Ends some of the sessions whose expiry has passed.
    public func expire(by now: Timestamp) {
        expire(by: now) { _, _ in }
    }

    /// No sessions: their work is looked after when they are used.
    public func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError> {
        .now([])
    }

    /// True: there is no other server.
    public func lease(_ session: SessionID) -> Future<Bool, JournalError> { .now(true) }

    public func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError> { .now(sessions) }

    public func endLeases(of sessions: [SessionID]) {}

    public func rest(_ sessions: [SessionID], from now: Timestamp) { endLeases(of: sessions) }

    public func check() -> Future<Void, JournalError> { .now(()) }

    public var statistics: JournalStatistics { JournalStatistics() }

    public func close() {}
}

/// How sessions rest that could not be looked after.
public enum SessionRest {
    /// The time for which a session rests after a number of failures, in seconds.
    public static func pause(afterFailures count: Int) -> Int { min(1 << min(max(0, count - 1), 12), 3_600) }

    /// The most sessions that ``Journal/leaseDue(by:of:limit:)`` returns of those that have rested: so the cost of sessions
    /// that cannot be looked after is bounded.
    public static var limit: Int { 64 }

    /// How many of the sessions that ``Journal/leaseDue(by:of:limit:)`` returns should be those that became due last: half
    /// of many, so that others that cannot be looked after do not delay them; none of a few.
    public static func newest(of limit: Int) -> Int { limit < 64 ? 0 : limit / 2 }
}

/// A subscription to the changes of a session. It ends when it is released.
public protocol JournalSubscription: AnyObject, Sendable {}

/// A request for a page of sessions.
public struct SessionQuery: Sendable {
    /// The app whose sessions are listed.
    public var app: String
    /// The most sessions on the page.
    public var limit: Int
    /// The end of the page before: its ``SessionPage/next``.
    public var after: String?
    /// The prefix of the sessions' paths; nil for any path.
    public var path: String?

    public init(app: String, limit: Int, after: String? = nil, path: String? = nil) {
        self.app = app
        self.limit = limit
        self.after = after
        self.path = path
    }
}

/// A page of sessions, last used first.
public struct SessionPage: Sendable {
    public var sessions: [SessionHead]
    /// The value of ``SessionQuery/after`` for the next page, nil on the last one.
    public var next: String?

    public init(sessions: [SessionHead], next: String?) {
        self.sessions = sessions
        self.next = next
    }
}

/// The reason why a journal's operation failed.
public enum JournalError: Error, Equatable, Sendable {
    /// The session is at another version.
    case conflict
    /// There is no such session, or it has ended.
    case noSuchSession
    /// The session's history has reached its size limit.
    case full
    /// The number of sessions has reached its limit.
    case tooManySessions
    /// The journal cannot be reached, and nothing was done.
    case unavailable
    /// The journal cannot be reached, and it is not known whether the change was made.
    case outcomeUnknown
    /// An entry of the session cannot be read; with the first such version of those that were asked for, 0 for the
    /// session's record.
    case damaged(version: Int)
}

/// The statistics of a journal's commits, since it was opened.
public struct JournalStatistics: Equatable, Sendable {
    /// The number of commits that contained entries.
    public var commits = 0
    /// The number of entries that were committed. Divided by the commits, it is the mean size of a group.
    public var entries = 0
    /// The time that those commits took, in seconds.
    public var commitTime = 0.0

    public init() {}
}
