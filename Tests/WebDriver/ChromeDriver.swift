import Foundation

/// The program chromedriver, on a free port of this machine, for as long as a body runs.
enum ChromeDriver {
    /// Ends the driver when its own input ends. So the driver is gone as soon as whoever started it is, whichever way
    /// that went; and the browser, which the driver started, with it.
    private static let script = """
        "$@" & driver=$!
        while read -r line; do :; done
        kill "$driver" 2>/dev/null
        wait "$driver"
        """

    /// Starts the driver, and stops it again whether the body returns or throws.
    nonisolated(nonsending) static func run<Result>(
        _ program: String, _ body: nonisolated(nonsending) (_ port: Int) async throws -> Result
    ) async throws -> Result {
        let input = Pipe()
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh", program, "--port=0"]
        // The pages show times, which are the same on every machine this way.
        process.environment = ProcessInfo.processInfo.environment.merging(["TZ": "UTC"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        guard let port = await port(in: output.fileHandleForReading) else {
            throw BrowserError(kind: "no driver", message: "\(program) ended before it listened")
        }
        return try await body(port)
    }

    /// The port it says it listens on; nil where it ends without having said so. What it writes is read to the end, on
    /// a thread of its own, so that it never waits for a reader.
    private static func port(in output: FileHandle) async -> Int? {
        await withCheckedContinuation { continuation in
            Thread {
                var text = ""
                var waiting: CheckedContinuation<Int?, Never>? = continuation
                while let more = try? output.read(upToCount: 4_096), !more.isEmpty {
                    guard let answered = waiting else { continue }
                    text += String(decoding: more, as: UTF8.self)
                    guard let match = text.firstMatch(of: /started successfully on port (\d+)/) else { continue }
                    answered.resume(returning: Int(match.1))
                    waiting = nil
                }
                waiting?.resume(returning: nil)
            }.start()
        }
    }
}
