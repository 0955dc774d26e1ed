import Foundation
import Glibc
import Synchronization
import Testing

/// A program that is started for a test and ends with it: `coordinate-server`, unless another one is named.
final class Program: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name) is not beside the tests: build it with swift build --build-tests" }
    }

    /// The error for a program that ended instead of serving.
    struct NotServing: Error {
        let program: Program
        let status: Int32
        let errors: String
    }

    /// The end of a program: its exit status, and what it has written.
    typealias Outcome = (status: Int32, output: String, errors: String)

    private let process: Process
    private let input: Pipe?
    private let output = Pipe()
    private let errors = Pipe()
    private let end: AsyncStream<Int32>

    /// Runs the body with the program started, and ends the program afterwards in any case.
    ///
    /// On a busy machine, PostgreSQL may need longer to accept a server than the server waits. A program that ends for
    /// that reason, with the status for unavailable services, is started once more, and the body runs again: it calls
    /// ``url()`` first.
    ///
    /// - Parameters:
    ///   - name: The program's name, or the path of a copy.
    ///   - environment: Variables in addition to those of the tests, without the program's own.
    ///   - folder: The working directory.
    ///   - takesInput: Whether the test writes to its standard input, which is empty otherwise.
    nonisolated(nonsending) static func run<Result>(
        _ arguments: [String], of name: String = "coordinate-server", environment: [String: String] = [:],
        in folder: URL = shipped, takesInput: Bool = false,
        _ body: nonisolated(nonsending) (Program) async throws -> Result
    ) async throws -> Result {
        var attempts = arguments.contains { $0.hasPrefix("postgres://") } ? 5 : 1
        while true {
            let program = try Program(
                name, arguments, environment: environment, folder: folder, takesInput: takesInput)
            defer { program.kill(SIGKILL) }
            attempts -= 1
            do {
                return try await body(program)
            } catch let end as NotServing where end.program === program && end.status == 69 && attempts > 0 {
            } catch {
                // The program's output often contains the reason.
                program.kill(SIGKILL)
                let errors = await program.remainingErrors()
                if !errors.isEmpty { Issue.record("\(name) wrote:\n\(errors.suffix(4_000))", severity: .warning) }
                throw error
            }
        }
    }

    /// Runs the body with a program that signals can interrupt, as if a shell had started it. Foundation starts programs
    /// with all signals blocked.
    nonisolated(nonsending) static func runFromShell<Result>(
        _ arguments: [String], of name: String = "coordinate-server", environment: [String: String] = [:],
        in folder: URL = shipped, _ body: nonisolated(nonsending) (Program) async throws -> Result
    ) async throws -> Result {
        let command = try ["--default-signal=INT", executable(name).path] + arguments
        return try await run(command, of: "/usr/bin/env", environment: environment, in: folder, body)
    }

    /// Runs the program until it ends by itself. A program that begins to serve instead is ended.
    nonisolated(nonsending) static func outcome(
        of arguments: [String], environment: [String: String] = [:], in folder: URL = shipped
    ) async throws -> Outcome {
        try await run(arguments, environment: environment, in: folder) { program in
            var output = ""
            if let line = await program.line() {
                program.kill(SIGKILL)
                output = line
            }
            let errors = await program.remainingErrors()
            return (await program.status(), output, errors)
        }
    }

    /// Runs the program until it ends by itself, and returns everything that it has written.
    nonisolated(nonsending) static func wholeOutcome(
        of arguments: [String], of name: String = "coordinate-server", environment: [String: String] = [:],
        in folder: URL = shipped
    ) async throws -> Outcome {
        try await run(arguments, of: name, environment: environment, in: folder) { program in
            async let output = program.remainingOutput()
            async let errors = program.remainingErrors()
            return (await program.status(), await output, await errors)
        }
    }

    /// Starts the program. The caller must end it.
    static func start(
        _ arguments: [String], of name: String = "coordinate-server", environment: [String: String] = [:]
    ) throws -> Program {
        try Program(name, arguments, environment: environment, folder: shipped)
    }

    private init(
        _ name: String, _ arguments: [String], environment: [String: String], folder: URL, takesInput: Bool = false
    ) throws {
        input = takesInput ? Pipe() : nil
        let (end, ender) = AsyncStream<Int32>.makeStream()
        self.end = end
        process = Process()
        process.executableURL = try Self.executable(name)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("COORDINATE_") }
            .merging(environment) { $1 }
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { process in
            // An uncaught signal ends a process without a status. Shells report this one.
            let isExit = process.terminationReason == .exit
            ender.yield((isExit ? 0 : 128) + process.terminationStatus)
            ender.finish()
        }
        try process.run()
    }

    /// Foundation's processes stay in memory, and would keep the pipes open: hundreds of them in a run of all tests.
    deinit {
        for pipe in [output, errors] { try? pipe.fileHandleForReading.close() }
    }

    /// The process id.
    var id: Int32 { process.processIdentifier }

    /// The ids of the processes that it has started.
    var children: [Int32] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task").flatMap { thread in
                let children = try? String(contentsOfFile: "/proc/\(id)/task/\(thread)/children", encoding: .utf8)
                return (children ?? "").split(separator: " ").compactMap { Int32($0) }
            }
        }
    }

    func kill(_ signal: Int32) {
        if process.isRunning { _ = Glibc.kill(process.processIdentifier, signal) }
    }

    /// Writes a text to the standard input.
    func write(_ text: String) throws {
        try input?.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Ends the standard input.
    func closeInput() throws {
        try input?.fileHandleForWriting.close()
    }

    /// The exit status when the process has ended; -1 for every later call.
    func status() async -> Int32 {
        await end.first { _ in true } ?? -1
    }

    /// The next line of the standard output, without its line feed; `nil` if there are no more.
    func line() async -> String? {
        await read { Self.line(of: $0.output) }
    }

    /// The next line of the standard error.
    func errorLine() async -> String? {
        await read { Self.line(of: $0.errors) }
    }

    private static func line(of pipe: Pipe) -> String? {
        var line: [UInt8] = []
        while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The rest of the standard output until it is closed.
    func remainingOutput() async -> String {
        await read { String(decoding: $0.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
    }

    /// The rest of the standard error until it is closed.
    func remainingErrors() async -> String {
        await read { String(decoding: $0.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
    }

    /// Reads on a separate thread, because reading blocks.
    private func read<Value: Sendable>(_ body: @escaping @Sendable (Program) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body(self)) }
        }
    }

    /// The folder with `config/` and `public/`.
    static let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// The program is built into the same folder as the tests, or into one around the test bundle.
    static func executable(_ name: String) throws -> URL {
        guard !name.hasPrefix("/") else { return URL(filePath: name) }
        let tests = CommandLine.arguments.filter { $0.contains(".xctest") } + [Bundle.main.executablePath ?? ""]
        for path in tests {
            var folder = URL(filePath: path).standardized
            for _ in 0..<4 {
                folder.deleteLastPathComponent()
                let candidate = folder.appending(path: name)
                if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            }
        }
        throw Missing(name: name)
    }
}

extension Program {
    /// The address in the first line, which is written when requests are accepted.
    func url() async throws -> String {
        guard let line = await line() else {
            let errors = await remainingErrors()
            throw NotServing(program: self, status: await status(), errors: errors)
        }
        try #require(line.hasPrefix("listening on http://"))
        return String(line.dropFirst("listening on ".count))
    }
}
