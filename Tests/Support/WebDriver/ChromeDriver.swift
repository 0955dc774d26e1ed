import Foundation

/// The program chromedriver, which runs on a free port of this machine while a body runs.
enum ChromeDriver {
    /// Creates a folder, and ends the driver and its browser and removes the folder when its own input ends. That
    /// happens whenever the test process ends.
    private static let script = """
        folder=$(mktemp -d) && echo "folder $folder"
        setsid "$@" & group=$!
        while read -r line; do :; done
        kill -s KILL -- "-$group"
        wait "$group"
        rm -rf "$folder"
        """

    /// Starts the driver, and stops it when the body returns or throws.
    ///
    /// - Parameter body: Gets the driver's port, and a folder for the browser's files.
    nonisolated(nonsending) static func run<Result>(
        _ program: String, _ body: nonisolated(nonsending) (_ port: Int, _ folder: String) async throws -> Result
    ) async throws -> Result {
        let input = Pipe()
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh", program, "--port=0"]
        // The pages show times, which are the same on every machine in this time zone.
        process.environment = ProcessInfo.processInfo.environment.merging(["TZ": "UTC"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try unblockingSignals { try process.run() }
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        guard let (folder, port) = await greeting(in: output.fileHandleForReading) else {
            throw BrowserError(kind: "no driver", message: "\(program) ended before it listened")
        }
        return try await body(port, folder)
    }

    /// Does something with no signals blocked. Dispatch's threads block signals, and a new process inherits that. A
    /// browser with blocked signals never learns that one of its processes has ended.
    private static func unblockingSignals(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    /// Returns the folder and the port that the driver prints. `nil` if the driver ends first. Another thread reads the
    /// rest of its output, so that the driver never waits for a reader.
    private static func greeting(in output: FileHandle) async -> (folder: String, port: Int)? {
        await withCheckedContinuation { continuation in
            Thread {
                var text = ""
                var waiting: CheckedContinuation<(folder: String, port: Int)?, Never>? = continuation
                while case let more = output.availableData, !more.isEmpty {
                    guard let answered = waiting else { continue }
                    text += String(decoding: more, as: UTF8.self)
                    let greeting = /folder (?<folder>.+)\n(?s:.*)started successfully on port (?<port>\d+)/
                    guard let match = text.firstMatch(of: greeting), let port = Int(match.port) else { continue }
                    answered.resume(returning: (String(match.folder), port))
                    waiting = nil
                }
                waiting?.resume(returning: nil)
            }.start()
        }
    }
}
