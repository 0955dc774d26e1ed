import CoordinateSessions
import JournalWalk
@_exported import Stores
import Testing

/// Random changes: every journal returns the same results as the one in memory.
@Suite(.timeLimit(.minutes(5)))
struct WalkTests {
    @Test(arguments: Store.durable, 1...4 as ClosedRange<UInt64>)
    func itReturnsTheSameResultsAsTheJournalInMemory(store: Store, seed: UInt64) async throws {
        // Files are faster than PostgreSQL.
        for seed in store == .postgreSQL ? [seed] : (0..<4).map({ seed + 100 * $0 }) {
            try await store.withJournal { journal in try await walk(journal, seed: seed) }
        }
    }

    private func walk(_ journal: any Journal, seed: UInt64) async throws {
        var walk = JournalWalk(of: journal, seed: seed)
        let differences = await walk.walk(steps: 400)
        try #require(differences.isEmpty, "seed \(seed): \(differences.joined(separator: "; "))")
    }
}
