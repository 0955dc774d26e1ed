package import CoordinateSessions
internal import Synchronization

/// A follower that keeps its notifications.
package final class CountingFollower: SessionFollower {
    private struct State {
        var versions: [Int] = []
        var hasEnded = false
        var wasLeft = false
    }

    private let state = Mutex(State())
    private let stays: Bool

    /// - Parameter stays: Whether its client is still there at the first notification.
    package init(stays: Bool = true) { self.stays = stays }

    /// The versions of its notifications, in order.
    package var versions: [Int] { state.withLock { $0.versions } }
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }
    package var wasLeft: Bool { state.withLock { $0.wasLeft } }

    package func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        state.withLock { $0.versions.append(version) }
        return stays
    }

    package func didEnd() { state.withLock { $0.hasEnded = true } }

    package func wasReleased() { state.withLock { $0.wasLeft = true } }
}
