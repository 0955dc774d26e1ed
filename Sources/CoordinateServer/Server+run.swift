internal import Coordinate
internal import CoordinateSessions
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Logging
internal import MicroHTTPD
internal import ProcessSupport

extension Server {
    /// Lets threads reuse the memory that other threads have freed. A program that holds many idle sessions calls this
    /// before anything else, in a `main` on the main actor. Later calls are less effective, because threads already
    /// have memory of their own.
    ///
    /// Without it, 100,000 mostly idle sessions occupied four times as much memory as they used.
    public static func shareFreedMemory() {
        ProcessMemory.share(among: HTTPServerConfiguration.processorCount)
    }

    /// Serves until the process gets a signal to end. This is the whole life of a server program.
    ///
    /// ```swift
    /// @main struct MyServer {
    ///     static func main() async throws {
    ///         try await Server(app: MyApp()).run()
    ///     }
    /// }
    /// ```
    ///
    /// The first line on the standard output is `listening on URL`, written when requests are accepted. After SIGTERM,
    /// SIGINT or SIGHUP the server stops, and this method returns within ten seconds. If something prevents that, such
    /// as an app whose turn does not end, the process ends within that time with status 0. A second signal ends it at
    /// once, with status 1.
    ///
    /// A program that ends its parts itself uses ``serve(didStart:until:)`` instead, and a `ServiceGroup` of
    /// swift-service-lifecycle the product `CoordinateService`.
    ///
    /// A process that crashes first writes to the standard error what the app was doing, and has the journal record it.
    /// A session that crashes the process twice in a row is quarantined: see ``ServerConfiguration/onChange``.
    ///
    /// - Parameter didStart: Called with the ``url`` once requests are accepted, for the program's other uses of the
    ///   server.
    public func run(didStart: @Sendable (_ url: String) -> Void = { _ in }) async throws(ServerError) {
        try await run(isWholeProcess: false, didStart: didStart)
    }

    /// - Parameter isWholeProcess: Whether the process ends after this, so that its deadline stays set.
    package func run(
        isWholeProcess: Bool, didStart: @Sendable (_ url: String) -> Void
    ) async throws(ServerError) {
        let signals = ProcessEnd.signals(deadline: Self.timeToEnd)
        ThreadNote.reportCrashes(in: .init(of: api.app)) { [weak api] note, done in
            if let api { api.recordCrash(in: note, done) } else { done() }
        }
        try await serve(
            didStart: { url in
                Self.announce("listening on \(url)\n")
                didStart(url)
            },
            until: {
                let signal = await signals.first { _ in true }
                let name = [SIGINT: "SIGINT", SIGHUP: "SIGHUP"][signal] ?? "SIGTERM"
                self.logger.info("The server is stopping: \(name).")
            })
        if !isWholeProcess { ProcessEnd.moveDeadline(to: nil) }
    }

    /// Serves until a condition is met, then stops. For a program that handles signals itself.
    ///
    /// ```swift
    /// try await server.serve { await shutdown.wait() }
    /// ```
    ///
    /// Ends the process with status 70 if the app blocks all workers, or all lanes, for ten seconds, as
    /// ``run(didStart:)`` does. Does not handle signals, and does not report crashes.
    ///
    /// - Parameters:
    ///   - didStart: Called with the ``url`` once requests are accepted.
    ///   - end: Returns when the server should stop.
    public func serve(
        didStart: @Sendable (_ url: String) -> Void = { _ in }, until end: @Sendable () async -> Void
    ) async throws(ServerError) {
        // What the program writes at the start comes first on the standard output.
        let log = configuration.eventLog == EventLog.standardOutput ? eventLog : nil
        log?.hold()
        try start()
        let watch = watchForStalls()
        defer { withExtendedLifetime(watch) {} }
        didStart(url)
        log?.resume()
        await end()
        await stopInBackground()
    }

    /// Stops the server, on a thread outside of the cooperative pool.
    package func stopInBackground() async {
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "coordinate.stop").async {
                self.stop(deadline: Self.timeToAnswer)
                continuation.resume()
            }
        }
        logger.info("The server stopped after \(Int(start.duration(to: .now) / .milliseconds(1))) ms.")
    }

    /// The time within which the process ends. It is less than the promised ten seconds, because a busy machine needs a
    /// part.
    package static var timeToEnd: Duration { .milliseconds(8_500) }
    /// The time to finish requests in progress. The rest is for releasing many sessions.
    private static var timeToAnswer: Duration { .seconds(6) }

    /// Writes the first line on the standard output. A closed or full standard output does not stop the server.
    private static func announce(_ line: String) {
        let write = DispatchWorkItem { try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8)) }
        DispatchQueue(label: "coordinate.announcement").async(execute: write)
        _ = write.wait(timeout: .now() + 5)
    }

    /// Sets a short deadline for the end of the process, for a program that has finished. Nothing that `exit` waits for
    /// can delay it longer.
    package static func leave() {
        LogQueue.standardError.flush(atMost: 0.5)
        ProcessEnd.moveDeadline(to: .milliseconds(500))
    }
}
