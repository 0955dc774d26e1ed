/// A short time in which part of a long work is done. Whoever works looks at it often, and stops where it can go on later.
package struct WorkSlice: Sendable {
    /// Tells the time: one that never jumps, or a test's own.
    package typealias Clock = @Sendable () -> ContinuousClock.Instant

    let start: ContinuousClock.Instant
    private let end: ContinuousClock.Instant
    private let clock: Clock

    init(of length: Duration, by clock: @escaping Clock) {
        self.clock = clock
        start = clock()
        end = start + length
    }

    package var isOver: Bool { clock() >= end }

    /// The time that it has taken up to now.
    var elapsed: Duration { start.duration(to: clock()) }
}
