/// The place of a turn in its session's history: its version, its time, and what its random numbers are made from.
package struct TurnMoment: Equatable, Sendable {
    package var version: Int
    package var now: Timestamp
    package var seed: UInt64

    package init(version: Int, now: Timestamp, seed: UInt64) {
        self.version = version
        self.now = now
        self.seed = seed
    }
}
