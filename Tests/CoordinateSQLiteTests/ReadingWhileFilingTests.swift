import Coordinate
import CoordinateSessions
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSQLite

/// Reads during compaction: the results have no gaps, and contain all entries that were acknowledged before.
struct ReadingWhileFilingTests {
    private let file = TemporaryFile()

    private static let sessions = 8
    private static let entries = 400

    /// A session, and the number of its acknowledged entries.
    private final class Subject: Sendable {
        let id: SessionID
        let acknowledged = Atomic(0)

        init(_ id: SessionID) {
            self.id = id
        }

        var isComplete: Bool { acknowledged.load(ordering: .sequentiallyConsistent) == ReadingWhileFilingTests.entries }
    }

    private func open() throws(JournalOpeningError) -> SQLiteJournal {
        try SQLiteJournal(path: file.path, logger: .silent, Compaction.Rhythm(bound: 20, least: 1, slice: 4))
    }

    @Test func readersInTheServerSeeAcknowledgedEntries() async throws {
        let journal = try open()
        try await readWhileAppending(to: journal, by: [journal, journal, journal])
        journal.close()
    }

    @Test func readersOfTheFileSeeAcknowledgedEntries() async throws {
        let journal = try open()
        let reader = try SQLiteJournal(reading: file.path, logger: .silent)
        try await readWhileAppending(to: journal, by: [reader, reader, reader])
        reader.close()
        journal.close()
    }

    private func readWhileAppending(to journal: SQLiteJournal, by readers: [SQLiteJournal]) async throws {
        var subjects: [Subject] = []
        for _ in 0..<Self.sessions {
            subjects.append(Subject(try await journal.add()))
        }
        try await withThrowingTaskGroup(of: Void.self) { [subjects] group in
            for subject in subjects { group.addTask { try await fill(subject, in: journal) } }
            for (number, reader) in readers.enumerated() {
                group.addTask {
                    var round = number
                    while !subjects.allSatisfy(\.isComplete) {
                        try await check(subjects[round % subjects.count], reader)
                        round += 1
                    }
                }
            }
            try await group.waitForAll()
        }
        for subject in subjects { try await check(subject, readers[0]) }
        #expect(try journal.count(in: "entries") > 0)
    }

    private func fill(_ subject: Subject, in journal: SQLiteJournal) async throws {
        for version in 1...Self.entries {
            try await journal.append(.make(version: version, path: "/\(version)"), to: subject.id)
            subject.acknowledged.store(version, ordering: .sequentiallyConsistent)
            if version.isMultiple(of: 50) { journal.expire(by: Timestamp(seconds: 0)) }
            guard version.isMultiple(of: 40) else { continue }
            // A fork has the entries from which it was made, filed or not.
            let fork = try await journal.fork(subject.id, at: version)
            let entries = try await journal.entries(of: fork)
            #expect(entries.map(\.path) == (1...version).map { "/\($0)" })
            try await journal.end(fork, at: version)
        }
    }

    private func check(_ subject: Subject, _ reader: SQLiteJournal) async throws {
        var least = subject.acknowledged.load(ordering: .sequentiallyConsistent)
        let entries = try await reader.read(subject.id, after: 0, limit: .max)
        #expect(entries.count >= least)
        #expect(entries.map(\.version) == (1...(entries.count + 1)).dropLast())
        #expect(entries.allSatisfy { $0.path == "/\($0.version)" })

        least = subject.acknowledged.load(ordering: .sequentiallyConsistent)
        let head = try await reader.head(of: subject.id)
        #expect((head?.version ?? 0) >= least)
        #expect(least == 0 || head?.path == "/\(head?.version ?? 0)")

        least = subject.acknowledged.load(ordering: .sequentiallyConsistent)
        let last = try await reader.read(subject.id, after: max(0, least - 1), limit: 1)
        #expect(least == 0 || last.map(\.version) == [least])
    }
}
