import ArgumentParser
import Foundation

/// Measures Coordinate against the limit and against its peers, and writes the results down.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures Coordinate and writes Benchmarks/RESULTS.md.",
        discussion: "Needs Linux, wrk, and for latencies hey. `make bench` builds what it runs."
    )

    @Option(help: ArgumentHelp("The program coordinate-server, built for release.", valueName: "program"))
    var server: String

    @Option(help: ArgumentHelp("The root of the repository.", valueName: "folder"))
    var repository = "."

    @Flag(help: "Take two minutes rather than ten: few rounds, not to be quoted.")
    var quick = false

    @Flag(help: "Measure a million sessions too, which needs 16 GB of memory.")
    var million = false

    func run() throws {
        let root = URL(filePath: repository, directoryHint: .isDirectory)
        let temporary = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: temporary) }
        guard let program = Bundle.main.executableURL else { throw BenchmarkError("This program is nowhere.") }
        let stage = Stage(
            repository: root, server: URL(filePath: server), peers: program.deletingLastPathComponent(),
            temporary: temporary, isQuick: quick)

        var report = Report()
        Console.say("Requests: Coordinate, bare libmicrohttpd, Hummingbird")
        report.add(try RequestCost(stage: stage).measure())
        try report.write(to: root.appending(path: "Benchmarks"), isQuick: quick)
    }
}
