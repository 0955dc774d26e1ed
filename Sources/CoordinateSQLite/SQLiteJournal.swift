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

    convenience init(path: String, logger: Logger, _ rhythm: Compaction.Rhythm) throws(JournalOpeningError) {
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

    private func change<Value: Sendable>(
        isEntry: Bool = false, _ body: @escaping @Sendable (Transaction) throws -> Result<Value, JournalError>
    ) -> Future<Value, JournalError> {
        let promise = Promise<Value, JournalError>()
        guard !file.isReadOnly, writer.append(Job(promise, isEntry: isEntry, body)) else {
            return .failed(.unavailable)
        }
        return .later(promise)
    }

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError> {
        change { [file] transaction in
            guard file.countInTransaction < limit else { return .failure(.tooManySessions) }
            if let parent = session.sharedParent {
                do {
                    guard try transaction.fork(session, of: parent, until: expiry) else {
                        return .failure(.noSuchSession)
                    }
                } catch is UnreadableJSON {
                    return .failure(.damaged(version: parent.version))
                }
            } else {
                guard try transaction.create(session, with: history, until: expiry) else { return .failure(.keyTaken) }
            }
            file.count(1)
            return .success(())
        }
    }

    public func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        compaction.beginWhenDue(in: writer)
        let entry = Transaction.NewEntry(entry)
        return change(isEntry: true) { try $0.append(entry, to: session) }
    }

    public func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError> {
        change { [file] transaction in
            let result = try transaction.end(session, at: version)
            if case .success = result { file.count(-1) }
            return result
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

    public func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) -> Future<Void, JournalError> {
        change { transaction in
            if try transaction.update(session, replacing: former) { return .success(()) }
            return .failure(try transaction.head(of: session.id) == nil ? .noSuchSession : .conflict)
        }
    }

    public func record(_ crash: CrashNote, of session: SessionID) -> Future<Void, JournalError> {
        change { try $0.record(crash, of: session) }
    }

    // MARK: Leases

    public func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError> {
        let owed = file.owedLeases.withLock { owed in
            defer { owed = [] }
            return owed
        }
        if !owed.isEmpty { endLeases(of: Array(owed)) }
        return change { .success(try $0.leaseDue(by: now, of: app, limit: limit)) }
    }

    public func lease(_ session: SessionID) -> Future<Bool, JournalError> {
        change { .success(try $0.lease(session)) }
    }

    public func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError> {
        change { transaction in .success(try sessions.filter(transaction.isLeased)) }
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
        let job = Job { transaction in
            for session in sessions { try body(transaction, session) }
        } then: { [file] done in
            if done == nil { file.owedLeases.withLock { $0.formUnion(sessions) } }
        }
        _ = writer.append(job)
    }

    /// Deletes a session, and then writes the file anew. The file must have room for that beside it.
    public func erase(_ session: SessionID) -> Future<Erasure, JournalError> {
        let promise = Promise<Erasure, JournalError>()
        let erased: Future<Erasure, JournalError> = change { [file] transaction in
            if let erasure = try transaction.erase(session) {
                file.count(-1)
                return .success(erasure)
            }
            guard try file.hasTraces(transaction) else { return .failure(.noSuchSession) }
            return .success(Erasure(holders: [], isContinuation: true, remnants: Schema.remnants))
        }
        guard case .later = erased else { return erased }
        erased.whenDelivered { [file] result in
            guard case .success = result else { return promise.fulfil(result) }
            // Not on the writer's thread, for which the file would be busy.
            Thread.detachNewThread {
                do {
                    try file.removeTraces()
                    promise.fulfil(result)
                } catch {
                    promise.fulfil(.failure(.outcomeUnknown))
                }
            }
        }
        return .later(promise)
    }

    // MARK: Maintenance

    public func check() -> Future<Void, JournalError> {
        guard !file.isWritable else { return .now(()) }
        // As large as some entries; it is deleted with the rest of the garbage.
        return change { transaction in
            try transaction.database.execute(sql: "REPLACE INTO garbage VALUES (hex(zeroblob(16384)))")
            return .success(())
        }
    }

    // MARK: Reading

    private func ask<Value: Sendable>(
        _ worker: GroupWorker<Job>, _ body: @escaping @Sendable (Transaction) throws -> Result<Value, JournalError>
    ) -> Future<Value, JournalError> {
        let promise = Promise<Value, JournalError>()
        return worker.append(Job(promise, body)) ? .later(promise) : .failed(.unavailable)
    }

    public func head(of session: SessionID) -> Future<SessionHead?, JournalError> {
        ask(finder) { .success(try $0.head(of: session)) }
    }

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) -> Future<SessionID?, JournalError> {
        ask(finder) { .success(try $0.session(withKey: key, of: app)) }
    }

    public func session(withReference reference: String, of app: String) -> Future<SessionID?, JournalError> {
        ask(finder) { .success(try $0.session(withReference: reference, of: app)) }
    }

    public func read(_ session: SessionID, after version: Int, limit: Int) -> Future<[JournalEntry], JournalError> {
        ask(readers[session.shard(of: readers.count)]) { [file] transaction in
            do {
                let entries = try transaction.entries(of: session, after: version, limit: limit)
                return entries.map { .success($0) } ?? .failure(.noSuchSession)
            } catch let error as UnreadableEntry {
                file.report(error)
                return .failure(.damaged(version: error.version))
            }
        }
    }

    public func list(_ query: SessionQuery) -> Future<SessionPage, JournalError> {
        let promise = Promise<SessionPage, JournalError>()
        let job = Job(promise) { transaction in
            let attribute = try transaction.rarestAttribute(of: query)
            return .success(
                try query.page { cursor, limit in
                    try transaction.heads(of: query, with: attribute, after: cursor, limit: limit)
                })
        }
        let ask: @Sendable () -> Void = { [readers] in
            if !readers[0].append(job) { job.refuse(.unavailable) }
        }
        // Sessions with the latest uses come first, as far as their uses are known now.
        if file.isReadOnly { ask() } else { tidying.writeKeeps(then: ask) }
        return .later(promise)
    }
}

extension JournalProvider {
    /// Sessions in a file, for one server: `sqlite:PATH`.
    public static let sqlite = JournalProvider(
        .path(scheme: "sqlite"),
        open: { path throws(JournalOpeningError) in try SQLiteJournal(path: path) },
        openForReading: { path throws(JournalOpeningError) in try SQLiteJournal(reading: path) })
}
