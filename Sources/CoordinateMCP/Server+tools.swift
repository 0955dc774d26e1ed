package import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Glibc
internal import Logging
internal import ProcessSupport

extension Server {
    /// Serves the tools for agents on the standard input and output, one message per line, in place of HTTP. Returns
    /// when the input ends, or after a signal that ends the process.
    package func runTools(_ access: MCPAccess) async {
        // A client that closes the output must not end the program in the middle of an event.
        signal(SIGPIPE, SIG_IGN)
        let signals = ProcessEnd.signals(deadline: Self.timeToEnd)
        ThreadNote.reportCrashes(in: .init(of: api.app)) { [weak api] note, done in
            if let api { api.recordCrash(in: note, done) } else { done() }
        }
        let watch = watchForStalls(isListening: false)
        defer { withExtendedLifetime(watch) {} }
        startSweeping()
        logger.info("Serving the tools of the app \(api.app.name) on the standard input and output.")
        let (ends, teller) = AsyncStream<String>.makeStream()
        let connection = ToolConnection(
            ToolServer(api, access), for: ToolClient(.host), lineLimit: api.bodyLimit,
            write: { try? FileHandle.standardOutput.write(contentsOf: Data($0)) })
        let reader = Thread {
            connection.serve { [UInt8](FileHandle.standardInput.availableData) }
            teller.yield("the input has ended")
        }
        reader.start()
        let listener = Task {
            for await signal in signals { teller.yield("signal \(signal)") }
        }
        let reason = await ends.first { _ in true } ?? ""
        listener.cancel()
        logger.info("The server is stopping: \(reason).")
        await stopInBackground()
    }
}
