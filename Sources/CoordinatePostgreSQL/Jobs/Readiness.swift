internal import Synchronization

/// The last time at which a probe could be committed. Probes that follow soon are not made, since anyone may request them.
final class Readiness: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether the last probe was at most half a second ago.
    var isRecent: Bool { last.withLock { $0.map { $0.duration(to: .now) < .milliseconds(500) } ?? false } }

    func note() { last.withLock { $0 = .now } }
}
