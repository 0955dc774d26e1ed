package import CoordinateServer
internal import CoordinateSessions
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Logging
internal import ProcessSupport

extension Server {
    /// Serves the tools for agents on the standard input and output, one message per line, in place of HTTP. Returns
    /// when the input ends, or after a signal that ends the process. What was read before is answered, within 5 seconds.
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
        let (input, feed) = AsyncStream<[UInt8]>.makeStream()
        let (reasons, end) = AsyncStream<String>.makeStream()
        // The reader reads when the connection is ready for more. Further messages wait in the pipe.
        let demand = DispatchSemaphore(value: 0)
        let reader = Thread {
            while true {
                demand.wait()
                let bytes = [UInt8](FileHandle.standardInput.availableData)
                if bytes.isEmpty { break }
                feed.yield(bytes)
            }
            end.yield("the input has ended")
            feed.finish()
        }
        reader.start()
        let listener = Task {
            for await signal in signals {
                end.yield("signal \(signal)")
                feed.finish()
            }
        }
        let connection = ToolConnection(
            ToolServer(api, access), for: ToolClient(.host), lineLimit: api.bodyLimit,
            write: { try? FileHandle.standardOutput.write(contentsOf: Data($0)) })
        Task(executorPreference: api.sessions.host.executor) {
            var chunks = input.makeAsyncIterator()
            await connection.serve {
                demand.signal()
                return await chunks.next() ?? []
            }
            end.finish()
        }
        for await reason in reasons {
            logger.info("The server is stopping: \(reason).")
            // For the messages that have been read.
            Task {
                try? await Task.sleep(for: .seconds(5))
                end.finish()
            }
        }
        listener.cancel()
        await stopInBackground()
    }
}
