internal import Synchronization

/// How many sessions there are, as far as this server knows.
final class SessionTotal: Sendable {
    private let value = Atomic(0)
    /// When it was asked for last, in milliseconds since ``origin``.
    private let lastQuestion = Atomic(0)
    private let origin = ContinuousClock.now

    /// For how long it is taken for granted.
    private static let freshness = 1_000

    var count: Int { value.load(ordering: .relaxed) }

    func note(_ count: Int) {
        value.store(count, ordering: .relaxed)
    }

    /// Whether it is time to ask for it again. Then whoever was told so does that, and nobody else for a while.
    func isOverdue() -> Bool {
        let now = Int(origin.duration(to: .now) / .milliseconds(1))
        let last = lastQuestion.load(ordering: .relaxed)
        guard now - last >= Self.freshness else { return false }
        return lastQuestion.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    }
}
