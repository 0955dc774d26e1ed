internal import CoordinateSessions
internal import Foundation
internal import Glibc

/// A process that runs a ``TrialWorker``. One thread uses it.
final class TrialProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var text: [UInt8] = []
    private var start = 0

    /// - Parameters:
    ///   - arguments: The arguments of this program with which it is a worker.
    ///   - isQuiet: Whether its standard error is dropped.
    init(_ arguments: [String], isQuiet: Bool = false) throws {
        let own = "/proc/self/exe"
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: own)) ?? own
        // The file may have been replaced since this process began.
        process.executableURL = URL(filePath: FileManager.default.isExecutableFile(atPath: path) ? path : own)
        process.arguments = arguments
        // A crash is part of the report, and needs no backtrace.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        try process.run()
    }

    /// Asks for verdicts on sessions. They are few enough for a pipe, which has room for 64 KiB.
    func ask(about sessions: [SessionID]) {
        let lines = sessions.map { "\($0)\n" }.joined()
        try? input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
    }

    /// Waits for the next verdict; `nil` if the process has ended.
    func next() -> TrialVerdict? {
        while true {
            if let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return TrialVerdict(line: Array(text[start..<end]))
            }
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { return nil }
            text.removeFirst(start)
            start = 0
            text += part
        }
    }

    /// The way in which a process ended.
    enum End {
        case status(Int32)
        case signal(Int32)
    }

    /// Ends its input, and waits for its end.
    func finish() -> End {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? .status(process.terminationStatus) : .signal(process.terminationStatus)
    }
}
