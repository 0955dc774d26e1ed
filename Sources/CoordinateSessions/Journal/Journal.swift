public import Coordinate

/// The store of all sessions: the beginning of each session, and the events that it has accepted since, in order.
///
/// A tree can be released at any time and rebuilt by replaying the events. An event is accepted once its entry is in
/// the journal: no client may see an effect of it before. Every server has a ``MemoryJournal`` unless it is given
/// another journal.
///
/// ## Writing a journal
///
/// A server makes many calls at once, from any thread. Each session has at most one append under way; calls that read,
/// lease, end and erase sessions come at any time. What is not `async` must not wait: no disk, no network, no lock that
/// is held while either is used. Other methods may wait for as long as the store needs, but must not block the thread,
/// which serves other clients meanwhile: hand the work to a thread of the journal, and suspend on a continuation. The
/// caller continues on its own executor, so no app ever runs on a thread of the journal.
///
/// A call is never cancelled halfway. The task of a client that has left is cancelled while its append is under way, and
/// the append still has to be stored or fail: pay no attention to cancellation.
///
/// A commit is slow, so write what has arrived since the last one as one group, and resume all its callers together once
/// it is committed. A group contains at most one entry of each session; write them in the order of the sessions' ids if
/// the store locks rows.
///
/// An error is certain: after ``JournalError/unavailable`` the journal has done nothing; after
/// ``JournalError/outcomeUnknown`` it may have made the change, or may still make it.
public protocol Journal: Sendable {
    /// Whether other servers write to the journal. If so, a server reads a session's head before it reads the session.
    var isShared: Bool { get }

    /// Whether the result of an append can be lost. If so, each entry carries a mark that identifies it.
    var losesAnswers: Bool { get }

    /// Whether it finds sessions by their references, keys and attributes. If not, a server creates no session with a
    /// key or with attributes.
    var findsSessions: Bool { get }

    /// Adds a session in one step: either all of it is stored, or nothing. Of any number of sessions of an app that are
    /// created at once with the same ``SessionRecord/key``, on any servers, one is added.
    ///
    /// - Parameters:
    ///   - session: The session's version 0. A session with a ``SessionRecord/sharedParent`` has the parent's first entries,
    ///     up to that version. They are the same entries, without the fields that belong to the parent alone (retries
    ///     and marks).
    ///   - history: The entries of a session that shares none, from version 1.
    ///   - expiry: The moment at which it ends, unless that is extended before.
    ///   - limit: The maximum number of sessions, this one included.
    /// - Throws: ``JournalError/tooManySessions``; ``JournalError/keyTaken`` if another session of the app that has not
    ///   ended has the key, expired or not; or ``JournalError/noSuchSession`` if the parent has ended or has no such
    ///   version.
    func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) async throws(JournalError)

    /// The version of a session, and everything else that is known without a tree; `nil` if there is no such session,
    /// or it has ended.
    func head(of session: SessionID) async throws(JournalError) -> SessionHead?

    /// The session of an app that has a key and has not ended; `nil` if there is none.
    func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID?

    /// The session of an app that has a reference and has not ended; `nil` if there is none.
    func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID?

    /// Appends the next entry to a session's history.
    ///
    /// - Throws: ``JournalError/conflict`` if the entry's version is not the next one, or if this very entry is
    ///   already stored; ``JournalError/noSuchSession``, ``JournalError/full``.
    func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError)

    /// Returns a session's entries after a version, oldest first, at most `limit`; fewer only at the end.
    ///
    /// - Throws: ``JournalError/noSuchSession`` if there is no such session, or it has ended;
    ///   ``JournalError/damaged(version:)`` if any of these entries cannot be read.
    func read(_ session: SessionID, after version: Int, limit: Int) async throws(JournalError) -> [JournalEntry]

    /// Ends a session: deletes its record and its entries, except the entries that its forks share.
    ///
    /// - Parameter version: The version that the session must have; `nil` for any version.
    /// - Throws: ``JournalError/conflict`` if it has another version, ``JournalError/noSuchSession``.
    func end(_ session: SessionID, at version: Int?) async throws(JournalError)

    /// Notes the moment until which a session is kept. It is called rarely, and no caller waits for it. A shared
    /// journal keeps the latest of the moments that several servers report.
    func keep(_ session: SessionID, until expiry: Timestamp)

    /// Ends some of the sessions whose expiry has passed. Called about once a second.
    ///
    /// - Parameter ended: Called for each session that this ends, with the name of its app: later, without a lock held,
    ///   and by one server only.
    func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void)

    /// The approximate number of sessions.
    var count: Int { get }

    /// The approximate memory that the journal uses for its sessions, in bytes; 0 if they are stored elsewhere. It is
    /// read with every event.
    var memoryUse: Int { get }

    /// Returns a page of sessions, in the order of the query.
    func list(_ query: SessionQuery) async throws(JournalError) -> SessionPage

    /// Calls a closure when other servers may have appended entries to a session or ended it: soon, any number of
    /// times, and without a lock held. It is also called for a change by this server whose result was lost.
    ///
    /// Changes made before this call need not be reported.
    ///
    /// - Returns: The subscription, which ends when it is released; `nil` if the journal is not shared.
    func follow(_ session: SessionID, _ changed: @escaping @Sendable () -> Void) -> (any JournalSubscription)?

    /// Records that the process is about to crash during a turn of a session. From then on the session's head contains
    /// the note ``CrashNote/following(_:)`` its former note.
    ///
    /// The dying process calls it on a separate thread. The thread that crashed may hold any lock, except those of the
    /// journal. The process waits at most two seconds for the result.
    func record(_ crash: CrashNote, of session: SessionID) async throws(JournalError)

    /// Stores a session's record again, whose ``SessionRecord/name`` or ``SessionRecord/attributes`` have changed.
    ///
    /// - Parameter former: The record as it was read.
    /// - Throws: ``JournalError/conflict`` if the record is another one by now, ``JournalError/noSuchSession``.
    func update(_ session: SessionRecord, replacing former: SessionRecord) async throws(JournalError)

    // MARK: Pending work

    /// Leases sessions of an app whose pending work is due: sessions whose last entry, or record, has a
    /// ``JournalEntry/wake`` that is not after a moment, and that no server has leased. The longest overdue come first.
    /// Sessions whose work is withheld (``SessionRecord/isWorkWithheld``) are never due, whatever their entries say.
    ///
    /// A lease keeps other servers from running the same work. It ends when it is given back, when nothing is pending
    /// in the session any more, when it was not renewed for ``leaseTime`` by the journal's own clock, or when the
    /// session ends.
    ///
    /// - Returns: At most `limit` sessions that this server has newly leased, and at most ``SessionBackoff/limit``
    ///   further ones that have backed off.
    func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID]

    /// Leases a session, whether its work is due or not. Called when an event was committed that requested work.
    ///
    /// - Returns: Whether this server holds the lease now; `false` if nothing is pending in the session, or another
    ///   server holds the lease.
    func lease(_ session: SessionID) async throws(JournalError) -> Bool

    /// Renews leases. Called for all leases of a server, several times within ``leaseTime``.
    ///
    /// - Returns: The sessions that this server still has leased. Other servers may have leased the rest, or nothing is
    ///   pending in them any more.
    func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID]

    /// Gives leases back. No caller waits for it.
    func endLeases(of sessions: [SessionID])

    /// Gives back the leases of sessions whose work could not be done, and makes these sessions back off: for a second
    /// after the first failure, twice as long after each further one, an hour at most (``SessionBackoff``).
    /// ``leaseDue(by:of:limit:)`` returns others first. No caller waits for it.
    ///
    /// An entry that changes what is pending, and ``endLeases(of:)``, end the series of failures.
    func backOff(_ sessions: [SessionID], from now: Timestamp)

    // MARK: Erasing

    /// Deletes a session with everything of it that the journal can reach. Sessions that share its entries stay as they
    /// are.
    ///
    /// After ``JournalError/outcomeUnknown`` the session may be deleted, but not every trace of it. Another call
    /// finishes that.
    ///
    /// - Throws: ``JournalError/noSuchSession`` if there is no such session, or it has ended.
    func erase(_ session: SessionID) async throws(JournalError) -> Erasure

    // MARK: The journal itself

    /// The seconds by which the journal's clock is ahead of this machine's clock. Servers that share a journal use its
    /// clock.
    var clockOffset: Int { get }

    /// Succeeds if an entry could be appended now.
    func check() async throws(JournalError)

    /// The statistics of its commits; zeros if it keeps none.
    var statistics: JournalStatistics { get }

    /// Writes everything that is still unwritten, and closes files, connections and threads. The code that opened the
    /// journal calls it once, when no server uses the journal any more. It blocks its thread.
    func close()
}

extension Journal {
    public var isShared: Bool { false }

    public var losesAnswers: Bool { false }

    /// Returns `false`.
    public var findsSessions: Bool { false }

    /// Finds none.
    public func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID? { nil }

    /// Finds none.
    public func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID? {
        nil
    }

    /// Returns 0: the journal is on this machine.
    public var clockOffset: Int { 0 }

    public var memoryUse: Int { 0 }

    public func follow(
        _ session: SessionID, _ changed: @escaping @Sendable () -> Void
    ) -> (any JournalSubscription)? { nil }

    /// Fails: the journal stores no names and attributes.
    public func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) async throws(JournalError) { throw .unavailable }

    /// Does nothing, since the journal ends with its process.
    public func record(_ crash: CrashNote, of session: SessionID) async throws(JournalError) {}

    /// The time for which a lease is valid without being renewed, in seconds.
    public static var leaseTime: Int { 6 }

    /// The time for which a lease is valid without being renewed, in seconds.
    public var leaseTime: Int { Self.leaseTime }

    /// Ends some of the sessions whose expiry has passed.
    public func expire(by now: Timestamp) {
        expire(by: now) { _, _ in }
    }

    /// Returns no sessions: their work is done when they are next used.
    public func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] { [] }

    /// Returns `true`: there is no other server.
    public func lease(_ session: SessionID) async throws(JournalError) -> Bool { true }

    public func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] { sessions }

    public func endLeases(of sessions: [SessionID]) {}

    public func backOff(_ sessions: [SessionID], from now: Timestamp) { endLeases(of: sessions) }

    /// Fails: the journal cannot erase sessions.
    public func erase(_ session: SessionID) async throws(JournalError) -> Erasure { throw .unavailable }

    public func check() async throws(JournalError) {}

    public var statistics: JournalStatistics { JournalStatistics() }

    public func close() {}
}

/// The pauses of sessions whose work could not be done.
public enum SessionBackoff {
    /// The time for which a session backs off after a number of failures, in seconds.
    public static func pause(afterFailures count: Int) -> Int { min(1 << min(max(0, count - 1), 12), 3_600) }

    /// The most sessions with failures that ``Journal/leaseDue(by:of:limit:)`` returns at a time, which bounds the cost
    /// of sessions whose work cannot be done.
    public static var limit: Int { 64 }

    /// The number of sessions that ``Journal/leaseDue(by:of:limit:)`` should choose from those that became due last:
    /// half of a large number, so that overdue sessions whose work cannot be done do not delay them; none of a small
    /// one.
    public static func newest(of limit: Int) -> Int { limit < 64 ? 0 : limit / 2 }
}

/// A subscription to the changes of a session. It ends when it is released.
public protocol JournalSubscription: AnyObject, Sendable {}

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
