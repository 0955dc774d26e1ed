internal import CoordinateSessions
internal import MicroHTTPD
internal import Synchronization

/// The counters of the server.
final class Metrics: Sendable {
    private let streams = Atomic(0)
    private let requests = Atomic(0)
    private let problems = Atomic(0)
    let byRoute: RequestMetrics
    private let eventLog = Mutex<EventLog?>(nil)
    private let load = Mutex<(@Sendable () -> HTTPServer.Load?)?>(nil)

    init(of endpoints: [Endpoint]) {
        byRoute = RequestMetrics(of: endpoints)
    }

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

    /// Includes the dropped lines of a log in the metrics.
    func watch(_ log: EventLog?) {
        eventLog.withLock { $0 = log }
    }

    /// The metrics as text for Prometheus (text format 0.0.4).
    func text(of current: [Metric]) -> String {
        current.map(\.text).joined() + byRoute.text
    }

    /// The metrics as they are now, apart from those of requests.
    ///
    /// - Parameters:
    ///   - memory: The budget for bytes held for clients.
    ///   - droppedLines: The number of log lines that were dropped because their reader was too slow.
    func current(_ sessions: SessionRegistry, memory: MemoryBudget, droppedLines: Int) -> [Metric] {
        let host = sessions.host
        let (counters, journal, turns) = (host.counters, host.journal.statistics, host.app.turnTimes)
        let load = load.withLock { $0 }?()
        let live = counters.trees
        let unhandled = counters.unhandledEvents
        let held = "coordinate_memory_bytes"
        return [
            Metric("coordinate_sessions", .gauge, "Sessions live in memory, with their trees.", .whole(live)),
            Metric(
                "coordinate_sessions_passive", .gauge, "Idle sessions without a tree. Only their events are kept.",
                .whole(max(0, sessions.count - live))),
            Metric(
                "coordinate_sessions_quarantined_total", .counter,
                "Sessions quarantined because their replay differed, or because they crashed the process.",
                .whole(counters.quarantined)),
            .summary(
                "coordinate_wakings_seconds", "Sessions rebuilt from the journal, and the time that took.",
                sum: .fraction(counters.wakingTime), count: counters.wakings),
            Metric(
                "coordinate_journal_conflicts_total", .counter,
                "Appends that the journal refused because another append came first.", .whole(counters.conflicts)),
            Metric(
                "coordinate_journal_unknown_outcomes_total", .counter, "Appends with an unknown outcome.",
                .whole(counters.unknownOutcomes)),
            Metric(
                "coordinate_journal_commits_total", .counter, "Journal commits with at least one entry.",
                .whole(journal.commits)),
            .summary(
                "coordinate_journal_group_size", "Entries per journal commit.", sum: .whole(journal.entries),
                count: journal.commits),
            .summary(
                "coordinate_journal_commit_seconds", "Duration of journal commits.", sum: .fraction(journal.commitTime),
                count: journal.commits),
            Metric(
                "coordinate_journal_clock_offset_seconds", .gauge,
                "Seconds by which the journal's clock is ahead of this machine's.",
                .whole(sessions.host.journal.clockOffset)),
            Metric(
                "coordinate_work_running", .gauge, "Background tasks running on this server.",
                .whole(sessions.workScheduler.running)),
            Metric(
                "coordinate_work_begun_total", .counter, "Background tasks started on this server.",
                .whole(counters.works)),
            Metric(
                held, .gauge, "Approximate memory held for clients.",
                MemoryBudget.Kind.allCases.map { kind in
                    .init(name: held, labels: [("kind", "\(kind)")], number: .whole(memory.bytes(of: kind)))
                }),
            Metric(
                "coordinate_memory_limit_bytes", .gauge, "Memory limit for clients. Requests beyond it are refused.",
                .whole(memory.limit)),
            Metric(
                "coordinate_log_lines_dropped_total", .counter, "Log lines dropped because their reader was too slow.",
                .whole(droppedLines)),
            Metric(
                "coordinate_event_log_dropped_total", .counter,
                "Events missing in the event log because it could not be written in time.",
                .whole(eventLog.withLock { $0?.droppedCount } ?? 0)),
            Metric(
                "coordinate_lane_jobs", .gauge, "Replays and other long jobs running or waiting on the scheduler.",
                .whole(host.scheduler.jobCount)),
            .summary(
                "coordinate_turn_seconds", "Turns, and the time the app spent in them.", sum: .fraction(turns.sum),
                count: turns.count, [("app", host.app.name)]),
            Metric(
                "coordinate_build_info", .gauge, "The version of the server.", .whole(1), [("version", API.version)]),
            Metric(
                "coordinate_libmicrohttpd_info", .gauge, "The version of libmicrohttpd that the server runs with.",
                .whole(1), [("version", HTTPServer.libraryVersion)]),
            Metric("coordinate_http_connections", .gauge, "Open connections.", .whole(load?.connections ?? 0)),
            Metric(
                "coordinate_http_requests_in_flight", .gauge, "Requests in progress, including streams.",
                .whole(load?.requests ?? 0)),
            Metric("coordinate_http_workers", .gauge, "Threads that serve clients.", .whole(load?.workers ?? 0)),
            Metric(
                "coordinate_http_workers_busy", .gauge, "Threads that are preparing a response.",
                .whole(load?.busyWorkers ?? 0)),
            Metric("coordinate_streams", .gauge, "Open live streams.", .whole(streams.load(ordering: .relaxed))),
            Metric("coordinate_events_total", .counter, "Events accepted.", .whole(counters.handledEvents + unhandled)),
            Metric(
                "coordinate_events_unhandled_total", .counter, "Accepted events that no coordinator handled.",
                .whole(unhandled)),
            Metric(
                "coordinate_route_encodings_total", .counter,
                "Route documents encoded: one per version, and one when a session wakes.",
                .whole(counters.routeEncodings)),
            Metric(
                "coordinate_requests_total", .counter, "Well-formed requests.",
                .whole(requests.load(ordering: .relaxed))),
            Metric(
                "coordinate_problems_total", .counter, "Responses with problem details.",
                .whole(problems.load(ordering: .relaxed))),
        ]
    }
}
