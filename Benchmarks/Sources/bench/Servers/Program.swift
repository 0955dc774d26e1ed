import Foundation
import Loopback

/// A program that runs to its end, or until it is interrupted.
struct Program {
    let url: URL

    /// Finds a program on the `PATH`. `nil` if it is not installed.
    init?(named name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { URL(filePath: String($0)).appending(path: name) }
        guard let url = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path()) }) else {
            return nil
        }
        self.url = url
    }

    init(at url: URL) { self.url = url }

    /// Runs the program and returns its standard output.
    ///
    /// - Parameter isDone: Called every 20 ms. The program is interrupted once it returns true. `nil` to let the
    ///   program end by itself.
    func run(_ arguments: [String], until isDone: (() throws -> Bool)? = nil) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = url
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        try process.run()
        StartedProcesses.append(process)
        if let isDone {
            while process.isRunning, try !isDone() { usleep(20_000) }
            kill(process.processIdentifier, SIGINT)
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(url.lastPathComponent) \(arguments.joined(separator: " ")) failed:\n\(text)")
        }
        return text
    }
}
