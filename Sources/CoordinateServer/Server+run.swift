internal import Coordinate
internal import CoordinateSessions
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Logging
internal import MicroHTTPD

extension Server {
    /// Lets threads share the memory that others have freed. A program that holds many idle sessions calls it first of
    /// all, in a `main` on the main actor: later, there are threads with memory of their own already.
    ///
    /// It halves what 100,000 sessions take, most of them idle.
    public static func shareFreedMemory() {
        ProcessMemory.shareArenas(among: HTTPServerConfiguration.processorCount)
    }

    /// Serves until the process is told to end: the whole life of a server program.
    ///
    /// ```swift
    /// @main struct MyServer {
    ///     static func main() async throws {
    ///         try await Server(app: MyApp()).run()
    ///     }
    /// }
    /// ```
    ///
    /// The first line on the standard output is `listening on URL`, written when requests are accepted. SIGTERM or
    /// SIGINT lets it stop and return, within ten seconds; where something keeps it from that, as an app whose turn does not
    /// end, the process ends by then, with the status 0. A second signal ends it at once, with 1.
    ///
    /// A process that crashes says first, on the standard error, what the app was doing, and has the journal note it: a
    /// session that ends the process twice running is left as it is.
    ///
    /// - Parameter didStart: Is told the ``url`` once requests are accepted: for what else the program does with its server.
    public func run(didStart: @Sendable (_ url: String) -> Void = { _ in }) async throws(ServerError) {
        try await run(isWholeProcess: false, didStart: didStart)
    }

    /// - Parameter isWholeProcess: Whether the process ends after this, and the time that it has for that goes on.
    package func run(
        isWholeProcess: Bool, didStart: @Sendable (_ url: String) -> Void
    ) async throws(ServerError) {
        let signals = ProcessEnd.signals(deadline: Self.timeToEnd)
        ThreadActivity.tellWhenCrashing(app: "\(api.app.name) \(api.app.version)") { [weak api] activity, done in
            if let api { api.noteCrash(in: activity, done) } else { done() }
        }
        try start()
        let watch = watchForStalls()
        defer { withExtendedLifetime(watch) {} }
        Self.announce("listening on \(url)\n")
        didStart(url)
        let signal = await signals.first { _ in true }
        logger.info("The server stops: \(signal == SIGINT ? "SIGINT" : "SIGTERM").")
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "coordinate.stop").async {
                self.stop(deadline: Self.timeToAnswer)
                continuation.resume()
            }
        }
        logger.info("The server stopped after \(Int(start.duration(to: .now) / .milliseconds(1))) ms.")
        if !isWholeProcess { ProcessEnd.moveDeadline(to: nil) }
    }

    /// Section 9 of the contract has ten seconds, which a busy machine takes a part of.
    private static var timeToEnd: Duration { .milliseconds(8_500) }
    /// How long requests under way have: what is left is for letting go of many sessions.
    private static var timeToAnswer: Duration { .seconds(6) }

    /// Writes the first line on the standard output. Nobody has to read it: one that is closed, or full, is no reason not to
    /// serve.
    private static func announce(_ line: String) {
        let write = DispatchWorkItem { try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8)) }
        DispatchQueue(label: "coordinate.announcement").async(execute: write)
        _ = write.wait(timeout: .now() + 5)
    }

    /// Lets the process end soon, whatever its `exit` waits for: for a program that has done all it has to do.
    package static func leave() {
        LogQueue.standardError.flush(atMost: 0.5)
        ProcessEnd.moveDeadline(to: .milliseconds(500))
    }
}
