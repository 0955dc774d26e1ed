internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Logging

struct Replay<Arguments: DataArguments>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        let host = HostProgram.current
        let stores = host.stores.readableKinds(last: " or ")
        return CommandConfiguration(
            commandName: "replay",
            abstract: "Replays exported journals of \(host.title), and compares.",
            discussion: """
                Every event is emitted again where it was, in a new tree. Who handles it and the path after it must be as they \
                were recorded. Record a journal with: \
                curl -b jar -H 'Accept: application/x-ndjson' localhost:8080/events > journal.ndjson

                \(stores.isEmpty ? "" : Self.discussion(of: stores))\
                One file that goes as it was recorded: the path in the end goes to the standard output. \
                \(stores.isEmpty ? "Several, or a folder" : "Several, a folder or a store"): \
                a line for each journal and a summary, or one document as --format has it: json, or junit for continuous \
                integration. The standard error names, for each journal that differs, the first line that does or cannot be \
                replayed.

                Exit status: 0 where all went as it was recorded, 1 where some did not, 64 for a wrong option, 78 for a wrong \
                setting or file, where a journal cannot be read, whatever became of the others, and for an app with faults.
                """
        )
    }

    private static func discussion(of stores: String) -> String {
        """
        A store, \(stores), is only read, and may be in use: it says which of its sessions \
        would differ, before a server with a changed app wakes them.


        """
    }

    @Argument(help: ArgumentHelp(Self.pathsHelp, valueName: "path"))
    var paths: [String]

    @Option(help: "How the report is written: text, json or junit.")
    var format = ReplayReport.Format.text

    @OptionGroup var app: AppOptions<Arguments>

    private static var pathsHelp: String {
        let examples = HostProgram.current.stores.readableExamples
        return examples.isEmpty
            ? "Exported journals, or folders (every .ndjson file in them)."
            : """
            Exported journals, folders (every .ndjson file in them), or stores: \(examples.joined(separator: ", ")).
            """
    }

    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        do {
            let host = HostProgram.current
            let settings = try await Settings(of: host, file: app.config, options: app.values)
            let made = try host.makeApp(data: settings.appData)
            if let reason = made.whyNotHosted { throw ServerError.configuration(reason) }
            let app = HostedApp(made, logger: Logger(label: "coordinate.replay"))
            // A missing file or store is refused before anything is done.
            let sources = try paths.map { try JournalSource($0, in: host.stores) }
            let report = try await report(on: sources, by: app)
            if report.exitCode != .success { throw report.exitCode }
        } catch let error as ServerError {
            throw ExitCode(error)
        } catch let error as JournalOpeningError {
            throw ExitCode(error)
        }
    }

    /// Replays all journals, and writes the report.
    private nonisolated(nonsending) func report(
        on sources: [JournalSource], by app: HostedApp
    ) async throws -> ReplayReport {
        let isOneFile = if sources.count == 1, case .file = sources[0] { true } else { false }
        var report = ReplayReport(of: app)
        for source in sources {
            try await source.forEachJournal(of: app.name) { journal in
                let result = await ReplayResult(of: journal, by: app)
                report.add(result)
                if format == .text, !isOneFile { Self.write("\(ReplayReport.line(of: result))\n") }
                switch result.outcome {
                case .same: break
                case .differs where !isOneFile: ExitCode.complain("\(result.journal): \(result.reason ?? "")")
                case .differs, .unreadable: ExitCode.complain(result.reason ?? "")
                }
            }
        }
        switch format {
        case .text where !isOneFile: Self.write("\(report.summary)\n")
        case .text: if case .same(let path) = report.results[0].outcome { Self.write("\(path)\n") }
        case .json: Self.write(report.json)
        case .junit: Self.write(report.junit)
        }
        return report
    }

    /// Writes at once, so that it is in order with the output to the standard error.
    private static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
