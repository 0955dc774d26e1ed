internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Logging

struct Replay: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "replay",
            abstract: "Replays exported journals of \(HostProgram.current.title) and compares.",
            discussion: """
                Emits every event again at its coordinator, in a new tree. Its handler and the path after it must be \
                as recorded. Record a journal with: curl -b jar -H 'Accept: application/x-ndjson' \
                localhost:8080/events > journal.ndjson

                A store is only read, and may be in use. The report shows which of its sessions would differ, before \
                a server with a changed app wakes them.

                For one file that replays as recorded, the standard output gets the path at the end. For several \
                files, a folder or a store, it gets a line per journal and a summary, or one document with --format: json, or junit for continuous \
                integration. For each journal that differs, the standard error names the first line that differs or \
                cannot be replayed.

                Exit status: 0 if everything replayed as recorded; 1 if something differs; 64 for a wrong option; 69 \
                for a store that cannot be reached, or an output that cannot be written; 78 for a wrong setting or \
                file, if any journal cannot be read, or for an app with faults.
                """
        )
    }

    @Argument(help: ArgumentHelp(HostProgram.current.stores.journalsHelp, valueName: "path"))
    var paths: [String]

    @Option(help: "The format of the report: text, json or junit.")
    var format = ReplayReport.Format.text

    @OptionGroup var app: AppOptions

    func run() async throws {
        try await ExitCode.reportingErrors {
            let app = HostedApp(try await app.load().app, logger: Logger(label: "coordinate.replay"))
            // Refuses a missing file or store before doing anything else.
            let sources = try paths.map { try JournalSource($0, in: HostProgram.current.stores) }
            let report = try await report(on: sources, by: app)
            if report.exitCode != .success { throw report.exitCode }
        }
    }

    /// Replays all journals, and writes the report.
    private nonisolated(nonsending) func report(
        on sources: [JournalSource], by app: HostedApp
    ) async throws -> ReplayReport {
        let isOneFile = if sources.count == 1, case .file = sources[0] { true } else { false }
        var report = ReplayReport(app: app)
        for source in sources {
            try await source.forEachJournal(of: app.name) { journal in
                let result = await ReplayResult(of: journal, by: app)
                report.results.append(result)
                if format == .text, !isOneFile { try Self.write("\(ReplayReport.line(of: result))\n") }
                if let difference = result.difference {
                    let isNamed = result.outcome == .differs && !isOneFile
                    ExitCode.complain(isNamed ? "\(result.journal): \(difference)" : "\(difference)")
                }
            }
        }
        switch format {
        case .text where !isOneFile: try Self.write("\(report.summary)\n")
        case .text: if let path = report.results[0].path { try Self.write("\(path)\n") }
        case .json: try Self.write(report.json)
        case .junit: try Self.write(report.junit)
        }
        return report
    }

    /// Writes without buffering, so that the order with the standard error is kept.
    private static func write(_ text: String) throws(ServerError) {
        try ExitCode.write(Data(text.utf8))
    }
}
