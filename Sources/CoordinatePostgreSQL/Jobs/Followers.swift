internal import CoordinateSessions
internal import Synchronization

/// Those who want to hear of what other servers do with sessions.
final class Followers: Sendable {
    private struct Follower {
        let changed: @Sendable () -> Void
        /// Whether it has not been told anything yet.
        var isNew = true
    }

    private struct Followed {
        var followers: [ObjectIdentifier: Follower] = [:]
        /// The last version that this server knows of, nil for that of a session that is not there.
        var version: Int?
    }

    private let sessions = Mutex<[SessionID: Followed]>([:])
    private let isEmptyNow = Atomic(true)

    /// Whether nobody follows anything.
    var isEmpty: Bool { isEmptyNow.load(ordering: .relaxed) }

    /// The sessions that somebody follows.
    var all: [SessionID] { sessions.withLock { Array($0.keys) } }

    func add(_ subscription: Subscription, to session: SessionID, _ changed: @escaping @Sendable () -> Void) {
        sessions.withLock { sessions in
            sessions[session, default: Followed()].followers[ObjectIdentifier(subscription)] = Follower(
                changed: changed)
            isEmptyNow.store(false, ordering: .relaxed)
        }
    }

    fileprivate func remove(_ subscription: ObjectIdentifier, from session: SessionID) {
        // What a closure holds is let go of with nothing locked.
        let follower = sessions.withLock { sessions -> Follower? in
            let follower = sessions[session]?.followers.removeValue(forKey: subscription)
            if sessions[session]?.followers.isEmpty == true { sessions[session] = nil }
            isEmptyNow.store(sessions.isEmpty, ordering: .relaxed)
            return follower
        }
        withExtendedLifetime(follower) {}
    }

    /// Notes what this server has done itself: nobody has to be told.
    func noteOwn(_ session: SessionID, version: Int) {
        guard !isEmpty else { return }
        sessions.withLock { sessions in
            guard let known = sessions[session]?.version, known < version else { return }
            sessions[session]?.version = version
        }
    }

    /// Tells those for whom there is something new.
    ///
    /// - Parameters:
    ///   - asked: The sessions that were asked for.
    ///   - versions: Those of the ones that are there.
    func learn(_ asked: [SessionID], _ versions: [SessionID: Int]) {
        let calls = sessions.withLock { sessions -> [@Sendable () -> Void] in
            var calls: [@Sendable () -> Void] = []
            for session in asked {
                guard var followed = sessions.removeValue(forKey: session) else { continue }
                let version = versions[session]
                let isChanged = version.map { $0 > followed.version ?? -1 } ?? (followed.version != nil)
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

/// Somebody who follows a session.
final class Subscription: JournalSubscription {
    private let followers: Followers
    private let session: SessionID

    init(_ followers: Followers, _ session: SessionID, _ changed: @escaping @Sendable () -> Void) {
        self.followers = followers
        self.session = session
        followers.add(self, to: session, changed)
    }

    deinit {
        followers.remove(ObjectIdentifier(self), from: session)
    }
}

/// Has the lane that follows look at once.
struct FollowJob: LaneJob {
    func refuse() {}
}

/// The work of the lane that follows: one question for all sessions, again and again, as long as somebody follows one.
struct FollowWork: Sendable {
    let followers: Followers

    func callAsFunction(_ link: inout Link) {
        let sessions = followers.all
        guard !sessions.isEmpty, link.connect() else { return }
        let question = Statements.follow { parameters in
            parameters.add(.text, sessions) { session, bytes in
                session.write(to: &bytes)
                return true
            }
        }
        guard let rows = try? link.ask(question) else { return }
        let versions = (0..<rows.count).map { (sessions[rows.int($0, 0) - 1], rows.int($0, 1)) }
        followers.learn(sessions, Dictionary(versions) { $1 })
    }
}

/// The time between two questions: more of it where they take long.
final class Pace: Sendable {
    private let pauseTime = Mutex(0.1)

    /// In seconds.
    var pause: Double { pauseTime.withLock { $0 } }

    func measure(_ body: () -> Void) {
        let duration = ContinuousClock().measure(body) / .seconds(1)
        pauseTime.withLock { $0 = min(2, max(0.1, 4 * duration)) }
    }
}
