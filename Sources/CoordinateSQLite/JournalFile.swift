internal import Coordinate
internal import CoordinateSessions
internal import Foundation
internal import GRDB
internal import Logging
internal import Synchronization

/// The open file of a journal. It does groups of jobs, one transaction per group.
final class JournalFile: Sendable {
    let isReadOnly: Bool
    let commits = CommitCounter()
    private let path: String
    let pool: DatabasePool
    /// `nil` if the file is only read.
    private let copier: LogCopier?
    private let logger: Logger
    let log: LogIndex
    /// The right to use the file; `nil` if it is only read.
    private let ownership: FileOwnership?
    /// The copy that is read in place of the file; `nil` if the file itself is read.
    private let copy: FileCopy?
    /// The number of sessions in the last committed state.
    private let committedCount: Atomic<Int>
    /// The number of sessions in the transaction under way.
    private let ownCount: Atomic<Int>
    /// Whether the last group could not be committed.
    private let isFailing = Atomic(false)
    /// The paths of the file and of its write-ahead log, and the files that they named when opened.
    private let places: [String: FileIdentity]
    /// Whether one of the paths no longer names the open file.
    private let isRemoved = Atomic(false)

    /// The moments until which sessions are kept that are not written yet.
    let keeps = Mutex<[SessionID: Timestamp]>([:])
    /// The leases to give back that could not be written yet.
    let owedLeases = Mutex<Set<SessionID>>([])

    init(path: String, isReadOnly: Bool, logger: Logger) throws(JournalOpeningError) {
        let manager = FileManager.default
        let target = Self.target(of: path)
        if !isReadOnly, !manager.fileExists(atPath: target.path) {
            // SQLite gives its other files the same permissions.
            _ = manager.createFile(atPath: target.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        // SQLite's other files are beside the file itself, which must exist for its folders' links to be resolved.
        let path = target.resolvingSymlinksInPath().path
        self.path = path
        self.isReadOnly = isReadOnly
        self.logger = logger
        guard !isReadOnly || manager.fileExists(atPath: path) else {
            throw .unreachable("There is no journal \(path). Name the file that a server uses.")
        }
        if (try? manager.attributesOfItem(atPath: path))?[.type] as? FileAttributeType == .typeDirectory {
            throw .unusable("The journal \(path) is a folder. Name a file in it.")
        }
        ownership = isReadOnly ? nil : try FileOwnership(of: path)
        do {
            let copy = try Self.inspect(path, isReadOnly: isReadOnly)
            self.copy = copy
            pool = try Self.open(copy?.path ?? path, isReadOnly: isReadOnly)
            copier = isReadOnly ? nil : try LogCopier(path: path)
            let log = LogIndex(filedID: 0)
            let count = try pool.read { database in
                _ = try Transaction(reading: database, log: log, generations: nil)
                return try Int.fetchOne(database, sql: "SELECT count(*) FROM sessions") ?? 0
            }
            self.log = log
            places = [path, path + "-wal"].reduce(into: [:]) { $0[$1] = isReadOnly ? nil : FileIdentity(of: $1) }
            committedCount = Atomic(count)
            ownCount = Atomic(count)
        } catch let error as JournalOpeningError {
            throw error
        } catch {
            throw Self.opening(path, error)
        }
    }

    // MARK: Counting sessions

    var count: Int { committedCount.load(ordering: .relaxed) }

    /// The number of sessions for a job of the writer, which sees uncommitted changes.
    var countInTransaction: Int { ownCount.load(ordering: .relaxed) }

    /// Changes the number of sessions. Only the writer's jobs call it. It is undone if their transaction fails.
    func count(_ change: Int) {
        ownCount.wrappingAdd(change, ordering: .relaxed)
    }

    // MARK: Doing jobs

    /// Checks whether the paths still name the open files. Changes to a file that was removed or replaced would be lost
    /// when the process ends.
    func checkPaths() {
        let missing = places.first { FileIdentity(of: $0) != $1 }?.key
        guard isRemoved.exchange(missing != nil, ordering: .relaxed) != (missing != nil) else { return }
        if let missing {
            logger.error(
                "The file \(missing) was removed or replaced while it is in use. The journal accepts no changes until it is back. Move it back, or restart the server with another file."
            )
        } else {
            logger.notice("The journal \(path) is back.")
        }
    }

    /// Does jobs in one transaction, and reports their results. If they fail together, they are tried one by one.
    func commit(_ group: [Job]) {
        guard !isRemoved.load(ordering: .relaxed) else { return refuse(group) }
        let begin = ContinuousClock.now
        do {
            let (reports, draft) = try pool.writeWithoutTransaction { database in
                let transaction = Transaction(writing: database, log: log)
                let changes = database.totalChangesCount
                var reports: [@Sendable () -> Void] = []
                try database.inTransaction(.immediate) {
                    reports = try group.map { try $0.make(transaction) }
                    return .commit
                }
                copier?.count(database.totalChangesCount - changes + 1)
                return (reports, transaction.draft)
            }
            if let draft { log.append(draft) }
            committedCount.store(countInTransaction, ordering: .relaxed)
            commits.count(entries: group.count { $0.isEntry }, took: .now - begin)
            reportWriting(nil)
            for report in reports { report() }
        } catch {
            ownCount.store(count, ordering: .relaxed)
            if group.count > 1, !error.isOutage {
                for job in group { commit([job]) }
            } else {
                reportWriting(error)
                for job in group { job.refuse() }
            }
        }
    }

    private func refuse(_ group: [Job]) {
        for job in group { job.refuse() }
    }

    /// Does jobs that change nothing, and reports their results.
    func answer(_ group: [Job]) {
        guard !isRemoved.load(ordering: .relaxed) else { return refuse(group) }
        do {
            let generations = isReadOnly ? nil : log.generations
            let reports = try pool.read { database in
                let transaction = try Transaction(reading: database, log: log, generations: generations)
                return try group.map { try $0.make(transaction) }
            }
            for report in reports { report() }
        } catch {
            if group.count > 1, !error.isOutage {
                for job in group { answer([job]) }
            } else {
                logger.error("The journal \(path) cannot be read: \(error.reason)")
                for job in group { job.refuse() }
            }
        }
    }

    /// Logs that an entry cannot be read.
    func report(_ error: UnreadableEntry) {
        logger.error("An entry in the journal \(path) cannot be read: \(error.reason)")
    }

    /// Logs when writing begins to fail, and when it works again.
    private func reportWriting(_ error: (any Error)?) {
        guard isFailing.exchange(error != nil, ordering: .relaxed) != (error != nil) else { return }
        if let error {
            logger.error("The journal \(path) cannot be written: \(error.reason)")
        } else {
            logger.notice("The journal \(path) can be written again.")
        }
    }

    /// Whether the last group was committed, and the next one can be.
    var isWritable: Bool { !isFailing.load(ordering: .relaxed) && !isRemoved.load(ordering: .relaxed) }

    /// Writes some of the moments until which sessions are kept. Returns whether there are more.
    func writeKeeps(_ transaction: Transaction, limit: Int) throws -> Bool {
        let some = keeps.withLock { keeps in Array(keeps.prefix(limit)) }
        for (session, expiry) in some { try transaction.keep(session, until: expiry) }
        return keeps.withLock { keeps in
            for (session, expiry) in some where keeps[session] == expiry { keeps[session] = nil }
            return !keeps.isEmpty
        }
    }

    /// Whether the file may have traces of an erased session.
    func hasTraces(_ transaction: Transaction) throws -> Bool {
        try Int.fetchOne(transaction.database, sql: "PRAGMA user_version") == Schema.isErasing
    }

    /// Writes the file anew, without what was deleted from it, and empties its write-ahead log.
    func removeTraces() throws {
        do {
            pool.invalidateReadOnlyConnections()
            try copier?.pause {
                try pool.writeWithoutTransaction { database in
                    // The copy may be too large for memory. Temporary tables do not survive the change.
                    try database.execute(sql: "PRAGMA temp_store = FILE; VACUUM; \(Schema.leases)")
                    _ = try database.checkpoint(.truncate)
                    // Only now, so that an interrupted erasure is repeated.
                    try database.execute(sql: "PRAGMA user_version = 0")
                    _ = try database.checkpoint(.truncate)
                }
            }
        } catch {
            logger.error("The traces of an erased session cannot be removed from the journal \(path): \(error.reason)")
            throw error
        }
    }

    /// Writes everything that is still unwritten, and closes the file. Nothing else may be under way.
    func close() {
        copier?.close()
        if !isReadOnly {
            do {
                while try pool.write({ try writeKeeps(Transaction(writing: $0, log: log), limit: 10_000) }) {}
                // Leaves one file, without its write-ahead log.
                try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
                pool.invalidateReadOnlyConnections()
            } catch {
                reportWriting(error)
            }
        }
        try? pool.close()
        copy?.remove()
        ownership?.release()
    }
}

extension Error {
    /// Whether any other job would fail in the same way.
    fileprivate var isOutage: Bool {
        switch (self as? DatabaseError)?.resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_BUSY, .SQLITE_NOMEM: true
        default: false
        }
    }

    /// The reason of the error, without the data that caused it.
    fileprivate var reason: String {
        guard let error = self as? DatabaseError else { return "\(self)" }
        return error.message ?? "\(error.resultCode)"
    }
}
