internal import Synchronization

/// What is counted, and how Prometheus reads it (text format 0.0.4).
final class Metrics: Sendable {
    private let trees = Atomic(0)
    private let streams = Atomic(0)
    private let handledEvents = Atomic(0)
    private let unhandledEvents = Atomic(0)
    private let routeEncodings = Atomic(0)
    private let requests = Atomic(0)
    private let problems = Atomic(0)

    func countEvent(isHandled: Bool) {
        if isHandled {
            handledEvents.wrappingAdd(1, ordering: .relaxed)
        } else {
            unhandledEvents.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Counts trees that are made, and with a negative number those that are dropped.
    func countTree(_ change: Int) {
        trees.wrappingAdd(change, ordering: .relaxed)
    }

    /// Counts streams that are opened, and with a negative number those that are over.
    func countStream(_ change: Int) {
        streams.wrappingAdd(change, ordering: .relaxed)
    }

    func countRouteEncoding() {
        routeEncodings.wrappingAdd(1, ordering: .relaxed)
    }

    func countRequest() {
        requests.wrappingAdd(1, ordering: .relaxed)
    }

    func countProblem() {
        problems.wrappingAdd(1, ordering: .relaxed)
    }

    /// - Parameter sessions: How many sessions there are.
    func text(sessions: Int) -> String {
        let live = trees.load(ordering: .relaxed)
        let handled = handledEvents.load(ordering: .relaxed)
        let unhandled = unhandledEvents.load(ordering: .relaxed)
        return """
            # HELP coordinate_sessions Sessions live in memory, with their trees.
            # TYPE coordinate_sessions gauge
            coordinate_sessions \(live)
            # HELP coordinate_sessions_passive Idle sessions of which only the events are kept.
            # TYPE coordinate_sessions_passive gauge
            coordinate_sessions_passive \(max(0, sessions - live))
            # HELP coordinate_streams Live streams that are open.
            # TYPE coordinate_streams gauge
            coordinate_streams \(streams.load(ordering: .relaxed))
            # HELP coordinate_events_total Events accepted.
            # TYPE coordinate_events_total counter
            coordinate_events_total \(handled + unhandled)
            # HELP coordinate_events_unhandled_total Events accepted that nobody handled.
            # TYPE coordinate_events_unhandled_total counter
            coordinate_events_unhandled_total \(unhandled)
            # HELP coordinate_route_encodings_total Route documents encoded: one a version, and one when a session wakes.
            # TYPE coordinate_route_encodings_total counter
            coordinate_route_encodings_total \(routeEncodings.load(ordering: .relaxed))
            # HELP coordinate_requests_total Requests that were well-formed.
            # TYPE coordinate_requests_total counter
            coordinate_requests_total \(requests.load(ordering: .relaxed))
            # HELP coordinate_problems_total Answers that were problem details.
            # TYPE coordinate_problems_total counter
            coordinate_problems_total \(problems.load(ordering: .relaxed))

            """
    }
}
