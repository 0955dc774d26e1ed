internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Glibc

/// A process that runs a ``TrialWorker``.
struct TrialProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    /// What it writes, until it ends.
    let results: AsyncStream<TrialResult>

    /// - Parameters:
    ///   - arguments: The arguments of this program with which it is a worker.
    ///   - isQuiet: Whether its standard error is dropped.
    init(_ arguments: [String], isQuiet: Bool = false) throws(ServerError) {
        let own = "/proc/self/exe"
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: own)) ?? own
        // The file may have been replaced since this process began.
        process.executableURL = URL(filePath: FileManager.default.isExecutableFile(atPath: path) ? path : own)
        process.arguments = arguments
        // A crash is part of the report, and needs no backtrace.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        do {
            try process.run()
        } catch {
            throw .unavailable("A process for the check cannot be started: \(error)")
        }
        let (results, adding) = AsyncStream<TrialResult>.makeStream()
        self.results = results
        Thread.detachNewThread {
            var text = Data()
            while case let part = output.fileHandleForReading.availableData, !part.isEmpty {
                // A slice would keep everything that was read before it.
                text = Data(text) + part
                while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                    // The program may have written lines of its own before.
                    if let result = TrialResult(line: text[..<end]) { adding.yield(result) }
                    text = text[(end + 1)...]
                }
            }
            adding.finish()
        }
    }

    /// Requests the results of sessions. They are few enough for a pipe, which has room for 64 KiB.
    func replay(_ trials: some Sequence<Trial>) {
        let line = trials.map(\.description).joined(separator: " ") + "\n"
        try? input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
    }

    /// Ends its input, and waits for its end.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The way in which a session ended it.
    ///
    /// - Throws: The status with which it ended by itself, after it has written the reason.
    func crash() throws(ExitCode) -> String {
        finish()
        let status = process.terminationStatus
        switch (process.terminationReason, status) {
        case (.uncaughtSignal, SIGALRM): return "a turn did not end within \(TrialWorker.patience) s, twice"
        case (.uncaughtSignal, SIGKILL): return "the process was killed twice, perhaps for lack of memory (signal 9)"
        case (.uncaughtSignal, _): return "the process crashed twice (signal \(status))"
        case (_, ExitCode.unavailable.rawValue), (_, ExitCode.unusable.rawValue): throw ExitCode(status)
        default: return "the app ended the process twice (status \(status))"
        }
    }
}
