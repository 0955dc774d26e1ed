import Foundation
import Glibc
import PostgreSQLCluster
import SeededGenerator
import SessionFixtures
import Synchronization

/// Servers on one store, as processes that are ended suddenly.
final class Fleet: Sendable {
    /// The processes that are ended in a run.
    enum Variant: String, CaseIterable, Sendable {
        /// The only server on an SQLite file.
        case serverOnSQLite
        /// Of two servers on PostgreSQL, alternately one, PostgreSQL, or both.
        case anyProcess

        /// The variants that can run here: the requested one, or all.
        static let available = allCases.filter { variant in
            ["", variant.rawValue].contains(ProcessInfo.processInfo.environment["TORTURE_VARIANT"] ?? "")
                && (variant == .serverOnSQLite || PostgreSQLCluster.isAvailable)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Server {
        let program: Program
        let url: String
    }

    private let variant: Variant
    /// The store of the servers.
    private let journal: String
    /// `nil` without PostgreSQL.
    private let cluster: PostgreSQLCluster?
    private let file = TemporaryFile()
    /// `nil` for a server that is not running at the moment.
    private let servers: Mutex<[Server?]>
    private let log = Mutex<[String]>([])

    init(_ variant: Variant) async throws {
        self.variant = variant
        if variant == .serverOnSQLite {
            cluster = nil
            journal = "sqlite:\(file.path)"
        } else {
            let cluster = try await PostgreSQLCluster()
            let schema = try await cluster.makeSchema(ownedBy: "locked")
            journal = cluster.address(schema: schema, user: "locked", password: Self.password)
            self.cluster = cluster
        }
        servers = Mutex(Array(repeating: nil, count: variant == .serverOnSQLite ? 1 : 2))
        for place in 0..<count { try await start(place) }
    }

    deinit {
        for case let server? in servers.withLock({ $0 }) { server.program.kill(SIGKILL) }
    }

    /// The servers' password for PostgreSQL, which they must not log.
    static let password = "secret"

    var count: Int { servers.withLock { $0.count } }

    /// The addresses of the running servers.
    var urls: [String] { servers.withLock { $0.compactMap { $0?.url } } }

    /// The log of all servers that have ended.
    var words: [String] { log.withLock(\.self) }

    // MARK: Starting and ending

    /// Starts a server, and starts it again if it ends with the status for unavailable services: on a busy machine,
    /// PostgreSQL may need longer to accept it than it waits.
    ///
    /// - Parameter port: The port to listen on, if it is still free.
    private func start(_ place: Int, port: String = "0", attempt: Int = 1) async throws {
        let program = try Program.start(
            ["serve", "--port", port, "--journal", journal],
            environment: ["COORDINATE_PASSIVATE_AFTER": "1", "COORDINATE_WORKERS": "2"])
        let line = await program.line()
        guard let url = line?.split(separator: " ").last, line?.hasPrefix("listening on ") == true else {
            let errors = await program.remainingErrors()
            if attempt < 5, await program.status() == 69 {
                return try await start(place, attempt: attempt + 1)
            }
            throw Failure(description: "A server does not start: \(errors)")
        }
        servers.withLock { $0[place] = Server(program: program, url: String(url)) }
        // Reads its output continuously, so that the server never waits for the reader.
        Task { [weak self] in
            let errors = await program.remainingErrors()
            self?.log.withLock { $0 += errors.split(separator: "\n").map { "server \(place): \($0)" } }
        }
    }

    /// Ends a server with a signal. Returns its port and its exit status when it has ended.
    private func end(_ place: Int, _ signal: Int32) async -> (port: String, status: Int32)? {
        // From now on, no new request goes to it.
        let server = servers.withLock { servers in
            defer { if signal != SIGKILL { servers[place] = nil } }
            return servers[place]
        }
        guard let server else { return nil }
        server.program.kill(signal)
        let status = await server.program.status()
        servers.withLock { $0[place] = nil }
        return (server.url.split(separator: ":").last.map(String.init) ?? "0", status)
    }

    /// Ends some of the processes at once, and starts them again.
    ///
    /// - Parameter meanwhile: Called between the two, with whether any server is still running.
    /// - Returns: The number of ended processes.
    nonisolated(nonsending) func strike(
        _ generator: inout SeededGenerator, meanwhile: nonisolated(nonsending) (Bool) async throws -> Void
    ) async throws -> Int {
        let place = Int.random(in: 0..<count, using: &generator)
        let choices = variant == .serverOnSQLite ? [(true, false)] : [(true, false), (false, true), (true, true)]
        let (endsServer, endsDatabase) = choices.randomElement(using: &generator) ?? (true, true)
        if endsDatabase { try await cluster?.kill() }
        let former = endsServer ? await end(place, SIGKILL) : nil
        try await meanwhile(!urls.isEmpty && !endsDatabase)
        if endsDatabase { try await cluster?.start() }
        if let former { try await start(place, port: Bool.random(using: &generator) ? former.port : "0") }
        return (endsServer ? 1 : 0) + (endsDatabase ? 1 : 0)
    }

    /// Ends all servers regularly, and starts them again.
    ///
    /// - Returns: Their exit statuses.
    func restart() async throws -> [Int32] {
        var statuses: [Int32] = []
        for place in 0..<count {
            if let former = await end(place, SIGTERM) { statuses.append(former.status) }
            try await start(place)
        }
        return statuses
    }
}
