internal import Coordinate
package import CoordinateSessions
internal import Synchronization

/// A clock that only a test moves.
package final class ManualClock: Sendable {
    private let seconds = Atomic(1_000)

    package init() {}

    package func advance(by seconds: Int) {
        self.seconds.wrappingAdd(seconds, ordering: .relaxed)
    }

    package var clock: SessionClock {
        SessionClock(
            uptime: { self.seconds.load(ordering: .relaxed) },
            // 2026-11-21T09:30:00Z
            timestamp: { Timestamp(seconds: 1_795_253_400 - 1_000 + self.seconds.load(ordering: .relaxed)) }
        )
    }
}
