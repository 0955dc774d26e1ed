internal import ArgumentParser
internal import Coordinate
internal import CoordinateExplore
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Logging

struct Explore: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explore",
            abstract: "Walks through everything that \(HostProgram.current.title) offers.",
            discussion: """
                Begins at the start of a session, at every link without values, and at the links of the app's samples. \
                Tries each button, each form with its choices and the app's samples, and each outcome of work. Work \
                never starts; timers fire. The standard output gets the graph: states, the events between them, a \
                shortest journal to each state, and findings. It is the same in every run. The standard error lists \
                the findings: what is wrong, and what was not reached, with advice.

                --seconds ends the walk in time, and Ctrl-C ends it at once: the graph is then what was found so far, with \
                "truncated". On a terminal, a line shows the progress.

                --random adds N random walks through the app, and checks each state against the app's invariants and \
                the library's promises. The shortest way to a broken promise is written to a journal for replay: \
                explore-1.ndjson, and so on.

                --tests writes few journals that together cover every screen and every event that the walk has found, as \
                files for replay, and lists them in place of the graph. It replaces and removes files in the folder that \
                it has written for the app before, and no others. A walk that a limit ends removes none. What no journal covers is listed like what was not reached.

                --cover compares recorded journals with the graph: what they visited and how often, what they missed, \
                and what they did that is not in the graph. --diff compares with an earlier graph of the same key.

                Exit status: 0; 1 with --strict for findings that are wrong, with --strict=all for any finding, with \
                --random if a promise is broken, with --diff if a state or a transition is lost; 64 for a wrong \
                option; 69 for a store that cannot be reached, or an output that cannot be written; 78 for a wrong \
                setting or file, a journal that cannot be read, or an app with faults.
                """
        )
    }

    /// The keys of states: the names of ``StateKey``.
    enum Key: String, CaseIterable, ExpressibleByArgument {
        case offer, path, screen, document
    }

    @Option(
        help: "The format of the graph: json, mermaid, dot or junit (default: json, or with --tests the journals).")
    var format: ExploreReport.Format?

    @Option(
        help:
            "The key of a state: offer (path, screen, offered actions and the app's facts), path, screen, or document (the whole document)."
    )
    var key = Key.offer

    @Option(help: ArgumentHelp("The most events from the start (default: any number).", valueName: "events"))
    var depth: Int?

    @Option(help: ArgumentHelp("The most states.", valueName: "states"))
    var maxStates = 10_000

    @Option(help: ArgumentHelp("The longest time of the walk (default: any).", valueName: "seconds"))
    var seconds: Int?

    @Option(
        help: ArgumentHelp("The seed of the turns' random numbers and the random walks.", valueName: "number"))
    var seed = 0

    @Option(help: ArgumentHelp("The number of random walks.", valueName: "walks"))
    var random = 0

    // A text, because an option with an optional value ignores values that it cannot read.
    @Option(
        defaultAsFlag: "wrong", parsing: .scanningForValue,
        help: ArgumentHelp("The findings that count as failures: wrong or all.", valueName: "findings"))
    var strict: String?

    @Option(help: ArgumentHelp("The folder to which to write tests.", valueName: "folder"))
    var tests: String?

    @Option(parsing: .upToNextOption, help: ArgumentHelp(HostProgram.current.stores.journalsHelp, valueName: "path"))
    var cover: [String] = []

    @Option(help: ArgumentHelp("A graph in JSON, written earlier by explore.", valueName: "file"))
    var diff: String?

    @OptionGroup var app: AppOptions

    func validate() throws {
        let numbers = [
            ("--depth", depth ?? 0, 0), ("--max-states", maxStates, 1), ("--seconds", seconds ?? 1, 1),
            ("--random", random, 0), ("--seed", seed, 0),
        ]
        for (name, value, least) in numbers where value < least {
            throw ValidationError("\(name) is \(value), but must be at least \(least).")
        }
        if let strict, ExploreReport.Strictness(rawValue: strict) == nil {
            throw ValidationError("--strict is \(strict), but must be wrong or all.")
        }
        guard tests != "" else { throw ValidationError("--tests names no folder.") }
        guard tests == nil || key != .path else {
            throw ValidationError("--tests needs the screens of states, which --key path ignores. Name another key.")
        }
        guard seed < 1 << 53 else { throw ValidationError("--seed is \(seed), but must be below 2⁵³.") }
    }

    func run() async throws {
        try await ExitCode.reportingErrors {
            let app = try await app.load().app
            // Refuses a missing file or store before doing anything else.
            let sources = try cover.map { try JournalSource($0, in: HostProgram.current.stores) }
            let old = try diff.map(Self.read)
            let folder = try tests.map { try TestFolder($0, of: app.name) }
            let walk = WatchedWalk(seconds: seconds)
            let interruption = walk.awaitInterruption()
            var report = ExploreReport(
                graph: app.explore(
                    key: StateKey(rawValue: key.rawValue) ?? .offer, depth: depth, maxStates: maxStates,
                    seed: UInt64(seed), threads: nil,
                    progress: walk.show, while: walk.mayContinue))
            TerminalLine.hide()
            interruption.cancel()
            report.difference = try old.map { try difference(from: $0, to: report.graph) }
            if !sources.isEmpty { report.coverage = try await coverage(of: report.graph, by: sources, app) }
            if random > 0, !walk.isInterrupted { report.walks = app.walkAtRandom(random, seed: UInt64(seed)) }
            if let folder {
                guard !walk.isInterrupted else {
                    ExitCode.complain("The walk was interrupted. No tests were written.")
                    throw ExitCode.failure
                }
                let suite = JournalSuite(covering: report.graph, of: app, seed: UInt64(seed))
                report.suite = suite
                try folder.write(suite, isWhole: !report.graph.isTruncated)
            }
            try write(report)
            let code = report.exitCode(strict.flatMap(ExploreReport.Strictness.init))
            if code != .success { throw code }
        }
    }

    private func write(_ report: ExploreReport) throws {
        try ExitCode.write(Data(report.text(as: format).utf8))
        for remark in report.remarks { ExitCode.complain(remark) }
        for (index, failure) in (report.walks?.failures ?? []).enumerated() {
            let name = "explore-\(index + 1).ndjson"
            do {
                try Data(failure.lines).write(to: URL(filePath: name))
                ExitCode.complain("\(name) leads to a broken promise: \(failure.promise)")
            } catch {
                throw ServerError.configuration(
                    "\(name) cannot be written. Run explore in a writable folder.")
            }
        }
    }

    private static func read(_ path: String) throws(ServerError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .configuration("The graph \(path) cannot be read. Name one written by explore.")
        }
        return Array(data)
    }

    private func difference(
        from document: [UInt8], to graph: AppGraph
    ) throws(ServerError) -> GraphDifference {
        do throws(UnreadableGraph) {
            return try GraphDifference(from: document, to: graph)
        } catch {
            throw .configuration("The graph \(diff ?? "") cannot be compared: \(error.reason)")
        }
    }

    private nonisolated(nonsending) func coverage(
        of graph: AppGraph, by sources: [JournalSource], _ app: any CoordinatedApp
    ) async throws -> Coverage {
        let hosted = HostedApp(app, logger: Logger(label: "coordinate.explore"))
        let footprints = Footprints(on: graph, of: app)
        for source in sources {
            try await source.forEachJournal(of: app.name) { journal in
                if let difference = try await footprints.record(journal, of: hosted) {
                    ExitCode.complain("\(journal.name): \(difference)")
                }
            }
        }
        return footprints.coverage
    }
}
