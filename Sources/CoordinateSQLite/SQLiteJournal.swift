public import Coordinate
public import CoordinateSessions
internal import Foundation
internal import GRDB
public import Logging
internal import Synchronization

/// A journal that keeps its entries in a SQLite file, for one server. Sessions outlive the process.
///
/// ```swift
/// let journal = try SQLiteJournal(path: "sessions.sqlite")
/// try await Server(app: MyApp(), journal: journal).run()
/// journal.close()
/// ```
///
/// Acknowledged events survive the end of the process and of the machine: entries are committed in groups, and each
/// group is synchronized with the disk before any result is reported. While one group is committed, the next one
/// gathers.
public final class SQLiteJournal: Journal {
    let file: JournalFile
    private let writer: GroupWorker<Job>
    /// The thread that looks up sessions, and does not wait for long reads.
    private let finder: GroupWorker<Job>
    private let readers: [GroupWorker<Job>]
    private let compaction: Compaction
    let tidying: Tidying
    /// The thread that notices that the file was removed or replaced.
    private let watch: GroupWorker<Job>

    /// Opens or creates a file that only this user can read.
    ///
    /// - Throws: ``JournalOpeningError/unreachable(_:)`` if the file cannot be opened or created,
    ///   ``JournalOpeningError/unusable(_:)`` if it is damaged, not a journal, of a newer version, or in use.
    public convenience init(
        path: String, logger: Logger = Logger(label: "coordinate.sqlite")
    ) throws(JournalOpeningError) {
        try self.init(path: path, logger: logger, Compaction.Rhythm())
    }

    package convenience init(path: String, logger: Logger, _ rhythm: Compaction.Rhythm) throws(JournalOpeningError) {
        self.init(try JournalFile(path: path, isReadOnly: false, logger: logger), rhythm)
    }

    /// Opens a file that may be in use, only to read it.
    ///
    /// - Throws: ``JournalOpeningError``, as ``init(path:logger:)``.
    public convenience init(
        reading path: String, logger: Logger = Logger(label: "coordinate.sqlite")
    ) throws(JournalOpeningError) {
        self.init(try JournalFile(path: path, isReadOnly: true, logger: logger), Compaction.Rhythm())
    }

    private init(_ file: JournalFile, _ rhythm: Compaction.Rhythm) {
        self.file = file
        compaction = Compaction(of: file.log, rhythm)
        writer = GroupWorker(name: "sqlite-writer") { file.commit($0) }
        tidying = Tidying(of: file, by: writer)
        finder = GroupWorker(name: "sqlite-finder") { file.answer($0) }
        watch = GroupWorker(name: "sqlite-watch", idleTime: file.isReadOnly ? nil : 0.25) { _ in file.checkPaths() }
        readers = (0..<2).map { number in GroupWorker(name: "sqlite-reader", limit: 16) { file.answer($0) } }
    }

    public func close() {
        watch.close()
        writer.close()
        finder.close()
        for reader in readers { reader.close() }
        file.close()
    }

    public var count: Int { file.count }

    public var statistics: JournalStatistics { file.commits.statistics }

    // MARK: Changing

    /// Makes a change, and returns once it is committed. It is made even if the caller's task is cancelled.
    private func change<Value: Sendable>(
        isEntry: Bool = false, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(JournalError) -> Value {
        guard !file.isReadOnly else { throw .unavailable }
        return try await writer.perform(isEntry: isEntry, body)
    }

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) async throws(JournalError) {
        try await change { [file] transaction in
            guard file.countInTransaction < limit else { throw JournalError.tooManySessions }
            if let parent = session.sharedParent {
                try transaction.fork(session, of: parent, until: expiry)
            } else {
                try transaction.create(session, with: history, until: expiry)
            }
            file.count(1)
        }
    }

    public func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        compaction.beginWhenDue(in: writer)
        let entry = Transaction.NewEntry(entry)
        try await change(isEntry: true) { try $0.append(entry, to: session) }
    }

    public func end(_ session: SessionID, at version: Int?) async throws(JournalError) {
        try await change { [file] transaction in
            try transaction.end(session, at: version)
            file.count(-1)
        }
    }

    public func keep(_ session: SessionID, until expiry: Timestamp) {
        file.keeps.withLock { $0[session] = expiry }
    }

    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        guard !file.isReadOnly else { return }
        compaction.beginIfQuiet(in: writer)
        tidying.begin(by: now, ended)
    }

    public func update(_ session: SessionRecord, replacing former: SessionRecord) async throws(JournalError) {
        try await change { try $0.update(session, replacing: former) }
    }

    public func record(_ crash: CrashNote, of session: SessionID) async throws(JournalError) {
        try await change { try $0.record(crash, of: session) }
    }

    // MARK: Leases

    public func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] {
        let owed = file.owedLeases.withLock { owed in
            defer { owed = [] }
            return owed
        }
        if !owed.isEmpty { endLeases(of: Array(owed)) }
        return try await change { try $0.leaseDue(by: now, of: app, limit: limit) }
    }

    public func lease(_ session: SessionID) async throws(JournalError) -> Bool {
        try await change { try $0.lease(session) }
    }

    public func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] {
        try await change { transaction in try sessions.filter(transaction.isLeased) }
    }

    public func endLeases(of sessions: [SessionID]) {
        release(sessions) { transaction, session in try transaction.endLeaseAndFailures(of: session) }
    }

    public func backOff(_ sessions: [SessionID], from now: Timestamp) {
        release(sessions) { transaction, session in try transaction.backOff(session, from: now) }
    }

    private func release(
        _ sessions: [SessionID], _ body: @escaping @Sendable (Transaction, SessionID) throws -> Void
    ) {
        guard !file.isReadOnly else { return }
        Task.immediate(executorPreference: ResumingExecutor.shared) { [file, writer] in
            do {
                try await writer.perform { transaction in
                    for session in sessions { try body(transaction, session) }
                }
            } catch {
                file.owedLeases.withLock { $0.formUnion(sessions) }
            }
        }
    }

    /// Deletes a session, and then writes the file anew. The file must have room for that beside it.
    public func erase(_ session: SessionID) async throws(JournalError) -> Erasure {
        let erasure = try await change { [file] transaction in
            if let erasure = try transaction.erase(session) {
                file.count(-1)
                return erasure
            }
            guard try file.hasTraces(transaction) else { throw JournalError.noSuchSession }
            return Erasure(holders: [], isContinuation: true, remnants: Schema.remnants)
        }
        // On a thread of its own, since it blocks for long, and the file would be busy for the writer's.
        let isDone = await withCheckedContinuation { [file] continuation in
            Thread.detachNewThread { continuation.resume(returning: (try? file.removeTraces()) != nil) }
        }
        guard isDone else { throw .outcomeUnknown }
        return erasure
    }

    // MARK: Maintenance

    public func check() async throws(JournalError) {
        guard !file.isWritable else { return }
        // As large as some entries; it is deleted with the rest of the garbage.
        try await change {
            try $0.database.execute(sql: "REPLACE INTO garbage VALUES (hex(zeroblob(16384)))")
        }
    }

    // MARK: Reading

    public func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        try await finder.perform { try $0.head(of: session) }
    }

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID? {
        try await finder.perform { try $0.session(withKey: key, of: app) }
    }

    public func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID? {
        try await finder.perform { try $0.session(withReference: reference, of: app) }
    }

    public func read(
        _ session: SessionID, after version: Int, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        try await readers[session.shard(of: readers.count)].perform { [file] transaction in
            do {
                return try transaction.entries(of: session, after: version, limit: limit)
            } catch let error as UnreadableEntry {
                file.report(error)
                throw JournalError.damaged(version: error.version)
            }
        }
    }

    public func list(_ query: SessionQuery) async throws(JournalError) -> SessionPage {
        // Sessions with the latest uses come first, as far as their uses are known now.
        if !file.isReadOnly { await tidying.writeKeeps() }
        return try await readers[0].perform { transaction in
            let attribute = try transaction.rarestAttribute(of: query)
            return try query.page { position, limit in
                try transaction.heads(of: query, with: attribute, after: position, limit: limit)
            }
        }
    }
}

extension JournalProvider {
    /// Sessions in a file, for one server: `sqlite:PATH`.
    public static let sqlite = JournalProvider(
        .path(scheme: "sqlite"),
        open: { path throws(JournalOpeningError) in try SQLiteJournal(path: path) },
        openForReading: { path throws(JournalOpeningError) in try SQLiteJournal(reading: path) })
}
