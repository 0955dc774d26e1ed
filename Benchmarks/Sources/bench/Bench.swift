import ArgumentParser
import Foundation
import Loopback

/// Measures Coordinate against bare libraries and other servers, and writes the results.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures Coordinate and writes Benchmarks/RESULTS.md.",
        discussion: """
            Needs Linux and wrk, hey for latencies, and PostgreSQL for its journal. `make bench` builds all programs.
            """
    )

    @Option(help: ArgumentHelp("The program coordinate-server, built for release.", valueName: "program"))
    var server: String

    @Option(help: ArgumentHelp("The root of the repository.", valueName: "folder"))
    var repository = "."

    @Option(help: ArgumentHelp("The results of the in-process benchmarks in JMH's format.", valueName: "file"))
    var inProcess: String?

    @Flag(help: "Run five minutes instead of thirty, with few rounds. Do not quote the results.")
    var quick = false

    @Option(
        help: ArgumentHelp(
            "Measure only this part, and write the results to Benchmarks/.build/bench. Can be repeated.",
            valueName: "part"))
    var only: [Part] = []

    @Option(
        help: ArgumentHelp(
            """
            Only compare with another commit, by turns, and write the table to Benchmarks/.build/bench. The folder is a \
            work tree of it with the built benchmarks. Can be repeated.
            """, valueName: "folder"))
    var against: [String] = []

    /// The numbers of sessions in memory. A million needs 9 GB.
    private var counts: [Int] {
        let hasRoom = ProcessInfo.processInfo.physicalMemory > 12 << 30
        return quick ? [1_000, 20_000] : [1_000, 100_000] + (hasRoom ? [1_000_000] : [])
    }

    func run() throws {
        let root = URL(filePath: repository, directoryHint: .isDirectory)
        let temporary = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: temporary) }
        Interruption.handle {
            StartedProcesses.killAll()
            try? FileManager.default.removeItem(at: temporary)
            Console.say("Interrupted. RESULTS.md is unchanged.")
        }
        guard let program = Bundle.main.executableURL else {
            throw BenchmarkError("The path of this program is unknown.")
        }
        let stage = Stage(
            repository: root, server: URL(filePath: server),
            config: root.appending(path: "config"), peers: program.deletingLastPathComponent(),
            temporary: temporary, isQuick: quick)

        let folder = root.appending(path: "Benchmarks")
        if !against.isEmpty { return try compare(on: stage, writingTo: folder.appending(path: ".build/bench")) }
        try Report.checkSections(of: folder.appending(path: "PROFILE.md"))
        // Only a complete run replaces the results. All tables, and what the run has so far, are kept elsewhere.
        let tables = folder.appending(path: ".build/bench")
        try? FileManager.default.removeItem(at: tables)
        var report = Report()
        for part in only.isEmpty ? Part.allCases : only {
            let start = ContinuousClock.now
            try measure(part, on: stage, into: &report)
            let seconds = start.duration(to: .now) / .seconds(1)
            Console.say("  \(part.rawValue): \(Int(seconds)) s")
            report.append(part: part.rawValue, seconds: seconds)
            try report.writeResults(to: tables, isQuick: quick)
            try report.writeTables(to: tables, isQuick: quick)
        }
        if only.isEmpty { try report.writeResults(to: folder, isQuick: quick) }
        Console.say("All tables are in \(tables.path()).")
    }

    /// Compares the server with those of other commits.
    private func compare(on stage: Stage, writingTo folder: URL) throws {
        let earlier = try against.map { path in
            let folder = URL(filePath: path, directoryHint: .isDirectory)
            var other = stage
            other.server = folder.appending(path: "Benchmarks/.build/release/coordinate-server")
            other.config = folder.appending(path: "config")
            guard FileManager.default.isExecutableFile(atPath: other.server.path()) else {
                throw ValidationError("--against \(path): the folder has no built server.")
            }
            return Comparison.Build(name: folder.lastPathComponent, stage: other)
        }
        let builds = earlier + [Comparison.Build(name: "now", stage: stage)]
        Console.say("Comparison, by turns: \(builds.map(\.name).joined(separator: ", "))")
        let comparison = Comparison(builds: builds, rounds: stage.rounds)
        let table = comparison.table(of: try comparison.measure()).markdown
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try "\(table)\n".write(to: folder.appending(path: "COMPARED.md"), atomically: true, encoding: .utf8)
        Console.say(table)
    }

    private func measure(_ part: Part, on stage: Stage, into report: inout Report) throws {
        switch part {
        case .requests:
            Console.say("Requests: Coordinate, bare libmicrohttpd, Hummingbird")
            report.append(try RequestCost(stage: stage).measure())
        case .inProcess:
            guard let inProcess else { return Console.say("No --in-process: the in-process results are left out.") }
            let measured = try InProcess(file: URL(filePath: inProcess))
            report.append(measured)
            report.append(stacks: measured)
            report.append(explore: measured)
        case .replay:
            Console.say("Replay")
            let exported = try inProcess.map { try InProcess(file: URL(filePath: $0)) }
            report.append(
                waking: try Waking(stage: stage).measure(), replay: exported?.rows(named: "replay").first,
                deepReplay: exported?.rows(named: "deep replay").first)
        case .latency:
            guard let hey = Hey() else { return Console.say("hey is not installed: the latencies are left out.") }
            Console.say("Latency, at half of the highest rate")
            report.append(try Latency(stage: stage).measure(with: hey))
        case .journals: try measureJournals(on: stage, into: &report)
        case .sessions:
            Console.say("Sessions: \(counts.map(\.grouped).joined(separator: ", "))")
            let population = Population(stage: stage)
            report.append(
                try population.measure(counts), passive: try population.measurePassive(quick ? 5_000 : 50_000))
        case .peers:
            Console.say("Peers: Coordinate, and an ordinary program with Hummingbird")
            report.append(try Peers(stage: stage).measure())
        }
    }

    private func measureJournals(on stage: Stage, into report: inout Report) throws {
        let room = try StoreRoom(stage: stage)
        if !room.stores.contains(.postgreSQL) {
            Console.say("PostgreSQL's server programs or its user are missing: its rows are left out.")
        }
        Console.say("Journals: \(room.stores.map(\.title).joined(separator: ", "))")
        let rates = try JournalRates(stage: stage, room: room).measure(sessions: [1_000, 1])
        report.append(rates, fileSystem: room.fileSystem)
        report.append(limits: rates)
        let counts = [1_000, quick ? 100_000 : 1_000_000]
        Console.say("Pages by attribute, of \(counts.map(\.grouped).joined(separator: ", ")) sessions")
        report.append(try StorePages(stage: stage, room: room).measure(counts))
        Console.say("Sessions in a file: \(counts.map(\.grouped).joined(separator: ", "))")
        report.append(try StoredCrowd(stage: stage, room: room).measure(counts))
    }

    /// A part of the benchmark that can run alone.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case requests
        case latency
        case journals
        case sessions
        case inProcess
        case replay
        case peers
    }
}
