/// An object that is notified of every version of a session, in order and without gaps, such as a live stream.
///
/// The session calls its methods with its lock held: they must be quick, must not wait, and must not call the session.
package protocol SessionFollower: AnyObject, Sendable {
    /// Notifies the follower of a committed version. Returns whether it wants the next one.
    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool
    /// The session has ended. No more calls follow.
    func didEnd()
    /// No more versions are reported, though the session may continue. The client must connect again.
    func wasReleased()
}

/// The followers of one session.
struct Followers: Sendable {
    private var followers: [FollowerID: any SessionFollower] = [:]
    private var lastID = 0

    var isEmpty: Bool { followers.isEmpty }

    mutating func insert(_ follower: any SessionFollower) -> FollowerID {
        lastID += 1
        followers[FollowerID(number: lastID)] = follower
        return FollowerID(number: lastID)
    }

    mutating func remove(_ id: FollowerID) {
        followers[id] = nil
    }

    mutating func notify(of version: Int, _ route: any EncodedRoute) {
        for (id, follower) in followers where !follower.didCommit(version, route) { followers[id] = nil }
    }

    /// Notifies all followers that nothing follows, and whether the session has ended.
    mutating func release(hasEnded: Bool) {
        for follower in followers.values {
            if hasEnded { follower.didEnd() } else { follower.wasReleased() }
        }
        followers = [:]
    }
}

extension Session {
    /// The followers of a session, and the subscription to other servers' changes while there are any.
    struct Following {
        var followers = Followers()
        var subscription: (any JournalSubscription)?
    }
}

/// The number by which a follower of a session is removed.
package struct FollowerID: Hashable, Sendable {
    fileprivate let number: Int
}
