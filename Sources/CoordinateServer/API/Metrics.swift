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

    /// Counts an opened stream, or with a negative number a closed one.
    func countStream(_ change: Int) {
        streams.wrappingAdd(change, ordering: .relaxed)
    }

    func countRequest() {
        requests.wrappingAdd(1, ordering: .relaxed)
    }

    func countProblem() {
        problems.wrappingAdd(1, ordering: .relaxed)
    }

    /// Includes the load of a server in the metrics.
    func watch(_ server: HTTPServer) {
        load.withLock { $0 = { [weak server] in server?.load } }
    }

    /// - Parameters:
    ///   - memory: The budget for bytes held for clients.
    ///   - droppedLines: The number of log lines that were dropped because their reader was too slow.
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
            # HELP coordinate_sessions_passive Idle sessions without a tree. Only their events are kept.
            # TYPE coordinate_sessions_passive gauge
            coordinate_sessions_passive \(max(0, sessions.count - live))
            # HELP coordinate_sessions_quarantined_total Sessions quarantined because their replay differed, or because they crashed the process.
            # TYPE coordinate_sessions_quarantined_total counter
            coordinate_sessions_quarantined_total \(counters.quarantined)
            # HELP coordinate_wakings_seconds Sessions rebuilt from the journal, and the time that took.
            # TYPE coordinate_wakings_seconds summary
            coordinate_wakings_seconds_sum \(counters.wakingTime)
            coordinate_wakings_seconds_count \(counters.wakings)
            # HELP coordinate_journal_conflicts_total Appends that the journal refused because another append came first.
            # TYPE coordinate_journal_conflicts_total counter
            coordinate_journal_conflicts_total \(counters.conflicts)
            # HELP coordinate_journal_unknown_outcomes_total Appends with an unknown outcome.
            # TYPE coordinate_journal_unknown_outcomes_total counter
            coordinate_journal_unknown_outcomes_total \(counters.unknownOutcomes)
            # HELP coordinate_journal_commits_total Journal commits with at least one entry.
            # TYPE coordinate_journal_commits_total counter
            coordinate_journal_commits_total \(journal.commits)
            # HELP coordinate_journal_group_size Entries per journal commit.
            # TYPE coordinate_journal_group_size summary
            coordinate_journal_group_size_sum \(journal.entries)
            coordinate_journal_group_size_count \(journal.commits)
            # HELP coordinate_journal_commit_seconds Duration of journal commits.
            # TYPE coordinate_journal_commit_seconds summary
            coordinate_journal_commit_seconds_sum \(journal.commitTime)
            coordinate_journal_commit_seconds_count \(journal.commits)
            # HELP coordinate_journal_clock_offset_seconds Seconds by which the journal's clock is ahead of this machine's.
            # TYPE coordinate_journal_clock_offset_seconds gauge
            coordinate_journal_clock_offset_seconds \(sessions.host.journal.clockOffset)
            # HELP coordinate_work_running Background tasks running on this server.
            # TYPE coordinate_work_running gauge
            coordinate_work_running \(sessions.workScheduler.running)
            # HELP coordinate_work_begun_total Background tasks started on this server.
            # TYPE coordinate_work_begun_total counter
            coordinate_work_begun_total \(counters.works)
            # HELP coordinate_memory_bytes Approximate memory held for clients.
            # TYPE coordinate_memory_bytes gauge
            \(held.joined(separator: "\n"))
            # HELP coordinate_memory_limit_bytes Memory limit for clients. Requests beyond it are refused.
            # TYPE coordinate_memory_limit_bytes gauge
            coordinate_memory_limit_bytes \(memory.limit)
            # HELP coordinate_log_lines_dropped_total Log lines dropped because their reader was too slow.
            # TYPE coordinate_log_lines_dropped_total counter
            coordinate_log_lines_dropped_total \(droppedLines)
            # HELP coordinate_lane_jobs Replays and other long jobs running or waiting on the scheduler.
            # TYPE coordinate_lane_jobs gauge
            coordinate_lane_jobs \(host.scheduler.jobCount)
            # HELP coordinate_turn_seconds Turns, and the time the app spent in them.
            # TYPE coordinate_turn_seconds summary
            coordinate_turn_seconds_sum{app="\(Self.label(host.app.name))"} \(turns.sum)
            coordinate_turn_seconds_count{app="\(Self.label(host.app.name))"} \(turns.count)
            # HELP coordinate_build_info The version of the server.
            # TYPE coordinate_build_info gauge
            coordinate_build_info{version="\(API.version)"} 1
            # HELP coordinate_libmicrohttpd_info The version of libmicrohttpd that the server runs with.
            # TYPE coordinate_libmicrohttpd_info gauge
            coordinate_libmicrohttpd_info{version="\(HTTPServer.libraryVersion)"} 1
            # HELP coordinate_http_connections Open connections.
            # TYPE coordinate_http_connections gauge
            coordinate_http_connections \(load?.connections ?? 0)
            # HELP coordinate_http_requests_in_flight Requests in progress, including streams.
            # TYPE coordinate_http_requests_in_flight gauge
            coordinate_http_requests_in_flight \(load?.requests ?? 0)
            # HELP coordinate_http_workers Threads that serve clients.
            # TYPE coordinate_http_workers gauge
            coordinate_http_workers \(load?.workers ?? 0)
            # HELP coordinate_http_workers_busy Threads that are preparing a response.
            # TYPE coordinate_http_workers_busy gauge
            coordinate_http_workers_busy \(load?.busyWorkers ?? 0)
            # HELP coordinate_streams Open live streams.
            # TYPE coordinate_streams gauge
            coordinate_streams \(streams.load(ordering: .relaxed))
            # HELP coordinate_events_total Events accepted.
            # TYPE coordinate_events_total counter
            coordinate_events_total \(counters.handledEvents + unhandled)
            # HELP coordinate_events_unhandled_total Accepted events that no coordinator handled.
            # TYPE coordinate_events_unhandled_total counter
            coordinate_events_unhandled_total \(unhandled)
            # HELP coordinate_route_encodings_total Route documents encoded: one per version, and one when a session wakes.
            # TYPE coordinate_route_encodings_total counter
            coordinate_route_encodings_total \(counters.routeEncodings)
            # HELP coordinate_requests_total Well-formed requests.
            # TYPE coordinate_requests_total counter
            coordinate_requests_total \(requests.load(ordering: .relaxed))
            # HELP coordinate_problems_total Responses with problem details.
            # TYPE coordinate_problems_total counter
            coordinate_problems_total \(problems.load(ordering: .relaxed))

            """ + byRoute.text
    }

    /// A text, escaped as the value of a label.
    private static func label(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
