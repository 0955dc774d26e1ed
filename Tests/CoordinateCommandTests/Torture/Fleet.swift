import Foundation
import Glibc
import PostgreSQLCluster
import SeededGenerator
import Synchronization

/// Servers on one store, as processes, and the ways in which they come to a sudden end.
final class Fleet: Sendable {
    /// Who is ended in a run.
    enum Variant: String, CaseIterable, Sendable {
        /// The one server on an SQLite file.
        case serverOnSQLite
        /// One of two servers on a PostgreSQL.
        case serversOnPostgreSQL
        /// That PostgreSQL.
        case postgreSQL
        /// Now the one, now the other, now both.
        case anybody
        /// The primary of a PostgreSQL with a synchronous standby, which takes over, and sometimes a server, too.
        case primary

        /// Those that can be run here, or the one of them that is asked for.
        static let available = allCases.filter { variant in
            let wanted = ProcessInfo.processInfo.environment["TORTURE_VARIANT"] ?? ""
            return (wanted.isEmpty || variant.rawValue == wanted)
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
    private let journal: String
    /// Nil where there is no PostgreSQL. A primary has another standby after each end.
    private let clusters: Mutex<(primary: PostgreSQLCluster, standby: PostgreSQLCluster?)?>
    private let folder: URL
    /// Nil for one that is not there at the moment.
    private let servers: Mutex<[Server?]>
    private let log = Mutex<[String]>([])

    init(_ variant: Variant) async throws {
        self.variant = variant
        folder = FileManager.default.temporaryDirectory.appending(path: "torture-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if variant == .serverOnSQLite {
            clusters = Mutex(nil)
            journal = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
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
        for place in 0..<count { try await start(place) }
    }

    deinit {
        for case let server? in servers.withLock({ $0 }) { server.program.kill(SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The password of the servers at PostgreSQL, which they are to keep to themselves.
    static let password = "secret"

    var count: Int { servers.withLock { $0.count } }

    /// Those that can be asked now.
    var urls: [String] { servers.withLock { $0.compactMap { $0?.url } } }

    /// All that servers have said that are gone.
    var words: [String] { log.withLock(\.self) }

    // MARK: Lives

    /// Starts a server, and once more where it ends with the status for what is not to be had: on a busy machine, PostgreSQL
    /// may take longer to let it in than it waits.
    ///
    /// - Parameter port: The one to listen on, where it is still free.
    private func start(_ place: Int, port: String = "0", attempt: Int = 1) async throws {
        let program = try Program.start(
            ["serve", "--port", port, "--journal", journal],
            environment: ["COORDINATE_PASSIVATE_AFTER": "1", "COORDINATE_WORKERS": "2"])
        let line = await program.line()
        guard let url = line?.split(separator: " ").last, line?.hasPrefix("listening on ") == true else {
            let errors = await program.remainingErrors()
            if attempt < 5, await program.status() == 69 { return try await start(place, attempt: attempt + 1) }
            throw Failure(description: "A server does not start: \(errors)")
        }
        servers.withLock { $0[place] = Server(program: program, url: String(url)) }
        // What it says is taken from it as it comes: it must not wait for that.
        Task { [weak self] in
            let errors = await program.remainingErrors()
            self?.log.withLock { $0 += errors.split(separator: "\n").map { "server \(place): \($0)" } }
        }
    }

    /// Ends a server with a signal, and returns its port and its exit status once it is gone.
    private func end(_ place: Int, _ signal: Int32) async -> (port: String, status: Int32)? {
        // Nobody asks it from now on who has not begun to.
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

    /// Ends somebody at once, and starts them again.
    ///
    /// - Parameter meanwhile: Is called between the two, with whether anybody is left to be asked.
    /// - Returns: how many were ended, and how many standbys took over.
    nonisolated(nonsending) func strike(
        _ generator: inout SeededGenerator, meanwhile: nonisolated(nonsending) (Bool) async throws -> Void
    ) async throws -> (kills: Int, promotions: Int) {
        let place = Int.random(in: 0..<count, using: &generator)
        let (endsServer, endsDatabase) =
            switch variant {
            case .serverOnSQLite, .serversOnPostgreSQL: (true, false)
            case .postgreSQL: (false, true)
            case .anybody:
                [(true, false), (false, true), (true, true)].randomElement(using: &generator) ?? (true, true)
            case .primary: (Int.random(in: 1...3, using: &generator) == 1, true)
            }
        let clusters = clusters.withLock(\.self)
        // One that stands still is as good as dead to all who have asked it, but does not say so.
        let standsStill = clusters?.standby != nil && Bool.random(using: &generator)
        if endsDatabase { try await standsStill ? clusters?.primary.pause() : clusters?.primary.kill() }
        let former = endsServer ? await end(place, SIGKILL) : nil
        try await meanwhile(!urls.isEmpty && !endsDatabase)
        if endsDatabase, let standby = clusters?.standby {
            try await promote(standby, waiting: Bool.random(using: &generator)) { try await meanwhile(!urls.isEmpty) }
        } else if endsDatabase {
            try await clusters?.primary.start()
        }
        if let former { try await start(place, port: Bool.random(using: &generator) ? former.port : "0") }
        return ((endsServer ? 1 : 0) + (endsDatabase ? 1 : 0), clusters?.standby != nil ? 1 : 0)
    }

    /// Makes the standby the primary, and then another standby of it, where the former primary was.
    ///
    /// - Parameters:
    ///   - isWaiting: Whether nothing is acknowledged until there is a standby again.
    ///   - meanwhile: Is called before there is one, where it need not be waited for.
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

    /// Ends all servers in good order, and starts them again.
    ///
    /// - Returns: their exit statuses.
    func restart() async throws -> [Int32] {
        var statuses: [Int32] = []
        for place in 0..<count {
            if let former = await end(place, SIGTERM) { statuses.append(former.status) }
            try await start(place)
        }
        return statuses
    }
}
