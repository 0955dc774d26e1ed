internal import Synchronization

/// What is counted of sessions.
package final class SessionCounters: Sendable {
    private let liveTrees = Atomic(0)
    private let handled = Atomic(0)
    private let unhandled = Atomic(0)
    private let encodings = Atomic(0)
    private let quarantines = Atomic(0)

    package init() {}

    /// The sessions that have a tree.
    package var trees: Int { liveTrees.load(ordering: .relaxed) }
    /// Events accepted here that somebody handled, and that nobody did.
    package var handledEvents: Int { handled.load(ordering: .relaxed) }
    package var unhandledEvents: Int { unhandled.load(ordering: .relaxed) }
    /// Routes encoded: one a version, and one when a session wakes.
    package var routeEncodings: Int { encodings.load(ordering: .relaxed) }
    /// Sessions that turned out not to replay as they were recorded.
    package var quarantined: Int { quarantines.load(ordering: .relaxed) }

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
}
