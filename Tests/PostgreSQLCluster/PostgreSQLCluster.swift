internal import Foundation
internal import Synchronization

/// A PostgreSQL of the tests' own: in a folder of its own, on a port of its own, and gone as soon as the tests are.
///
/// It holds what it commits as safely as any other, so that tests can end it in the middle of something.
package final class PostgreSQLCluster: Sendable {
    /// Whether there is a PostgreSQL on this machine that can be started.
    package static var isAvailable: Bool { Installation.found != nil }

    /// To be said where there is none.
    package static let hint: String =
        "Needs the programs of a PostgreSQL server (on Debian: postgresql), and, run as root, its user postgres."

    /// One for all tests that do not end it, each of which takes a schema of its own.
    package static var shared: PostgreSQLCluster {
        get async throws { try await sharedTask.value }
    }

    private static let sharedTask = Task { try await PostgreSQLCluster() }

    private let guardian: Guardian
    private let installation: Installation
    private let folder: String
    private let port = Mutex(0)
    private let schemaCount = Atomic(0)

    /// Makes a new one, and starts it.
    package init() async throws {
        guard let installation = Installation.found else { throw ClusterError(description: Self.hint) }
        self.installation = installation
        guardian = try Guardian(installation)
        folder = try await guardian.line()
        // Somebody else may take the port before it is used.
        for attempt in 1... {
            let free = try Self.freePort()
            port.withLock { $0 = free }
            do {
                try await start()
                break
            } catch {
                guard attempt < 5 else { throw error }
            }
        }
        try await execute("CREATE ROLE locked LOGIN PASSWORD 'secret'")
        try await execute("GRANT CREATE ON DATABASE postgres TO locked")
    }

    // MARK: Its life

    package func start() async throws {
        try await guardian.command("start \(port.withLock { $0 })")
    }

    /// Ends it as an administrator does.
    package func stop() async throws { try await guardian.command("stop") }

    /// Ends all its processes at once.
    package func kill() async throws { try await guardian.command("kill") }

    /// Has all its processes stand still: who has connected already, hears nothing more.
    package func pause() async throws { try await guardian.command("pause") }

    package func resume() async throws { try await guardian.command("resume") }

    // MARK: Its use

    /// The address of a new schema, with nothing in it.
    package func makeAddress() async throws -> String {
        let schema = "test_\(schemaCount.add(1, ordering: .relaxed).newValue)"
        try await execute("CREATE SCHEMA \(schema)")
        return address(schema: schema)
    }

    package func address(
        schema: String? = nil, user: String = "postgres", password: String? = nil, hosts: String? = nil
    ) -> String {
        let user = user + (password.map { ":\($0)" } ?? "")
        let options = schema.map { "?options=-csearch_path%3D\($0)" } ?? ""
        return "postgres://\(user)@\(hosts ?? host)/postgres\(options)"
    }

    /// Its host and port.
    package var host: String { "127.0.0.1:\(port.withLock { $0 })" }

    /// What a statement says, a line for each row, with columns apart by `|`.
    ///
    /// - Parameter address: One of ``makeAddress()``; nil for the database as such.
    @discardableResult
    package func execute(_ statement: String, at address: String? = nil) async throws -> [String] {
        let output = try await installation.run("psql", ["-XAtqc", statement, address ?? self.address()])
        return output.split(separator: "\n").map(String.init)
    }

    /// Ends the connections of all who use a schema, but for the one that asks for it.
    package func endConnections() async throws {
        try await execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coordinate'")
    }

    /// A port that nobody listens on.
    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
            }
        }
        guard result else { throw ClusterError(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

package struct ClusterError: Error, CustomStringConvertible {
    package let description: String
}
