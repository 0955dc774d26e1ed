import Foundation
import Glibc
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinateTesting

/// A store, a till, and all servers started on them, one after the other or at once.
struct CrashHouse: Sendable {
    enum Store {
        case memory, sqlite, postgreSQL

        /// The stores on this machine that keep sessions after the server ends.
        static let durable: [Store] = PostgreSQLCluster.isAvailable ? [.sqlite, .postgreSQL] : [.sqlite]
        static let all: [Store] = [.memory] + durable
    }

    let journal: String
    let folder: URL

    /// Runs the body with an empty store.
    static nonisolated(nonsending) func with(
        _ store: Store, _ body: nonisolated(nonsending) (CrashHouse) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let journal =
                switch store {
                case .memory: "memory"
                case .sqlite: "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
                case .postgreSQL: try await PostgreSQLCluster.shared.makeAddress()
                }
            try await body(CrashHouse(journal: journal, folder: folder))
        }
    }

    /// Runs the body with a server that is ready: it has a connection to its store, on which it can record a crash in the
    /// two seconds for which a crashing process waits. A server that crashes at its start never is.
    nonisolated(nonsending) func serve<Result>(
        _ environment: [String: String] = [:],
        _ body: nonisolated(nonsending) (Program, SessionClient) async throws -> Result
    ) async throws -> Result {
        try await Program.run(
            ["serve", "--port", "0", "--journal", journal], of: "payment-server",
            // The standard error is not read, and a backtrace may be larger than its pipe.
            environment: environment.merging(["TILL": folder.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 },
            in: folder
        ) { program in
            let client = SessionClient(url: try await program.url(), headers: [:])
            while (try? await client.get("/readyz"))?.status == 503 {
                try await Task.sleep(for: .milliseconds(5))
            }
            let result = try await body(program, client)
            // The file is free for the next server.
            program.kill(SIGKILL)
            _ = await program.status()
            return result
        }
    }

    /// Starts a server that one of a session's events crashes.
    nonisolated(nonsending) func crash(
        _ session: String, by event: JSON = ["event": "payment.trap"], _ environment: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws {
        try await serve(environment) { program, client in
            await program.crashes(location) {
                _ = try? await client.inSession(session).post("/events", json: event)
            }
        }
    }

    func layMine() { TestTill(folder: folder).put("mine") }
}

extension Program {
    /// Does something that crashes the program, and waits for the crash.
    nonisolated(nonsending) func crashes(
        _ location: SourceLocation = #_sourceLocation, _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await body()
        let status = await status()
        #expect(
            [SIGILL, SIGTRAP, SIGSEGV, SIGBUS].map { 128 + $0 }.contains(status), "\(status)", sourceLocation: location)
    }
}
