package import Foundation

/// A server under test: a process on a free port of the loopback interface, which is stopped by its id.
package final class ServerProcess: Sendable {
    /// The server's name in the tables.
    package let name: String
    package let port: UInt16
    /// The time until the server listened, in seconds.
    package let startTime: Double
    private let process = Process()
    private let output = Pipe()

    /// Starts a program that writes `listening on http://127.0.0.1:PORT` once it listens.
    ///
    /// - Parameter standardError: The destination of its log. `nil` to discard it.
    package init(
        _ name: String, program: URL, arguments: [String], environment: [String: String] = [:],
        standardError: Pipe? = nil
    ) throws {
        self.name = name
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = standardError ?? FileHandle.nullDevice
        let start = ContinuousClock.now
        try process.run()
        StartedProcesses.append(process)
        var line = ""
        while !line.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchmarkError("\(name) ended before it listened.") }
            line += String(decoding: data, as: UTF8.self)
        }
        guard let port = line.split(separator: "\n")[0].split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchmarkError("\(name) did not say where it listens: \(line)")
        }
        self.port = port
        startTime = start.duration(to: .now) / .seconds(1)
    }

    deinit { stop() }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// The user and system time so far, in seconds, with a resolution of a hundredth.
    package func processorTime() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        // The second field is the program's name in brackets, which can contain spaces. The third field follows it.
        guard let bracket = text.lastIndex(of: ")") else { throw BenchmarkError("\(name) has ended.") }
        let fields = text[bracket...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw BenchmarkError("\(name) has ended.")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns the microseconds of processor time per request, of requests that `send` counts.
    package func cost(of send: () throws -> Int) throws -> Double {
        let before = try processorTime()
        let requests = try send()
        return (try processorTime() - before) / Double(requests) * 1e6
    }

    /// The resident memory, in bytes.
    package func residentMemory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkError("\(name) has ended.")
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The bytes that it has written to files so far, those that are not on the disk yet included.
    package func writtenBytes() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/io", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
        guard let bytes = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchmarkError("\(name) has ended.")
        }
        return bytes
    }

    package var isRunning: Bool { process.isRunning }

    /// Stops the process with SIGTERM and waits for its end.
    ///
    /// - Returns: The exit status, negative for a signal, and the duration of the stop in seconds.
    package func terminate() -> (status: Int32, time: Double) {
        let start = ContinuousClock.now
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        let status = process.terminationStatus
        return (process.terminationReason == .exit ? status : -status, start.duration(to: .now) / .seconds(1))
    }

    package func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// The reason why a measurement failed.
package struct BenchmarkError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
