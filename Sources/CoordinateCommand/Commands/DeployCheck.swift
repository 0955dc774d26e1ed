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

                Exit status: 0 if no session would be quarantined; 1 if any would; 64 for a wrong option; 69 for a \
                store that cannot be reached; 78 for a wrong setting, an app with faults, or a store or a session \
                that cannot be read.
                """
        )
    }

    @Argument(help: ArgumentHelp(HostProgram.current.stores.storeHelp, valueName: "store"))
    var store: String

    @Option(
        help: ArgumentHelp(
            "Try this many sessions, chosen by their random ids, the same in each run (default: all).",
            valueName: "sessions"))
    var sample: Int?

    @Option(help: "The format of the report: text or json.")
    var format = DeployCheckReport.Format.text

    @OptionGroup var app: AppOptions<Arguments>

    /// Whether this process is one of those that try the sessions.
    @Flag(help: .hidden)
    var worker = false

    /// Whether the worker writes each turn.
    @Flag(help: .hidden)
    var trace = false

    func validate() throws {
        try HostProgram.current.stores.validate(store)
        if let sample, sample < 1 { throw ValidationError("--sample is \(sample), but must be at least 1.") }
    }

    func run() async throws {
        // A worker may end before it has read everything.
        _ = signal(SIGPIPE, SIG_IGN)
        try await ExitCode.reportingErrors {
            let host = HostProgram.current
            let settings = try await Settings(of: host, file: app.config, options: app.values)
            let made = try host.makeApp(data: settings.appData)
            if let reason = made.whyNotHosted { throw ServerError.configuration(reason) }
            let journal = try host.stores.address(store).openForReading()
            defer { journal.close() }
            guard !worker else { return await TrialWorker(made, in: journal, isTraced: trace).run() }
            let crew = TrialCrew(
                for: DeployCheckReport(of: made.name, made.version, policy: settings.server.onChange), in: journal,
                sample: sample, arguments: workerArguments)
            let report = try await crew.run()
            try? FileHandle.standardOutput.write(contentsOf: Data(report.text(as: format).utf8))
            if report.exitCode != .success { throw report.exitCode }
        }
    }

    private var workerArguments: [String] {
        let options = [("--config", app.config), ("--app-data", app.data.path)].flatMap { name, value in
            value.map { [name, $0] } ?? []
        }
        return ["deploy-check", store, "--worker"] + options
    }
}
