internal import CoordinateSessions
internal import Synchronization

/// The subscribers that are notified of other servers' changes to sessions.
final class Subscriptions: Sendable {
    private struct Follower {
        let changed: @Sendable () -> Void
        /// Whether it was never called yet.
        var isNew = true
    }

    private struct Followed {
        var followers: [ObjectIdentifier: Follower] = [:]
        /// The last version that this server knows; `nil` if the session does not exist, as far as it knows.
        var version: Int?
        /// The version that this server is appending; `nil` if it is appending none.
        var ownVersion: Int?
    }

    private let sessions = Mutex<[SessionID: Followed]>([:])
    private let isEmptyNow = Atomic(true)

    /// Whether no session is followed.
    var isEmpty: Bool { isEmptyNow.load(ordering: .relaxed) }

    /// The sessions that are followed.
    var all: [SessionID] { sessions.withLock { Array($0.keys) } }

    func insert(_ subscription: Subscription, to session: SessionID, _ changed: @escaping @Sendable () -> Void) {
        sessions.withLock { sessions in
            sessions[session, default: Followed()].followers[ObjectIdentifier(subscription)] = Follower(
                changed: changed)
            isEmptyNow.store(false, ordering: .relaxed)
        }
    }

    fileprivate func remove(_ subscription: ObjectIdentifier, from session: SessionID) {
        // The closure, with everything that it retains, is released without a lock held.
        let follower = sessions.withLock { sessions -> Follower? in
            let follower = sessions[session]?.followers.removeValue(forKey: subscription)
            if sessions[session]?.followers.isEmpty == true { sessions[session] = nil }
            isEmptyNow.store(sessions.isEmpty, ordering: .relaxed)
            return follower
        }
        withExtendedLifetime(follower) {}
    }

    /// Records versions that this server is about to append. No follower is notified of them until the results are
    /// known.
    func beginOwn(_ versions: some Sequence<(session: SessionID, version: Int)>) {
        setOwn(versions.lazy.map { ($0, $1) })
    }

    /// Records that the results of appends are known, or lost.
    func endOwn(_ ended: some Sequence<SessionID>) {
        setOwn(ended.lazy.map { ($0, nil) })
    }

    private func setOwn(_ versions: some Sequence<(SessionID, Int?)>) {
        guard !isEmpty else { return }
        sessions.withLock { sessions in
            for (session, version) in versions { sessions[session]?.ownVersion = version }
        }
    }

    /// Records a version that this server has appended itself: no follower is notified of it.
    func recordOwn(_ session: SessionID, version: Int) {
        guard !isEmpty else { return }
        sessions.withLock { sessions in
            guard let known = sessions[session]?.version, known < version else { return }
            sessions[session]?.version = version
        }
    }

    /// Notifies the followers of sessions that have changed, and those that were never notified.
    ///
    /// - Parameters:
    ///   - asked: The sessions in the query.
    ///   - versions: The versions of those that exist.
    func learn(_ asked: [SessionID], _ versions: [SessionID: Int]) {
        let calls = sessions.withLock { sessions -> [@Sendable () -> Void] in
            var calls: [@Sendable () -> Void] = []
            for session in asked {
                guard var followed = sessions.removeValue(forKey: session) else { continue }
                let version = versions[session]
                // The version is this server's own, or is checked again once the result is known.
                let isOwn = followed.version != nil && version.map { $0 == followed.ownVersion } == true
                let isChanged =
                    !isOwn && (version.map { $0 > followed.version ?? -1 } ?? (followed.version != nil))
                if isChanged { followed.version = version }
                for id in followed.followers.keys where isChanged || followed.followers[id]?.isNew == true {
                    followed.followers[id]?.isNew = false
                    if let follower = followed.followers[id] { calls.append(follower.changed) }
                }
                sessions[session] = followed
            }
            return calls
        }
        for call in calls { call() }
    }
}

/// A subscription to a session's changes.
final class Subscription: JournalSubscription {
    private let followers: Subscriptions
    private let session: SessionID

    init(_ followers: Subscriptions, _ session: SessionID, _ changed: @escaping @Sendable () -> Void) {
        self.followers = followers
        self.session = session
        followers.insert(self, to: session, changed)
    }

    deinit {
        followers.remove(ObjectIdentifier(self), from: session)
    }
}

/// A job with which the following worker looks for changes at once.
struct FollowJob: ConnectionJob {
    func refuse() {}
}

/// The work of the following worker: one repeated query for all sessions that are followed.
struct FollowWork: Sendable {
    let followers: Subscriptions

    func callAsFunction(_ link: inout Link) {
        let sessions = followers.all
        guard !sessions.isEmpty, link.connect() else { return }
        guard let rows = try? link.ask(Statements.follow(.ids(sessions))) else { return }
        let versions = (0..<rows.count).map { (sessions[rows.int($0, 0) - 1], rows.int($0, 1)) }
        followers.learn(sessions, Dictionary(versions) { $1 })
    }
}

/// The pause between two queries for changes, which grows with the time that they take.
final class Pace: Sendable {
    private let pauseTime = Mutex(0.1)

    /// The pause, in seconds.
    var pause: Double { pauseTime.withLock { $0 } }

    func measure(_ body: () -> Void) {
        let duration = ContinuousClock().measure(body) / .seconds(1)
        pauseTime.withLock { $0 = min(2, max(0.1, 4 * duration)) }
    }
}
