/// An object that is notified of every version of a session, in order, none missing: a live stream, for instance.
///
/// Its methods are called under the session's lock: they must be quick, must not wait, and must not call the session.
package protocol SessionFollower: AnyObject, Sendable {
    /// Notifies it of a committed version. Returns true where it wants the next one, too.
    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool
    /// The session has ended: nothing follows.
    func didEnd()
    /// Nothing more is reported, though the session may go on: its client has to come back.
    func wasLetGo()
}

/// The followers of one session.
struct Followers: Sendable {
    private var followers: [FollowerID: any SessionFollower] = [:]
    private var lastID = 0

    var isEmpty: Bool { followers.isEmpty }

    mutating func add(_ follower: any SessionFollower) -> FollowerID {
        lastID += 1
        followers[FollowerID(number: lastID)] = follower
        return FollowerID(number: lastID)
    }

    mutating func remove(_ id: FollowerID) {
        followers[id] = nil
    }

    mutating func tell(_ version: Int, _ route: any EncodedRoute) {
        for (id, follower) in followers where !follower.didCommit(version, route) { followers[id] = nil }
    }

    /// Tells all followers that there is nothing more, and whether the session has ended.
    mutating func letGo(hasEnded: Bool) {
        for follower in followers.values {
            if hasEnded { follower.didEnd() } else { follower.wasLetGo() }
        }
        followers = [:]
    }
}

/// The number by which a follower of a session is removed.
package struct FollowerID: Hashable, Sendable {
    fileprivate let number: Int
}
