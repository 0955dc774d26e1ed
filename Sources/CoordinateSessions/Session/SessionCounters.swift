internal import Synchronization

/// What is counted of sessions.
package final class SessionCounters: Sendable {
    private let liveTrees = Atomic(0)
    private let handled = Atomic(0)
    private let unhandled = Atomic(0)
    private let encodings = Atomic(0)
    private let quarantines = Atomic(0)
    private let treesMadeAgain = Atomic(0)
    private let wakingNanoseconds = Atomic(0)
    private let journalConflicts = Atomic(0)
    private let unknowns = Atomic(0)

    private let worksBegun = Atomic(0)

    package init() {}

    /// The sessions that have a tree.
    package var trees: Int { liveTrees.load(ordering: .relaxed) }
    /// Events accepted here that somebody handled, and that nobody did.
    package var handledEvents: Int { handled.load(ordering: .relaxed) }
    package var unhandledEvents: Int { unhandled.load(ordering: .relaxed) }
    /// Routes encoded: one a version, and one when a session wakes.
    package var routeEncodings: Int { encodings.load(ordering: .relaxed) }
    /// Sessions that turned out not to replay as they were recorded, or to end the process.
    package var quarantined: Int { quarantines.load(ordering: .relaxed) }
    /// Trees made again from the journal.
    package var wakings: Int { treesMadeAgain.load(ordering: .relaxed) }
    /// How long that took in all, in seconds: from when the tree was needed until it was there.
    package var wakingTime: Double { Double(wakingNanoseconds.load(ordering: .relaxed)) / 1e9 }
    /// Pieces of work that were begun.
    package var works: Int { worksBegun.load(ordering: .relaxed) }
    /// How often the journal had another version than was expected.
    package var conflicts: Int { journalConflicts.load(ordering: .relaxed) }
    /// How often the journal did not say whether it did as it was asked.
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
        treesMadeAgain.wrappingAdd(1, ordering: .relaxed)
    }

    /// Notes what the journal said when it was asked to change something.
    func countAnswer(_ answer: Result<Void, JournalError>) {
        switch answer {
        case .failure(.conflict): journalConflicts.wrappingAdd(1, ordering: .relaxed)
        case .failure(.outcomeUnknown): unknowns.wrappingAdd(1, ordering: .relaxed)
        default: break
        }
    }
}
