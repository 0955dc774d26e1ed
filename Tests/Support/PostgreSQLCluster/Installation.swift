internal import Foundation

/// The programs of a PostgreSQL server on this machine.
struct Installation: Sendable {
    /// The folder of the programs.
    let programs: String
    /// The beginning of a command line that must run as a user other than root; empty if this user is not root.
    let asUser: [String]

    static let found: Installation? = {
        #if os(Linux)
            guard
                let programs = folders.first(where: { isExecutable("\($0)/initdb") && isExecutable("\($0)/postgres") })
            else { return nil }
            guard geteuid() == 0 else { return Installation(programs: programs, asUser: []) }
            guard getpwnam("postgres") != nil else { return nil }
            for (path, arguments) in [
                ("/usr/bin/setpriv", ["--reuid=postgres", "--regid=postgres", "--init-groups"]),
                ("/usr/sbin/runuser", ["-u", "postgres", "--"]), ("/sbin/runuser", ["-u", "postgres", "--"]),
            ] where isExecutable(path) {
                return Installation(programs: programs, asUser: [path] + arguments)
            }
        #endif
        return nil
    }()

    /// The folders that may contain the programs, newest version first.
    private static var folders: [String] {
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? [])
            .sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
        let output = try? run("/bin/sh", ["-c", "pg_config --bindir"])
        let first = output.map { [$0.trimmingCharacters(in: .whitespacesAndNewlines)] } ?? []
        return first + versions.map { "/usr/lib/postgresql/\($0)/bin" }
    }

    private static func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
    }

    // MARK: Processes

    /// Runs one of the programs, and returns its output. Waiting blocks, so it happens on a separate thread.
    func run(_ program: String, _ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try Self.run("\(programs)/\(program)", arguments) })
            }
        }
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.runUnblocked()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let reason = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ClusterError(description: "\(path) \(arguments.joined(separator: " ")): \(reason)")
        }
        return text
    }
}

extension Process {
    /// Starts the process with no signal blocked. Threads of Dispatch block signals, and a process inherits that from
    /// its thread.
    func runUnblocked() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
