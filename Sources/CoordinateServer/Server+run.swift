internal import Coordinate
internal import Dispatch
internal import Foundation
internal import MicroHTTPD
internal import UnixSignals

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
    /// SIGINT lets it stop and return, within ten seconds; a second one ends the process at once.
    ///
    /// - Parameter didStart: Is told the ``url`` once requests are accepted: for what else the program does with its server.
    public func run(didStart: @Sendable (_ url: String) -> Void = { _ in }) async throws(ServerError) {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try start()
        // Nobody has to read this: a closed standard output is no reason not to serve.
        try? FileHandle.standardOutput.write(contentsOf: Data("listening on \(url)\n".utf8))
        didStart(url)
        let (told, teller) = AsyncStream<Void>.makeStream()
        let listener = Task {
            var isTold = false
            for await _ in signals {
                if isTold { exit(EXIT_FAILURE) }
                isTold = true
                teller.yield()
            }
        }
        _ = await told.first { true }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.stop()
                continuation.resume()
            }
        }
        listener.cancel()
    }
}
