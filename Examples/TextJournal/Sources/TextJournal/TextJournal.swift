import Coordinate
import CoordinateSessions
import Foundation
import Synchronization

/// A journal in a text file, for one server: a line for each change, with tabs between its fields. All sessions are in
/// memory as well, which answers every question; opening a file makes its changes once more. The file only grows.
public final class TextJournal: Journal {
    private let memory = MemoryJournal()
    private let file: FileHandle
    private let writer = Writer()
    /// Whether the file may lack a change that memory has, since it could not be written, or is not read yet.
    private let isBroken = Atomic(true)

    public init(path: String) throws(JournalOpeningError) {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let file = FileHandle(forUpdatingAtPath: path), let content = try? file.readToEnd() ?? Data() else {
            throw .unreachable("The file \(path) cannot be opened.")
        }
        self.file = file
        var lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The server stopped while it wrote a last line without an end, so no caller has learned of that change.
        let end = content.count - lines.removeLast().count
        // Memory never waits, so this is done within the call.
        Task.immediate { [lines] in
            for line in lines {
                let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                try await apply(fields.map { String(decoding: $0, as: UTF8.self) })
            }
            isBroken.store(false, ordering: .relaxed)
        }
        guard !isBroken.load(ordering: .relaxed), (try? file.truncate(atOffset: UInt64(end))) != nil else {
            throw .unusable("The file \(path) is damaged, or is no text journal.")
        }
    }

    public func close() { writer.queue.sync { try? file.close() } }

    // MARK: Changes

    public func create(
        _ new: SessionRecord, with past: any Sequence<JournalEntry> & Sendable, until end: Timestamp, limit: Int
    ) async throws(JournalError) {
        let fields = ["create", "\(new.id)", "\(end.seconds)", "\(new.isWorkWithheld)", new.app]
        try await change(fields, [new.stored] + past.map(\.stored), limit: limit)
    }
    public func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        try await change(["append", "\(session)", "\(entry.version)"], [entry.stored])
    }
    public func update(_ session: SessionRecord, replacing former: SessionRecord) async throws(JournalError) {
        let fields = ["update", "\(session.id)", "", "\(session.isWorkWithheld)", session.app]
        try await change(fields, [session.stored, former.stored])
    }
    public func end(_ session: SessionID, at version: Int?) async throws(JournalError) {
        try await change(["end", "\(session)", version.map(String.init) ?? "any"])
    }
    public func keep(_ session: SessionID, until expiry: Timestamp) {
        Task(executorPreference: writer) { try await self.change(["keep", "\(session)", "\(expiry.seconds)"]) }
    }
    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        writer.queue.async {
            self.memory.expire(by: now) { if self.write(["end", "\($0)", "any"]) { ended($0, $1) } }
        }
    }

    /// Makes a change in memory, and then in the file. It ignores cancellation.
    private func change(_ texts: [String], _ json: [[UInt8]] = [], limit: Int = .max) async throws(JournalError) {
        let fields = texts + json.map { String(decoding: $0, as: UTF8.self) }
        try await answer { _ throws(JournalError) in
            do { try await apply(fields, limit: limit) } catch { throw error as? JournalError ?? .damaged(version: 0) }
            guard write(fields) else { throw .outcomeUnknown }
        }
    }

    private func apply(_ fields: [String], limit: Int = .max) async throws {
        guard fields.count > 2, let id = SessionID(fields[1]) else { throw JournalError.damaged(version: 0) }
        func record(_ json: String) throws -> SessionRecord {
            try SessionRecord(id: id, app: fields[4], stored: Array(json.utf8), isWorkWithheld: fields[3] == "true")
        }
        func entry(_ version: Int, _ json: String) throws -> JournalEntry {
            try JournalEntry(version: version, mark: nil, stored: Array(json.utf8))
        }
        switch (fields[0], Int(fields[2]), fields.count) {
        case ("create", let seconds?, 6...):
            let past = try zip(1..., fields[6...]).map(entry)
            try await memory.create(record(fields[5]), with: past, until: Timestamp(seconds: seconds), limit: limit)
        case ("append", let version?, 4): try await memory.append(entry(version, fields[3]), to: id)
        case ("update", _, 7): try await memory.update(record(fields[5]), replacing: record(fields[6]))
        case ("end", let version, 3): try await memory.end(id, at: version)
        case ("keep", let seconds?, 3): memory.keep(id, until: Timestamp(seconds: seconds))
        default: throw JournalError.damaged(version: 0)
        }
    }

    /// Writes a line. Returns whether it is on the disk.
    private func write(_ fields: [String]) -> Bool {
        let line = Data((fields.joined(separator: "\t") + "\n").utf8)
        let isWritten = (try? file.write(contentsOf: line)) != nil && (try? file.synchronize()) != nil
        if !isWritten { isBroken.store(true, ordering: .relaxed) }
        return isWritten
    }

    /// Runs a body on the writer's thread, so that no caller learns of a change before it is on the disk.
    private func answer<Value: Sendable>(
        _ body: @Sendable (MemoryJournal) async throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        try await withTaskExecutorPreference(writer) { () throws(JournalError) in
            guard !isBroken.load(ordering: .relaxed) else { throw .unavailable }
            return try await body(memory)
        }
    }
    public func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        try await answer { memory throws(JournalError) in try await memory.head(of: session) }
    }
    public func read(_ id: SessionID, after version: Int, limit: Int) async throws(JournalError) -> [JournalEntry] {
        try await answer { memory throws(JournalError) in try await memory.read(id, after: version, limit: limit) }
    }
    public func list(_ query: SessionQuery) async throws(JournalError) -> SessionPage {
        try await answer { memory throws(JournalError) in try await memory.list(query) }
    }
    public func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID? {
        try await memory.session(withKey: key, of: app)
    }
    public func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID? {
        try await memory.session(withReference: reference, of: app)
    }
    public func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] {
        try await memory.leaseDue(by: now, of: app, limit: limit)
    }
    public func lease(_ session: SessionID) async throws(JournalError) -> Bool { try await memory.lease(session) }
    public func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] {
        try await memory.renewLeases(of: sessions)
    }
    public func endLeases(of sessions: [SessionID]) { memory.endLeases(of: sessions) }
    public func backOff(_ sessions: [SessionID], from now: Timestamp) { memory.backOff(sessions, from: now) }
    public var findsSessions: Bool { true }
    public var count: Int { memory.count }
    public var memoryUse: Int { memory.memoryUse }
}

/// A thread for tasks that may block.
private final class Writer: TaskExecutor {
    let queue = DispatchQueue(label: "text journal")
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
