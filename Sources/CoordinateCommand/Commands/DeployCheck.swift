internal import ArgumentParser
internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Glibc

struct DeployCheck: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "deploy-check",
            abstract: "Says which sessions of a store would not survive this version of \(HostProgram.current.title).",
            discussion: """
                Run it with a new version of the app before you deploy it. It wakes the sessions of the store as a \
                server does, in processes of its own, one per core, since an app can crash them. The store is only \
                read, and may be in use.

                By itself, it finds the sessions that would be quarantined, grouped by the first event that differs \
                and by what differs: handled, handledBy, path, an unknown event, coordinator or path, an invalid \
                payload, a refused event, a crash or a turn that does not end, or a failure. After 100 crashes it \
                stops.

                To find the sessions that lose something, record with the version in use what each session shows and \
                offers, and compare with the new one:

                  old-server deploy-check STORE --record before.places
                  new-server deploy-check STORE --against before.places

                Lost is another path, screen, style or status, a row, an offered event, an input, or pending work \
                that is gone, another parked link, and another fact of the app. Texts and values may change, unless \
                you add --strict. What the app's migration renames is not lost. Sessions that began after the \
                recording are only replayed. The file contains ids of sessions and what their users see: keep it like \
                the store.

                Each group has the number of its sessions, and one session as an example. On a terminal, a line shows \
                the progress.

                Exit status: 0 if no session would be quarantined or lose something; 1 if any would; 64 for a wrong \
                option; 69 for a store that cannot be reached, or an output that cannot be written; 78 for a wrong \
                setting or file, an app with faults, or a store or a session that cannot be read. Recording ends with \
                0 also if sessions cannot be replayed, which it lists.
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

    @Option(help: ArgumentHelp("Write what each session shows and offers to this file.", valueName: "file"))
    var record: String?

    @Option(help: ArgumentHelp("Compare the sessions with this file, written by --record.", valueName: "file"))
    var against: String?

    @Flag(help: "With --against: texts and values that change are failures, too.")
    var strict = false

    @Option(help: "The format of the report: text or json.")
    var format = DeployCheckReport.Format.text

    @OptionGroup var app: AppOptions

    /// Whether this process is one of those that replay the sessions.
    @Flag(help: .hidden)
    var worker = false

    /// Whether the worker writes each turn.
    @Flag(help: .hidden)
    var trace = false

    /// The number of crashes after which the check stops: each costs two processes.
    private static var maximumCrashes: Int { 100 }

    func validate() throws {
        try HostProgram.current.stores.validate(store)
        if let sample, sample < 1 { throw ValidationError("--sample is \(sample), but must be at least 1.") }
        if record != nil, against != nil {
            throw ValidationError("Use --record with the old version of the app, and --against with the new one.")
        }
        if record?.isEmpty == true { throw ValidationError("--record needs the name of a file.") }
        if strict, against == nil { throw ValidationError("--strict needs --against.") }
    }

    func run() async throws {
        // A worker may end before it has read everything.
        _ = signal(SIGPIPE, SIG_IGN)
        let output = worker ? TrialOutput() : nil
        try await ExitCode.reportingErrors {
            let (settings, app) = try await app.load()
            let places = try against.map { file throws(ServerError) in try PlacesFile(file) }
            if let file = places?.header, file.app != app.name {
                throw ServerError.configuration(
                    "\(against ?? "") has places of the app \(file.app), but this app is \(app.name).")
            }
            let journal = try HostProgram.current.stores.address(store).openForReading()
            defer { journal.close() }
            let policy = settings.server.onChange
            if let output {
                let mode = places.map { .compare($0) } ?? (record == nil ? TrialWorker.Mode.check : .record)
                return try await TrialWorker(app, in: journal, mode, policy: policy, output, isTraced: trace).run()
            }
            var report = DeployCheckReport(of: app.name, app.version, for: purpose(places), policy: policy)
            try await check(journal, places, of: app, for: &report)
            try ExitCode.write(Data(report.text(as: format).utf8))
            if report.exitCode != .success { throw report.exitCode }
        }
    }

    private func purpose(_ places: PlacesFile?) -> DeployCheckReport.Purpose {
        if let against, let places {
            return .compare(file: against, recordedBy: places.header.appVersion, isStrict: strict)
        }
        return record.map { .record(file: $0) } ?? .check
    }

    /// Replays the sessions of a store, in the order of their ids.
    private nonisolated(nonsending) func check(
        _ store: any Journal, _ places: PlacesFile?, of app: any CoordinatedApp, for report: inout DeployCheckReport
    ) async throws {
        var places = places
        let output = try record.map { file throws(ServerError) in
            try PlacesOutput(file, PlacesHeader(app: app.name, appVersion: app.version))
        }
        var query = SessionQuery(app: app.name, limit: 0, order: .id)
        var remaining = sample ?? .max
        var isLast = false
        let total = min(remaining, store.count)
        defer { TerminalLine.hide() }
        report.isComplete = try await TrialRun(arguments: workerArguments).replay {
            if isLast || remaining == 0 { return nil }
            query.limit = min(remaining, TrialRun.batchSize)
            let page = try await reading { [query] in try await store.list(query) }
            query.after = page.next
            isLast = page.next == nil
            remaining -= page.sessions.count
            return try page.sessions.map { Trial(session: $0.record.id, place: try places?.line(of: $0.record.id)) }
        } _: { results in
            for (trial, result) in results {
                if case .place(let line) = result { try output?.write(line) }
                report.record(result, of: trial)
            }
            TerminalLine.show("\(report.sessions) of \(total) sessions")
            return report.crashes < Self.maximumCrashes
        }
        if report.isComplete { try places?.finish() }
        try output?.finish(isComplete: report.isComplete)
    }

    private var workerArguments: [String] {
        let options = [
            ("--config", app.config), ("--app-data", app.appData), ("--record", record), ("--against", against),
        ]
        return ["deploy-check", store, "--worker"] + options.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}
