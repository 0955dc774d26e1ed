internal import Synchronization

/// The number of sessions, as far as this server knows.
final class SessionTotal: Sendable {
    private let value = Atomic(0)
    /// The moment at which it was last asked for, in milliseconds since ``origin``.
    private let lastQuestion = Atomic(0)
    private let origin = ContinuousClock.now

    /// The time, in milliseconds, for which the number is considered up to date.
    private static let freshness = 1_000

    var count: Int { value.load(ordering: .relaxed) }

    func note(_ count: Int) {
        value.store(count, ordering: .relaxed)
    }

    /// Returns true where it is time to ask PostgreSQL for the number again: to one caller, which then asks, and to no
    /// other for a while.
    func isOverdue() -> Bool {
        let now = Int(origin.duration(to: .now) / .milliseconds(1))
        let last = lastQuestion.load(ordering: .relaxed)
        guard now - last >= Self.freshness else { return false }
        return lastQuestion.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    }
}
