import CoordinateSessions
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// Writers that append entries to sessions, one after the other, during outages of PostgreSQL. Each has its own
/// session, and uses any of the journals.
struct Writers {
    private struct Work {
        let session: SessionID
        /// The last version that was acknowledged.
        var version = 0
        /// The number of appends whose success was not reported.
        var failureCount = 0
    }

    private let isOver = Switch()
    private let tasks: [Task<Work, Never>]
    private let journals: [PostgreSQLJournal]

    init(of sessions: [SessionID], in journals: [PostgreSQLJournal]) {
        self.journals = journals
        let isOver = isOver
        tasks = sessions.map { session in
            Task {
                var work = Work(session: session)
                while !isOver.isOn { await Self.append(&work, journals) }
                return work
            }
        }
    }

    /// Appends the next entry, and retries until it is certainly stored.
    private static func append(_ work: inout Work, _ journals: [PostgreSQLJournal]) async {
        let entry = JournalEntry.make(version: work.version + 1, mark: .random(in: 1 ... .max))
        var isUncertain = false
        attempts: while let journal = journals.randomElement() {
            switch await outcome(of: { try await journal.append(entry, to: work.session) }) {
            case nil: break attempts
            case .outcomeUnknown: isUncertain = true
            case .unavailable: break
            case .conflict:
                // The stored entry is this very entry; otherwise the journal reported a wrong result.
                let last = await eventualValue { try await journal.read(work.session, after: work.version, limit: 2) }
                #expect(isUncertain && last.count == 1 && last.first?.mark == entry.mark)
                break attempts
            case let error: Issue.record("\(String(describing: error))")
            }
            work.failureCount += 1
        }
        work.version += 1
    }

    /// Waits until a number of further entries is stored.
    func progress(by number: Int) async throws {
        func count() -> Int { journals.reduce(0) { $0 + $1.statistics.entries } }
        let goal = count() + number
        try await waitUntil { count() >= goal }
    }

    /// Stops the writers, and checks that each session has all acknowledged entries, and no others.
    ///
    /// - Returns: The number of appends of each writer whose success was not reported.
    @discardableResult func finish() async throws -> [Int] {
        isOver.isOn = true
        var failureCounts: [Int] = []
        for task in tasks {
            let work = await task.value
            for journal in journals {
                #expect(try await journal.entries(of: work.session).map(\.version) == Array(1...work.version))
            }
            failureCounts.append(work.failureCount)
        }
        return failureCounts
    }
}

/// The error of a change; `nil` if it succeeded.
func outcome(of change: () async throws -> Void) async -> JournalError? {
    do {
        try await change()
        return nil
    } catch {
        return (error as! JournalError)
    }
}

/// The result of a request that is repeated until there is one.
func eventualValue<Value>(_ ask: () async throws -> Value) async -> Value {
    while true {
        if let value = try? await ask() { return value }
    }
}

/// The outcome of a change that is retried until it is known.
func eventualOutcome(of change: () async throws -> Void) async -> JournalError? {
    while true {
        let outcome = await outcome(of: change)
        if outcome != .outcomeUnknown, outcome != .unavailable { return outcome }
    }
}

/// The outcome of an entry that is retried until it is known. If the last entry has its mark, a conflict means success:
/// the entry was stored before, and the result was lost.
func eventualOutcome(
    of entry: JournalEntry, to session: SessionID, in journal: PostgreSQLJournal
) async -> JournalError? {
    let outcome = await eventualOutcome { try await journal.append(entry, to: session) }
    guard outcome == .conflict else { return outcome }
    let last = await eventualValue { try await journal.read(session, after: entry.version - 1, limit: 2) }
    return last.map(\.mark) == [entry.mark] ? nil : .conflict
}
