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
        /// One of two servers on PostgreSQL.
        case serversOnPostgreSQL
        /// The PostgreSQL server.
        case postgreSQL
        /// Alternately one of the servers, PostgreSQL, or both.
        case anyProcess
        /// The primary of a PostgreSQL with a synchronous standby, which is promoted; sometimes also a server.
        case primary

        /// The variants that can run here: the requested one, all for a requested number of ends, else two that end
        /// servers and stores.
        static let available = allCases.filter { variant in
            let environment = ProcessInfo.processInfo.environment
            let wanted = environment["TORTURE_VARIANT"] ?? ""
            let isShort = wanted.isEmpty && environment["TORTURE_KILLS"] == nil
            return
                (isShort ? [.serverOnSQLite, .anyProcess].contains(variant) : ["", variant.rawValue].contains(wanted))
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
    private let program: String
    /// The store of the servers.
    let journal: String
    /// Additional variables of each server's environment.
    private let environments: Mutex<[[String: String]]>
    /// The address of a proxy before the servers, which then keep their ports; `nil` without a proxy.
    private let proxy = Mutex<String?>(nil)
    /// `nil` without PostgreSQL. A primary gets another standby after each end.
    private let clusters: Mutex<(primary: PostgreSQLCluster, standby: PostgreSQLCluster?)?>
    private let file = TemporaryFile()
    /// `nil` for a server that is not running at the moment.
    private let servers: Mutex<[Server?]>
    private let log = Mutex<[String]>([])

    /// - Parameters:
    ///   - program: The name of the program that each server runs.
    ///   - environment: Additional variables of its environment.
    init(
        _ variant: Variant, of program: String = "coordinate-server", environment: [String: String] = [:]
    ) async throws {
        self.variant = variant
        self.program = program
        if variant == .serverOnSQLite {
            clusters = Mutex(nil)
            journal = "sqlite:\(file.path)"
        } else {
            let primary = try await PostgreSQLCluster()
            let schema = try await primary.makeSchema(ownedBy: "locked")
            let standby = variant == .primary ? try await PostgreSQLCluster(standbyOf: primary) : nil
            let hosts = [primary.host, standby?.host].compactMap(\.self).joined(separator: ",")
            journal = primary.address(schema: schema, user: "locked", password: Self.password, hosts: hosts)
            clusters = Mutex((primary, standby))
            if standby != nil {
                try await primary.requireStandby(true)
                try await primary.awaitStandby()
            }
        }
        servers = Mutex(Array(repeating: nil, count: variant == .serverOnSQLite ? 1 : 2))
        environments = Mutex(Array(repeating: environment, count: variant == .serverOnSQLite ? 1 : 2))
        for place in 0..<count { try await start(place) }
    }

    deinit {
        for case let server? in servers.withLock({ $0 }) { server.program.kill(SIGKILL) }
    }

    /// The servers' password for PostgreSQL, which they must not log.
    static let password = "secret"

    var count: Int { servers.withLock { $0.count } }

    /// The addresses of the running servers, or the address of the proxy before them.
    var urls: [String] { proxy.withLock(\.self).map { [$0] } ?? servers.withLock { $0.compactMap { $0?.url } } }

    var isBehindProxy: Bool { proxy.withLock { $0 != nil } }

    /// From now on, clients use the proxy at an address, which passes their requests on to the servers.
    func hide(behind url: String) { proxy.withLock { $0 = url } }

    /// The log of all servers that have ended.
    var words: [String] { log.withLock(\.self) }

    // MARK: Starting and ending

    /// Starts a server, and starts it again if it ends with the status for unavailable services: on a busy machine,
    /// PostgreSQL may need longer to accept it than it waits.
    ///
    /// - Parameter port: The port to listen on, if it is still free.
    private func start(_ place: Int, port: String = "0", attempt: Int = 1) async throws {
        let program = try Program.start(
            ["serve", "--port", port, "--journal", journal], of: program,
            environment: environments.withLock { $0[place] }.merging(
                ["COORDINATE_PASSIVATE_AFTER": "1", "COORDINATE_WORKERS": "2"]) { $1 })
        let line = await program.line()
        guard let url = line?.split(separator: " ").last, line?.hasPrefix("listening on ") == true else {
            let errors = await program.remainingErrors()
            if attempt < 5, await program.status() == 69 {
                return try await start(place, port: isBehindProxy ? port : "0", attempt: attempt + 1)
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
    /// - Returns: The number of ended processes, and the number of promoted standbys.
    nonisolated(nonsending) func strike(
        _ generator: inout SeededGenerator, meanwhile: nonisolated(nonsending) (Bool) async throws -> Void
    ) async throws -> (kills: Int, promotions: Int) {
        let place = Int.random(in: 0..<count, using: &generator)
        let (endsServer, endsDatabase) =
            switch variant {
            case .serverOnSQLite, .serversOnPostgreSQL: (true, false)
            case .postgreSQL: (false, true)
            case .anyProcess:
                [(true, false), (false, true), (true, true)].randomElement(using: &generator) ?? (true, true)
            case .primary: (Int.random(in: 1...3, using: &generator) == 1, true)
            }
        let clusters = clusters.withLock(\.self)
        // A stopped process is like a dead one for its clients, but does not close its connections.
        let standsStill = clusters?.standby != nil && Bool.random(using: &generator)
        if endsDatabase { try await standsStill ? clusters?.primary.pause() : clusters?.primary.kill() }
        let former = endsServer ? await end(place, SIGKILL) : nil
        try await meanwhile(!urls.isEmpty && !endsDatabase)
        if endsDatabase, let standby = clusters?.standby {
            try await promote(standby, waiting: Bool.random(using: &generator)) { try await meanwhile(!urls.isEmpty) }
        } else if endsDatabase {
            try await clusters?.primary.start()
        }
        if let former {
            let keepsPort = Bool.random(using: &generator) || isBehindProxy
            try await start(place, port: keepsPort ? former.port : "0")
        }
        return ((endsServer ? 1 : 0) + (endsDatabase ? 1 : 0), clusters?.standby != nil ? 1 : 0)
    }

    /// Promotes the standby to primary, and creates another standby in place of the former primary.
    ///
    /// - Parameters:
    ///   - isWaiting: Whether nothing is acknowledged until there is a standby again.
    ///   - meanwhile: Called before there is a standby, if that need not be awaited.
    nonisolated(nonsending) private func promote(
        _ standby: PostgreSQLCluster, waiting isWaiting: Bool,
        meanwhile: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        guard let former = clusters.withLock(\.self)?.primary else { return }
        try await standby.promote()
        if !isWaiting {
            try await standby.requireStandby(false)
            try await meanwhile()
        }
        try await former.kill()
        let next = try await PostgreSQLCluster(standbyOf: standby, port: former.port)
        try await standby.requireStandby(true)
        try await standby.awaitStandby()
        clusters.withLock { $0 = (standby, next) }
    }

    /// Ends a server regularly, and starts it again on the same port in another environment.
    ///
    /// - Returns: Its exit status.
    func replace(_ place: Int, in environment: [String: String]) async throws -> Int32? {
        let former = await end(place, SIGTERM)
        environments.withLock { $0[place] = environment }
        try await start(place, port: former?.port ?? "0")
        return former?.status
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
