internal import Foundation
internal import Synchronization

/// A PostgreSQL server for tests and benchmarks, in its own folder and on its own port. It ends with the tests.
///
/// Its commits are as durable as those of any other server, so that tests can stop it at any moment.
public final class PostgreSQLCluster: Sendable {
    /// Whether there is a PostgreSQL on this machine that can be started.
    public static var isAvailable: Bool { Installation.found != nil }

    /// The explanation if there is none.
    package static let hint: String =
        "Needs the programs of a PostgreSQL server (on Debian: postgresql), and, run as root, its user postgres."

    /// The cluster for all tests that do not stop it. Each test uses its own schema.
    package static var shared: PostgreSQLCluster {
        get async throws { try await sharedTask.value }
    }

    private static let sharedTask = Task { try await PostgreSQLCluster() }

    private let guardian: Guardian
    private let installation: Installation
    private let folder: String
    private let lastPort = Mutex(0)
    private let schemaCount = Atomic(0)

    /// The settings of clusters for tests, many of which run at once.
    public static let testSettings: String = "max_connections = 400\nshared_buffers = 64MB\nwal_keep_size = 256MB"

    /// Creates a new cluster, and starts it.
    ///
    /// - Parameter settings: Lines of its configuration; empty for PostgreSQL's defaults.
    public convenience init(settings: String = testSettings) async throws {
        try await self.init(copyOf: nil, settings: settings)
        // Another program may use the port first.
        for attempt in 1... {
            do {
                try await start(at: Self.freePort())
                break
            } catch {
                guard attempt < 5 else { throw error }
            }
        }
        try await execute("CREATE ROLE locked LOGIN PASSWORD 'secret'")
        try await execute("GRANT CREATE ON DATABASE postgres TO locked")
    }

    /// Creates a standby of another cluster, and starts it. It copies and follows the data of the primary.
    ///
    /// - Parameter port: The port to listen on; `nil` for a free port.
    package convenience init(standbyOf primary: PostgreSQLCluster, port: Int? = nil) async throws {
        try await self.init(copyOf: primary.address(), settings: Self.testSettings)
        try await start(at: port ?? Self.freePort())
    }

    private init(copyOf primary: String?, settings: String) async throws {
        guard let installation = Installation.found else { throw ClusterError(description: Self.hint) }
        self.installation = installation
        guardian = try Guardian(installation, standbyOf: primary, settings: settings)
        folder = try await guardian.line()
    }

    // MARK: Life cycle

    /// - Parameter port: The port to listen on; `nil` for the former one.
    package func start(at port: Int? = nil) async throws {
        if let port { lastPort.withLock { $0 = port } }
        try await guardian.command("start \(self.port)")
    }

    /// Stops it as an administrator does.
    package func stop() async throws { try await guardian.command("stop") }

    /// Kills all its processes at once.
    package func kill() async throws { try await guardian.command("kill") }

    /// Freezes all its processes: clients that are connected get no further response.
    package func pause() async throws { try await guardian.command("pause") }

    package func resume() async throws { try await guardian.command("resume") }

    /// Promotes a standby to primary.
    package func promote() async throws { try await guardian.command("promote") }

    /// Requires that a standby has each commit before it is acknowledged, whether there is a standby or not; or no
    /// longer requires it.
    package func requireStandby(_ isRequired: Bool) async throws {
        let names = isRequired ? "*" : ""
        try await execute("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
        try await execute("SELECT pg_reload_conf()")
        try await wait(for: "SELECT current_setting('synchronous_standby_names') = '\(names)'")
    }

    /// Waits until a standby has all commits so far, and follows further ones.
    package func awaitStandby() async throws {
        try await wait(
            for: "SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'")
    }

    private func wait(for condition: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await execute(condition) != ["t"] {
            guard ContinuousClock.now < deadline else { throw ClusterError(description: "never: \(condition)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: Requests

    /// The address of a new, empty schema.
    public func makeAddress() async throws -> String {
        address(schema: try await makeSchema())
    }

    /// Creates a new, empty schema.
    package func makeSchema(ownedBy user: String = "postgres") async throws -> String {
        let schema = "test_\(schemaCount.add(1, ordering: .relaxed).newValue)"
        try await execute("CREATE SCHEMA \(schema) AUTHORIZATION \(user)")
        return schema
    }

    package func address(
        schema: String? = nil, user: String = "postgres", password: String? = nil, hosts: String? = nil
    ) -> String {
        let user = user + (password.map { ":\($0)" } ?? "")
        let options = schema.map { "?options=-csearch_path%3D\($0)" } ?? ""
        return "postgres://\(user)@\(hosts ?? host)/postgres\(options)"
    }

    /// Its host and port.
    package var host: String { "127.0.0.1:\(port)" }

    package var port: Int { lastPort.withLock { $0 } }

    /// Returns the result of a statement: a line for each row, with columns separated by `|`.
    ///
    /// - Parameter address: An address from ``makeAddress()``; `nil` for the database without a schema.
    @discardableResult
    public func execute(_ statement: String, at address: String? = nil) async throws -> [String] {
        let output = try await installation.run("psql", ["-XAtqc", statement, address ?? self.address()])
        return output.split(separator: "\n").map(String.init)
    }

    /// Returns a free port.
    package static func freePort() throws -> Int { try SilentServer().port }
}

/// A server that listens and never responds.
package final class SilentServer: Sendable {
    package let port: Int
    private let socket: Int32

    package init() throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else { throw ClusterError(description: "no free port") }
    }

    deinit { close(socket) }
}

package struct ClusterError: Error, CustomStringConvertible {
    package let description: String
}
