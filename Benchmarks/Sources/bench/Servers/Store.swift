import Foundation
import Loopback

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

    /// The least throughput it is to have with many sessions, as a multiple of that of memory; nil for memory itself.
    var goal: Double? {
        switch self {
        case .memory: nil
        case .sqlite: 0.4
        case .postgreSQL: 0.25
        }
    }
}

/// Where stores are made.
final class StoreRoom {
    /// Of those that can be had on this machine, memory first.
    let stores: [Store]
    /// For files of SQLite.
    private let folder: URL
    private let cluster: PostgreSQLCluster?
    private var fileCount = 0

    init(stage: Stage) throws {
        folder = stage.temporary
        cluster = try PostgreSQLCluster(in: folder)
        stores = Store.allCases.filter { [cluster] in $0 != .postgreSQL || cluster != nil }
    }

    /// The address of a new one, with nothing in it.
    func makeAddress(of store: Store) throws -> String {
        switch store {
        case .memory: return "memory"
        case .sqlite:
            fileCount += 1
            return "sqlite:\(folder.appending(path: "journal-\(fileCount).sqlite").path())"
        case .postgreSQL:
            guard let cluster else { throw BenchmarkError("There is no PostgreSQL here.") }
            return try cluster.makeDatabase()
        }
    }

    /// The kind of file system that the files of all stores are in: what a commit takes depends on it.
    var fileSystem: String {
        let kind = try? Program(named: "stat")?.run(["-f", "-c", "%T", folder.path()])
        return kind?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "an unknown file system"
    }
}
