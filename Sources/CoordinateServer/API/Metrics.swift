internal import CoordinateSessions
internal import MicroHTTPD
internal import Synchronization

/// The counters of the server, as text for Prometheus (text format 0.0.4).
final class Metrics: Sendable {
    private let streams = Atomic(0)
    private let requests = Atomic(0)
    private let problems = Atomic(0)
    let byRoute = RequestMetrics()
    private let load = Mutex<(@Sendable () -> HTTPServer.Load?)?>(nil)

    /// Counts a stream that is opened, or with a negative number one that is over.
    func countStream(_ change: Int) {
        streams.wrappingAdd(change, ordering: .relaxed)
    }

    func countRequest() {
        requests.wrappingAdd(1, ordering: .relaxed)
    }

    func countProblem() {
        problems.wrappingAdd(1, ordering: .relaxed)
    }

    /// Reports the load of a server as well.
    func watch(_ server: HTTPServer) {
        load.withLock { $0 = { [weak server] in server?.load } }
    }

    /// - Parameters:
    ///   - memory: The budget of the bytes that are held for clients.
    ///   - droppedLines: The number of lines of the log that were dropped, as nobody read them in time.
    func text(_ sessions: SessionRegistry, memory: MemoryBudget, droppedLines: Int) -> String {
        let host = sessions.host
        let (counters, journal, turns) = (host.counters, host.journal.statistics, host.app.turnTimes)
        let load = load.withLock { $0 }?()
        let held = MemoryBudget.Kind.allCases.map { kind in
            "coordinate_memory_bytes{kind=\"\(kind)\"} \(memory.bytes(of: kind))"
        }
        let live = counters.trees
        let unhandled = counters.unhandledEvents
        return """
            # HELP coordinate_sessions Sessions live in memory, with their trees.
            # TYPE coordinate_sessions gauge
            coordinate_sessions \(live)
            # HELP coordinate_sessions_passive Idle sessions of which only the events are kept.
            # TYPE coordinate_sessions_passive gauge
            coordinate_sessions_passive \(max(0, sessions.count - live))
            # HELP coordinate_sessions_quarantined_total Sessions that did not replay as they were recorded, or ended the process.
            # TYPE coordinate_sessions_quarantined_total counter
            coordinate_sessions_quarantined_total \(counters.quarantined)
            # HELP coordinate_wakings_seconds Trees made again from the journal, and how long that took.
            # TYPE coordinate_wakings_seconds summary
            coordinate_wakings_seconds_sum \(counters.wakingTime)
            coordinate_wakings_seconds_count \(counters.wakings)
            # HELP coordinate_journal_conflicts_total Changes that the journal refused, as others had been quicker.
            # TYPE coordinate_journal_conflicts_total counter
            coordinate_journal_conflicts_total \(counters.conflicts)
            # HELP coordinate_journal_unknown_outcomes_total Changes of which the journal did not say whether it has them.
            # TYPE coordinate_journal_unknown_outcomes_total counter
            coordinate_journal_unknown_outcomes_total \(counters.unknownOutcomes)
            # HELP coordinate_journal_commits_total Commits of the journal that had entries in them.
            # TYPE coordinate_journal_commits_total counter
            coordinate_journal_commits_total \(journal.commits)
            # HELP coordinate_journal_group_size Entries that were committed together.
            # TYPE coordinate_journal_group_size summary
            coordinate_journal_group_size_sum \(journal.entries)
            coordinate_journal_group_size_count \(journal.commits)
            # HELP coordinate_journal_commit_seconds The time that those commits took.
            # TYPE coordinate_journal_commit_seconds summary
            coordinate_journal_commit_seconds_sum \(journal.commitTime)
            coordinate_journal_commit_seconds_count \(journal.commits)
            # HELP coordinate_journal_clock_offset_seconds Seconds by which the clock of the journal is ahead of this machine's.
            # TYPE coordinate_journal_clock_offset_seconds gauge
            coordinate_journal_clock_offset_seconds \(sessions.host.journal.clockOffset)
            # HELP coordinate_work_running Pieces of work under way here.
            # TYPE coordinate_work_running gauge
            coordinate_work_running \(sessions.caretaker.running)
            # HELP coordinate_work_begun_total Pieces of work that were begun here.
            # TYPE coordinate_work_begun_total counter
            coordinate_work_begun_total \(counters.works)
            # HELP coordinate_memory_bytes What is held in memory for clients, more or less.
            # TYPE coordinate_memory_bytes gauge
            \(held.joined(separator: "\n"))
            # HELP coordinate_memory_limit_bytes How much that may be before what would take more is refused.
            # TYPE coordinate_memory_limit_bytes gauge
            coordinate_memory_limit_bytes \(memory.limit)
            # HELP coordinate_log_lines_dropped_total Lines of the log that were dropped, as nobody read them in time.
            # TYPE coordinate_log_lines_dropped_total counter
            coordinate_log_lines_dropped_total \(droppedLines)
            # HELP coordinate_lane_jobs Replays and other long jobs under way on the lanes, or waiting for one.
            # TYPE coordinate_lane_jobs gauge
            coordinate_lane_jobs \(host.lanes.jobCount)
            # HELP coordinate_turn_seconds Turns of events, and the time the app was at work in them.
            # TYPE coordinate_turn_seconds summary
            coordinate_turn_seconds_sum{app="\(Self.label(host.app.name))"} \(turns.sum)
            coordinate_turn_seconds_count{app="\(Self.label(host.app.name))"} \(turns.count)
            # HELP coordinate_libmicrohttpd_info The version of libmicrohttpd that the server runs with.
            # TYPE coordinate_libmicrohttpd_info gauge
            coordinate_libmicrohttpd_info{version="\(HTTPServer.libraryVersion)"} 1
            # HELP coordinate_http_connections Open connections.
            # TYPE coordinate_http_connections gauge
            coordinate_http_connections \(load?.connections ?? 0)
            # HELP coordinate_http_requests_in_flight Requests that have begun and are not answered to the last byte, streams among them.
            # TYPE coordinate_http_requests_in_flight gauge
            coordinate_http_requests_in_flight \(load?.requests ?? 0)
            # HELP coordinate_http_workers Threads that serve clients.
            # TYPE coordinate_http_workers gauge
            coordinate_http_workers \(load?.workers ?? 0)
            # HELP coordinate_http_workers_busy Threads that are making a response.
            # TYPE coordinate_http_workers_busy gauge
            coordinate_http_workers_busy \(load?.busyWorkers ?? 0)
            # HELP coordinate_streams Live streams that are open.
            # TYPE coordinate_streams gauge
            coordinate_streams \(streams.load(ordering: .relaxed))
            # HELP coordinate_events_total Events accepted.
            # TYPE coordinate_events_total counter
            coordinate_events_total \(counters.handledEvents + unhandled)
            # HELP coordinate_events_unhandled_total Events accepted that nobody handled.
            # TYPE coordinate_events_unhandled_total counter
            coordinate_events_unhandled_total \(unhandled)
            # HELP coordinate_route_encodings_total Route documents encoded: one a version, and one when a session wakes.
            # TYPE coordinate_route_encodings_total counter
            coordinate_route_encodings_total \(counters.routeEncodings)
            # HELP coordinate_requests_total Requests that were well-formed.
            # TYPE coordinate_requests_total counter
            coordinate_requests_total \(requests.load(ordering: .relaxed))
            # HELP coordinate_problems_total Answers that were problem details.
            # TYPE coordinate_problems_total counter
            coordinate_problems_total \(problems.load(ordering: .relaxed))

            """ + byRoute.text
    }

    /// A text as the value of a label.
    private static func label(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
