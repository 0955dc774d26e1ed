import ArgumentParser
import Foundation
import Loopback

/// Keeps a server under load, and reports whether it passes the checks.
@main
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Keeps a server under a mixed load, and reports whether it loses data or its memory grows.",
        discussion: """
            \(Soak.drivers) clients create, drive, fork, export, import, leave and end sessions. \(Soak.followers) others \
            follow them on live streams that they drop and resume. Sessions become passive after \
            \(SoakSession.passivationTime) s without use and expire after \(SoakSession.idleTime) s. After a rush at the \
            start, the load is constant, and so must be the server's memory: after an hour, it must be within 2 % of \
            that after ten minutes. SIGINT ends a run early. The exit status is 1 if a check failed.
            """)

    @Option(help: ArgumentHelp("The program coordinate-server, built for release.", valueName: "program"))
    var server: String

    @Option(help: ArgumentHelp("The root of the repository.", valueName: "folder"))
    var repository = "."

    @Option(help: "The duration in seconds; at least 60, because sessions need time to expire.")
    var seconds = 120

    @Option(help: "The maximum number of requests per second.")
    var rate = 300

    @Option(help: "The seed, which determines the steps but not their times.")
    var seed: UInt64 = 1

    @Option(help: "The server's journal, in the format of \"coordinate-server serve\".")
    var journal = "memory"

    @Option(help: "The server's port, for a Prometheus that expects it there; 0 for a free port.")
    var port: UInt16 = 0

    func validate() throws {
        guard seconds >= 60 else { throw ValidationError("The run must last at least 60 seconds.") }
        guard (Soak.drivers...10_000).contains(rate) else {
            throw ValidationError("The rate must be from \(Soak.drivers) to 10000 requests per second.")
        }
    }

    func run() async throws {
        let folder = URL(filePath: repository)
        let log = Pipe()
        let process = try ServerProcess(
            "Coordinate", program: URL(filePath: server),
            arguments: [
                "serve", "--port", "\(port)", "--config", folder.appending(path: "config/server.json").path(),
                "--app-data", folder.appending(path: "config/racing.json").path(), "--public",
                folder.appending(path: "public").path(), "--journal", journal,
            ],
            environment: [
                "COORDINATE_SESSION_IDLE": "\(SoakSession.idleTime)",
                "COORDINATE_PASSIVATE_AFTER": "\(SoakSession.passivationTime)",
            ], standardError: log)
        defer { process.stop() }
        Thread { Self.repeatLog(log.fileHandleForReading) }.start()
        Tally.say("Metrics are at \(process.url)/metrics. Seed \(seed), \(rate) requests/s, journal \(journal).")

        let soak = Soak(url: process.url, rate: rate, seed: seed)
        let interruption = DispatchSource.makeSignalSource(signal: SIGINT)
        signal(SIGINT, SIG_IGN)
        interruption.setEventHandler { soak.end() }
        interruption.resume()
        let clients = Task { await soak.run() }
        try await Watch(soak, process).run(for: seconds)
        soak.end()
        // Streams have ended by then, or never will.
        let timer = Task {
            try await Task.sleep(for: .seconds(90))
            soak.tally.fail(.followers, "Sessions have ended, but clients still wait.")
            clients.cancel()
        }
        await clients.value
        timer.cancel()
        soak.tally.expect(
            .answers, soak.tally[.refusals] * 1_000 <= soak.tally[.requests],
            "The server was too busy \(soak.tally[.refusals]) times.")
        let end = process.terminate()
        soak.tally.expect(
            .ending, end.status == 0 && end.time < 10,
            "After SIGTERM, the server ended with status \(end.status) in \(end.time) s.")
        if !soak.tally.conclude() { throw ExitCode.failure }
    }

    /// Copies the server's log to the output.
    private static func repeatLog(_ log: FileHandle) {
        while case let data = log.availableData, !data.isEmpty {
            for line in String(decoding: data, as: UTF8.self).split(separator: "\n") { Tally.say("server: \(line)") }
        }
    }
}
