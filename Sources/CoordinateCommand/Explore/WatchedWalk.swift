internal import Foundation
internal import Synchronization

/// A walk that a person watches on a terminal, and that a time limit or Ctrl-C ends.
final class WatchedWalk: Sendable {
    private let deadline: ContinuousClock.Instant?
    private let interrupted = Atomic(false)

    /// - Parameter seconds: The longest time of the walk from now; `nil` for any.
    init(seconds: Int?) {
        deadline = seconds.map { .now + .seconds($0) }
    }

    /// Waits for SIGINT, until it is cancelled: the first one ends the walk, and a second one the process.
    func awaitInterruption() -> Interruption {
        Interruption(by: [SIGINT]) { [self] _ in interrupted.store(true, ordering: .relaxed) }
    }

    /// Whether a SIGINT has ended the walk.
    var isInterrupted: Bool { interrupted.load(ordering: .relaxed) }

    /// Whether there is time for another move.
    @Sendable func mayContinue() -> Bool {
        !isInterrupted && deadline.map { .now < $0 } ?? true
    }

    /// Shows the progress.
    @Sendable func show(states: Int, queued: Int) {
        TerminalLine.show("\(states) states found, \(queued) queued")
    }
}
