import Coordinate
import CoordinateSessions
import SessionFixtures
import Synchronization

/// A journal in memory whose answers a test gives one by one.
final class ScriptedJournal: ForwardingJournal {
    enum Answer: Sendable {
        /// It does what the call asks for, and reports the result.
        case done
        /// It does what the call asks for, and the result is lost.
        case lost
        /// It does nothing.
        case failed(JournalError)
    }

    private struct State {
        var isHeld = false
        /// The marks of the entries by their versions, which a journal in memory does not journal.
        var marks: [Int: UInt64] = [:]
        var waiting: [(call: String, continuation: CheckedContinuation<Answer, Never>)] = []
    }

    let journal = MemoryJournal()
    let isShared: Bool
    let losesAnswers: Bool
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter log: Called with each call that waits for its answer.
    init(isShared: Bool, losesAnswers: Bool, log: @escaping @Sendable (String) -> Void) {
        self.isShared = isShared
        self.losesAnswers = losesAnswers
        self.log = log
    }

    /// Has all later calls wait for an answer.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Answers the oldest call that waits, or the oldest one like that; `false` if none does.
    func answer(_ answer: Answer, to call: String? = nil) -> Bool {
        let continuation = state.withLock { state in
            let index = state.waiting.firstIndex { call == nil || $0.call == call }
            return index.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(returning: answer)
        return continuation != nil
    }

    private func perform<Value: Sendable>(
        _ call: String, _ body: () async throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        guard state.withLock(\.isHeld) else { return try await body() }
        log(call)
        let answer = await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((call, continuation)) }
        }
        switch answer {
        case .done: return try await body()
        case .lost:
            _ = try await body()
            throw .outcomeUnknown
        case .failed(let error): throw error
        }
    }

    // MARK: Journal

    func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) async throws(JournalError) {
        try await perform("create") { () async throws(JournalError) in
            try await journal.create(session, with: history, until: expiry, limit: limit)
        }
    }

    func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        try await perform("head") { () async throws(JournalError) in try await journal.head(of: session) }
    }

    func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        try await perform("append \(entry.text)") { () async throws(JournalError) in
            try await commit(entry, to: session)
        }
    }

    /// Appends an entry without waiting for an answer.
    func commit(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        try await journal.append(entry, to: session)
        state.withLock { $0.marks[entry.version] = entry.mark }
    }

    func read(_ session: SessionID, after version: Int, limit: Int) async throws(JournalError) -> [JournalEntry] {
        try await perform("read after \(version)") { () async throws(JournalError) in
            let entries = try await journal.read(session, after: version, limit: limit)
            return state.withLock { state in
                entries.map { entry in
                    var entry = entry
                    entry.mark = state.marks[entry.version]
                    return entry
                }
            }
        }
    }

    func end(_ session: SessionID, at version: Int?) async throws(JournalError) {
        try await perform("end\(version.map { " at \($0)" } ?? "")") { () async throws(JournalError) in
            try await journal.end(session, at: version)
        }
    }
}

extension JournalEntry {
    /// What was said with it, or its event's name.
    var text: String { payload[field: "text"]?.string ?? event }
}
