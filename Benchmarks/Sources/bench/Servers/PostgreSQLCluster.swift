import Foundation
import Loopback

/// A PostgreSQL cluster for the benchmark with default, durable settings. It ends with this program.
final class PostgreSQLCluster {
    let port: UInt16
    private let process = Process()
    private let life = Pipe()
    private let programs: URL
    private var databaseCount = 0

    /// `nil` if PostgreSQL's programs are missing or, for root, a user to run them.
    ///
    /// - Parameter folder: The folder for its files. Other users can enter it.
    init?(in folder: URL) throws {
        guard let programs = Self.programs else { return nil }
        let isRoot = geteuid() == 0
        if isRoot, getpwnam("postgres") == nil { return nil }
        self.programs = programs
        port = try LoopbackClient.freePort()

        let home = folder.appending(path: "postgresql")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        if isRoot { try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: home.path()) }
        let user = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : ["env"]
        let data = home.appending(path: "data").path()
        let initialisation =
            user + [programs.appending(path: "initdb").path(), "-D", data, "-U", "postgres"]
            + ["-A", "trust", "-E", "UTF8", "--locale=C"]
        _ = try Program(at: URL(filePath: "/usr/bin/env")).run(initialisation)

        // The cluster ends when its shell's input closes, which happens whenever this program ends.
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", #"cd /; "$@" 2>/dev/null & read -r _; kill -QUIT $!; wait"#, "sh"] + user
            + [programs.appending(path: "postgres").path(), "-D", data, "-p", "\(port)"]
            + ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        process.standardInput = life
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<600 {
            if (try? LoopbackClient(port: port)) != nil, (try? execute("SELECT 1")) != nil { return }
            usleep(50_000)
        }
        throw BenchmarkError("PostgreSQL did not start.")
    }

    deinit {
        try? life.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Creates an empty database and returns its address. Earlier writes to other databases are on disk.
    func makeDatabase() throws -> String {
        databaseCount += 1
        try execute("CREATE DATABASE bench\(databaseCount)")
        try execute("CHECKPOINT")
        return address(of: "bench\(databaseCount)")
    }

    private func address(of database: String) -> String { "postgres://postgres@127.0.0.1:\(port)/\(database)" }

    private func execute(_ statement: String) throws {
        let program = Program(at: programs.appending(path: "psql"))
        _ = try program.run(["-Xqc", statement, address(of: "postgres")])
    }

    /// The folder of the programs: of the version used for development if possible, otherwise of the newest.
    private static var programs: URL? {
        let told = try? Program(named: "pg_config")?.run(["--bindir"]).trimmingCharacters(in: .whitespacesAndNewlines)
        let versions = URL(filePath: "/usr/lib/postgresql")
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: versions.path())) ?? []
        let folders = numbers.compactMap { Int($0) }.sorted(by: >).map { versions.appending(path: "\($0)/bin") }
        return ((told.map { [URL(filePath: $0)] } ?? []) + folders).first { folder in
            ["initdb", "postgres", "psql"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: folder.appending(path: $0).path())
            }
        }
    }
}

extension LoopbackClient {
    /// Returns a port that no server listens on.
    fileprivate static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw BenchmarkError("There is no free port.") }
        return UInt16(bigEndian: address.sin_port)
    }
}
