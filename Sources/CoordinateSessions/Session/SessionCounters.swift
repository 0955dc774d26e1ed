internal import Synchronization

/// The counters of a server's sessions.
package final class SessionCounters: Sendable {
    private let liveTrees = Atomic(0)
    private let handled = Atomic(0)
    private let unhandled = Atomic(0)
    private let encodings = Atomic(0)
    private let quarantines = Atomic(0)
    private let rebuiltTrees = Atomic(0)
    private let wakingNanoseconds = Atomic(0)
    private let journalConflicts = Atomic(0)
    private let unknowns = Atomic(0)

    private let worksBegun = Atomic(0)

    package init() {}

    /// The number of sessions that have a tree.
    package var trees: Int { liveTrees.load(ordering: .relaxed) }
    /// The number of events accepted here that a coordinator handled; then the number of those that none did.
    package var handledEvents: Int { handled.load(ordering: .relaxed) }
    package var unhandledEvents: Int { unhandled.load(ordering: .relaxed) }
    /// The number of routes encoded: one per version, and one when a session wakes.
    package var routeEncodings: Int { encodings.load(ordering: .relaxed) }
    /// The number of sessions that did not replay as they were recorded, or crashed the process.
    package var quarantined: Int { quarantines.load(ordering: .relaxed) }
    /// The number of trees rebuilt from the journal.
    package var wakings: Int { rebuiltTrees.load(ordering: .relaxed) }
    /// The total time of that, in seconds: from when each tree was needed until it was ready.
    package var wakingTime: Double { Double(wakingNanoseconds.load(ordering: .relaxed)) / 1e9 }
    /// The number of pieces of work that were begun.
    package var works: Int { worksBegun.load(ordering: .relaxed) }
    /// The number of times that the journal had another version than expected.
    package var conflicts: Int { journalConflicts.load(ordering: .relaxed) }
    /// Appends with an unknown outcome.
    package var unknownOutcomes: Int { unknowns.load(ordering: .relaxed) }

    func countTree(_ change: Int) {
        liveTrees.wrappingAdd(change, ordering: .relaxed)
    }

    func countEvent(isHandled: Bool) {
        if isHandled {
            handled.wrappingAdd(1, ordering: .relaxed)
        } else {
            unhandled.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func countRouteEncoding() {
        encodings.wrappingAdd(1, ordering: .relaxed)
    }

    func countQuarantine() {
        quarantines.wrappingAdd(1, ordering: .relaxed)
    }

    func countWork() {
        worksBegun.wrappingAdd(1, ordering: .relaxed)
    }

    func countWaking(_ time: Duration) {
        wakingNanoseconds.wrappingAdd(Int(time / .nanoseconds(1)), ordering: .relaxed)
        rebuiltTrees.wrappingAdd(1, ordering: .relaxed)
    }

    /// Counts the journal's result of a change.
    func countAnswer(_ answer: Result<Void, JournalError>) {
        switch answer {
        case .failure(.conflict): journalConflicts.wrappingAdd(1, ordering: .relaxed)
        case .failure(.outcomeUnknown): unknowns.wrappingAdd(1, ordering: .relaxed)
        default: break
        }
    }
}
