/// Somebody who is told of every version of a session, in order, none missing.
///
/// All is told under the session's lock: it must be quick, wait for nothing, and ask the session for nothing.
package protocol SessionFollower: AnyObject, Sendable {
    /// A version was committed. Returns whether it wants to be told of the next one, too.
    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool
    /// The session has ended: nothing follows.
    func didEnd()
    /// Nothing more is told, though the session may go on: whoever wants to know comes back.
    func wasLetGo()
}

/// Those who follow one session.
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

    /// Tells all of them that there is nothing more, and why.
    mutating func letGo(hasEnded: Bool) {
        for follower in followers.values {
            if hasEnded { follower.didEnd() } else { follower.wasLetGo() }
        }
        followers = [:]
    }
}

/// What a follower of a session is removed by.
package struct FollowerID: Hashable, Sendable {
    fileprivate let number: Int
}
