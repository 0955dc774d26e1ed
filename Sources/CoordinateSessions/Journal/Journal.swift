public import Coordinate

/// The truth about every session: how it began, and the events it accepted since, in order.
///
/// A tree can be dropped at any time and made again by replaying them. An event is accepted when its entry is in the
/// journal, and not before: nothing of it may be seen until then. ``MemoryJournal`` is the one that every server has
/// unless it is given another.
///
/// ## Writing one
///
/// Every answer is a ``Future``: `.now` where it costs no waiting, else `.later` with a promise that is fulfilled on a
/// thread of the journal's own. The methods are called with the caller's locks held and must not wait; a promise must
/// never be fulfilled within the call that made it. A session has at most one entry on its way at a time, so a journal
/// that commits in groups finds at most one of each session in what came since the last group; it should write them in
/// the order of the sessions' ids.
///
/// An error says what is certain: after ``JournalError/unavailable`` nothing was done, after
/// ``JournalError/outcomeUnknown`` it may have been, or may still be.
public protocol Journal: Sendable {
    /// True where other servers write to it, too. Then a session is asked for its head before it is read.
    var isShared: Bool { get }

    /// True where the answer to an append can be lost. Then each entry carries a mark, by which it is known again.
    var losesAnswers: Bool { get }

    /// Adds a session, as one step: all of it is there afterwards, or nothing.
    ///
    /// - Parameters:
    ///   - session: Its version 0. One with a ``SessionRecord/parent`` has the parent's first entries, up to that
    ///     version; they are the same entries, without what belongs to the parent alone (retries and marks).
    ///   - history: What it begins with else, from version 1.
    ///   - expiry: When it ends, unless it is kept longer until then.
    ///   - limit: The most sessions there may be with it.
    /// - Returns: ``JournalError/tooManySessions``, or ``JournalError/noSuchSession`` where the parent has ended or has
    ///   no such version.
    func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError>

    /// How far a session has come, nil where there is none (any more).
    func head(of session: SessionID) -> Future<SessionHead?, JournalError>

    /// Adds the next entry to a session's history.
    ///
    /// - Returns: ``JournalError/conflict`` where the entry's version is not the next one, be it that this very entry
    ///   was there before; ``JournalError/noSuchSession``, ``JournalError/full``.
    func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError>

    /// A session's entries after a version, oldest first, at most `limit`; fewer only at the end.
    ///
    /// - Returns: ``JournalError/noSuchSession`` where there is none (any more).
    func read(_ session: SessionID, after version: Int, limit: Int) -> Future<[JournalEntry], JournalError>

    /// Ends a session: its record and its entries are gone, but for what its forks have of them.
    ///
    /// - Parameter version: The version it has to be at, nil for any.
    /// - Returns: ``JournalError/conflict`` where it is not, ``JournalError/noSuchSession``.
    func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError>

    /// Notes until when a session is kept; it is told seldom, and lazily. Nobody waits for it. Of what several servers
    /// say, a shared one goes by the latest moment.
    func keep(_ session: SessionID, until expiry: Timestamp)

    /// Ends some of the sessions whose time is over; called about once a second.
    ///
    /// - Parameter ended: is called for each session that is ended by this, with the name of its app: later, with nothing
    ///   locked, and by one server only.
    func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void)

    /// How many sessions there are, more or less.
    var count: Int { get }

    /// The memory that it takes for its sessions, in bytes, more or less; 0 where they are kept elsewhere. It is asked for
    /// with every event.
    var memoryUse: Int { get }

    /// Sessions in the order in which they were last used, latest first.
    func list(_ query: SessionQuery) -> Future<SessionPage, JournalError>

    /// Has a closure called when a session may have got entries, or ended, by other servers: soon, any number of times,
    /// and with nothing locked. So it is of what this server did without an answer that it was done.
    ///
    /// What came before this was called need not be told.
    ///
    /// - Returns: what ends that when it is let go of; nil for a journal that is not shared.
    func follow(_ session: SessionID, _ changed: @escaping @Sendable () -> Void) -> (any JournalSubscription)?

    /// Notes that the process is about to crash in a turn of a session: the session's head has the note from then on, as one
    /// that is ``CrashNote/following(_:)`` what it had.
    ///
    /// It is called while the process dies, on a thread of its own, and nobody knows what the thread that crashed has locked,
    /// but that it was not in the journal. The process waits for the answer for two seconds at most.
    func note(_ crash: CrashNote, of session: SessionID) -> Future<Void, JournalError>

    // MARK: Pending work

    /// Leases sessions of an app that have to be looked after: those whose last entry, or record, has a
    /// ``JournalEntry/wake`` that is not after a moment, and that nobody has leased; longest overdue first.
    ///
    /// A lease keeps other servers from running the same work. It is over when it is given back, when nothing is
    /// pending in the session any more, or when it was not renewed for ``leaseTime``, by the journal's own clock; and it
    /// does not outlive the session.
    ///
    /// - Returns: at most `limit` sessions, which this server has leased now, and had not before.
    func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError>

    /// Leases a session, whether something is due or not; called when an event was committed that asked for work.
    ///
    /// - Returns: whether this server has leased it now, or had before; false where nothing is pending in it.
    func lease(_ session: SessionID) -> Future<Bool, JournalError>

    /// Renews leases; called for all of them, several times within ``leaseTime``.
    ///
    /// - Returns: the sessions that this server still has leased. Others have the rest by now, or nothing is pending in
    ///   them any more.
    func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError>

    /// Gives leases back. Nobody waits for it.
    func endLeases(of sessions: [SessionID])

    // MARK: The journal itself

    /// Whether it can be reached.
    func check() -> Future<Void, JournalError>

    /// The numbers of its commits; zeros where it has none.
    var statistics: JournalStatistics { get }

    /// Writes what nobody waited for, and lets go of what it holds: files, connections, threads. To be called once, by
    /// whoever opened it, when no server uses it any more. Blocks its thread.
    func close()
}

extension Journal {
    public var isShared: Bool { false }

    public var losesAnswers: Bool { false }

    public var memoryUse: Int { 0 }

    public func follow(
        _ session: SessionID, _ changed: @escaping @Sendable () -> Void
    ) -> (any JournalSubscription)? { nil }

    /// Nothing: for a journal that ends with its process.
    public func note(_ crash: CrashNote, of session: SessionID) -> Future<Void, JournalError> { .now(()) }

    /// The longest that a lease is valid without being renewed, in seconds.
    public static var leaseTime: Int { 6 }

    /// The same.
    public var leaseTime: Int { Self.leaseTime }

    /// Ends some of the sessions whose time is over.
    public func expire(by now: Timestamp) {
        expire(by: now) { _, _ in }
    }

    /// None: a session is looked after when it is used.
    public func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError> {
        .now([])
    }

    /// True: there is nobody else.
    public func lease(_ session: SessionID) -> Future<Bool, JournalError> { .now(true) }

    public func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError> { .now(sessions) }

    public func endLeases(of sessions: [SessionID]) {}

    public func check() -> Future<Void, JournalError> { .now(()) }

    public var statistics: JournalStatistics { JournalStatistics() }

    public func close() {}
}

/// A session that somebody follows. Letting go of it is the end of that.
public protocol JournalSubscription: AnyObject, Sendable {}

/// A question for sessions, a page at a time.
public struct SessionQuery: Sendable {
    /// The app whose sessions are meant.
    public var app: String
    /// The most that are listed.
    public var limit: Int
    /// Where the last page ended: its ``SessionPage/next``.
    public var after: String?
    /// What the path begins with; nil for any.
    public var path: String?

    public init(app: String, limit: Int, after: String? = nil, path: String? = nil) {
        self.app = app
        self.limit = limit
        self.after = after
        self.path = path
    }
}

/// Some sessions, last used first.
public struct SessionPage: Sendable {
    public var sessions: [SessionHead]
    /// Where the next page begins, nil on the last one.
    public var next: String?

    public init(sessions: [SessionHead], next: String?) {
        self.sessions = sessions
        self.next = next
    }
}

/// Why a journal did not do as asked.
public enum JournalError: Error, Sendable {
    /// The session is at another version.
    case conflict
    /// There is no such session, or no longer.
    case noSuchSession
    /// The session's history is as large as it may be.
    case full
    /// There are as many sessions as there may be.
    case tooManySessions
    /// It cannot be reached, and nothing was done.
    case unavailable
    /// It cannot be reached, and nobody knows whether it was done.
    case outcomeUnknown
}

/// The numbers of a journal's commits, since it was opened.
public struct JournalStatistics: Equatable, Sendable {
    /// Commits with entries in them.
    public var commits = 0
    /// Entries that were committed. Divided by the commits, it is the size of a group.
    public var entries = 0
    /// The time that those commits took, in seconds.
    public var commitTime = 0.0

    public init() {}
}
