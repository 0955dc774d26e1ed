internal import CoordinateSessions
internal import GRDB
internal import Synchronization

/// A thread that copies the write-ahead log into the file while the writer appends to the log
/// (https://sqlite.org/wal.html#checkpointing). If the writer copied it, events would wait for 15 to 40 ms.
///
/// SQLite begins the log anew once all of it is copied, but the writer's next commit comes first. So if the log is
/// long, the writer itself copies the last pages after a commit. If both copy at the same time, one of them fails, and
/// its pages are copied later.
final class LogCopier: Sendable {
    /// The pages of a long log: 8 MiB.
    static let longLog = 2_000
    /// The number of changes after which the log is copied. They fill some 300 pages.
    private static let interval = 1_000

    private let connection: DatabaseQueue
    private let worker: GroupWorker<Void>
    /// The number of changes since the last copy.
    private let changes = Atomic(0)

    init(path: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        self.connection = connection
        worker = GroupWorker(name: "sqlite-copier") { _ in
            // After a failure, for example because the disk is full, the next copy includes these pages.
            _ = try? connection.writeWithoutTransaction { try $0.checkpoint(.passive) }
        }
    }

    /// Counts changed rows and commits, and copies the log after some of them.
    func count(_ number: Int) {
        guard changes.add(number, ordering: .relaxed).newValue >= Self.interval else { return }
        changes.store(0, ordering: .relaxed)
        _ = worker.append(())
    }

    /// Copies nothing while a closure runs.
    func pause(_ body: () throws -> Void) rethrows {
        try connection.writeWithoutTransaction { _ in try body() }
    }

    func close() {
        worker.close()
        try? connection.close()
    }
}
