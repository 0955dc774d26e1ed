internal import ArgumentParser
internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Glibc

struct DeployCheck<Arguments: DataArguments>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "deploy-check",
            abstract: "Says which sessions of a store this version of \(HostProgram.current.title) would quarantine.",
            discussion: """
                Run it with a new version of the app before you deploy it. It wakes the sessions of the store as a \
                server does, in processes of its own, one per core, since an app can crash them. The store is only \
                read, and may be in use.

                Sessions with a problem are grouped by the first event that differs and by what differs: handled, \
                handledBy, path, an unknown event, coordinator or path, an invalid payload, a refused event, a crash \
                or a turn that does not end, or a failure. Each group has the number of its sessions and one journal: \
                session, version, and the outcome as recorded and now. After 100 crashes the check stops.

                Exit status: 0 if no session would be quarantined; 1 if any would, or would crash the server; 64 for \
                a wrong option; 69 for a store that cannot be reached, or an output that cannot be written; 78 for a \
                wrong setting, an app with faults, or a store or a session that cannot be read.
                """
        )
    }

    @Argument(help: ArgumentHelp(HostProgram.current.stores.storeHelp(), valueName: "store"))
    var store: String

    @Option(
        help: ArgumentHelp(
            "Try this many sessions, chosen by their random ids, the same in each run (default: all).",
            valueName: "sessions"))
    var sample: Int?

    @Option(help: "The format of the report: text or json.")
    var format = DeployCheckReport.Format.text

    @OptionGroup var app: AppOptions<Arguments>

    /// Whether this process is one of those that replay the sessions.
    @Flag(help: .hidden)
    var worker = false

    /// Whether the worker writes each turn.
    @Flag(help: .hidden)
    var trace = false

    /// The number of sessions of which a process knows at a time.
    private static var batchSize: Int { 32 }
    /// The number of crashes after which the check stops: each costs two processes.
    private static var maximumCrashes: Int { 100 }

    func validate() throws {
        try HostProgram.current.stores.validate(store)
        if let sample, sample < 1 { throw ValidationError("--sample is \(sample), but must be at least 1.") }
    }

    func run() async throws {
        // A worker may end before it has read everything.
        _ = signal(SIGPIPE, SIG_IGN)
        let output = worker ? TrialOutput() : nil
        try await ExitCode.reportingErrors {
            let (settings, app) = try await app.load()
            let journal = try HostProgram.current.stores.address(store).openForReading()
            defer { journal.close() }
            if let output { return try await TrialWorker(app, in: journal, output, isTraced: trace).run() }
            var report = DeployCheckReport(of: app.name, app.version, policy: settings.server.onChange)
            try await check(journal, for: &report)
            try ExitCode.write(Data(report.text(as: format).utf8))
            if report.exitCode != .success { throw report.exitCode }
        }
    }

    /// Replays the sessions of a store, in a process per core.
    private nonisolated(nonsending) func check(
        _ store: any Journal, for report: inout DeployCheckReport
    ) async throws {
        let count = max(1, ProcessInfo.processInfo.activeProcessorCount)
        let lanes = (0..<count).map { _ in TrialLane(arguments: workerArguments) }
        var idle = lanes
        var query = SessionQuery(app: report.app, limit: 0, order: .id)
        var remaining = sample ?? .max
        typealias Done = (lane: TrialLane, results: [(session: SessionID, result: TrialResult)])
        try await withThrowingTaskGroup(of: Done.self) { group in
            repeat {
                query.limit = min(remaining, Self.batchSize)
                let page = try await reading { [query] in try await store.list(query) }
                let sessions = page.sessions.map(\.record.id)
                query.after = page.next
                remaining -= sessions.count
                if idle.isEmpty, let done = try await group.next() {
                    report.record(done.results)
                    idle.append(done.lane)
                }
                if report.crashes >= Self.maximumCrashes {
                    report.isComplete = sessions.isEmpty
                    break
                }
                let lane = idle.removeLast()
                group.addTask { (lane, try await lane.results(of: sessions)) }
            } while query.after != nil && remaining > 0
            for try await done in group { report.record(done.results) }
        }
        for lane in lanes { await lane.finish() }
    }

    private var workerArguments: [String] {
        let options = [("--config", app.config), ("--app-data", app.data.path)].flatMap { name, value in
            value.map { [name, $0] } ?? []
        }
        return ["deploy-check", store, "--worker"] + options
    }
}
