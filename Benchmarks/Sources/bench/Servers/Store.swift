import Foundation
import Loopback
import PostgreSQLCluster
import Synchronization

/// A kind of journal.
enum Store: CaseIterable {
    case memory
    case sqlite
    case postgreSQL

    var title: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "SQLite"
        case .postgreSQL: "PostgreSQL"
        }
    }

    /// The goals for the throughput with many sessions next to memory's and next to what the machine allows, and for the
    /// 99th percentile at half of it. `nil` for memory.
    var goals: (rate: Goal, allowed: Goal, latency: Goal)? {
        switch self {
        case .memory: nil
        case .sqlite: (.sqlite, .synchronizations, .sqliteLatency)
        case .postgreSQL: (.postgreSQL, .inserts, .postgreSQLLatency)
        }
    }
}

extension Store {
    /// The goal for a page by attribute among a million sessions. `nil` for memory.
    var pagesGoal: Goal? {
        switch self {
        case .memory: nil
        case .sqlite: .sqlitePages
        case .postgreSQL: .postgreSQLPages
        }
    }
}

/// The place where stores are created.
final class StoreRoom {
    /// The kinds of stores that this machine has, memory first.
    let stores: [Store]
    /// The folder for SQLite files.
    private let folder: URL
    private let cluster: PostgreSQLCluster?
    private var fileCount = 0

    init(stage: Stage) throws {
        folder = stage.temporary
        cluster =
            PostgreSQLCluster.isAvailable
            ? try Self.wait { try await PostgreSQLCluster(settings: "") } : nil
        stores = Store.allCases.filter { [cluster] in $0 != .postgreSQL || cluster != nil }
    }

    /// Creates an empty store and returns its address.
    func makeAddress(of store: Store) throws -> String {
        switch store {
        case .memory: return "memory"
        case .sqlite:
            fileCount += 1
            return "sqlite:\(folder.appending(path: "journal-\(fileCount).sqlite").path())"
        case .postgreSQL:
            guard let cluster else { throw BenchmarkError("PostgreSQL is not installed.") }
            return try Self.wait {
                let address = try await cluster.makeAddress()
                // Earlier writes are on disk.
                try await cluster.execute("CHECKPOINT")
                return address
            }
        }
    }

    /// Waits for the cluster, which the benchmark does on its main thread.
    private static func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            isDone.signal()
        }
        isDone.wait()
        guard let result = result.withLock({ $0 }) else { throw BenchmarkError("PostgreSQL did not answer.") }
        return try result.get()
    }

    /// The kind of file system of all stores' files. The duration of a commit depends on it.
    var fileSystem: String {
        let kind = try? Program(named: "stat")?.run(["-f", "-c", "%T", folder.path()])
        return kind?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "an unknown file system"
    }
}
