import Coordinate
import CoordinateSessions
import Dispatch
import Foundation
import MisbehavingJournal
import Synchronization
import Testing

/// Servers that share a misbehaving store, and the promises to their clients.
///
/// `RANDOM_HISTORIES=10000`, as in `make histories`, runs more of them, and prints what they did. `RANDOM_HISTORY=417`
/// with the filter `oneHistoryStepByStep` prints the steps of one history.
struct RandomHistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["RANDOM_HISTORIES"].flatMap { Int($0) } ?? 400
    private static let chosenSeed = environment["RANDOM_HISTORY"].flatMap { UInt64($0) }
    private static let parts = 8

    @Test(arguments: 0..<parts)
    func everyPromiseIsKeptWhateverTheJournalDoes(part: Int) async {
        var counts: [String: Int] = [:]
        var failures = 0
        for seed in stride(from: part, to: Self.count, by: Self.parts) where failures < 3 {
            let history = History(seed: UInt64(seed))
            failures += await Self.check(history) ? 0 : 1
            counts.merge(history.ledger.state.withLock { $0.counts }, uniquingKeysWith: +)
        }
        guard failures == 0, Self.count >= 1_000 else { return }
        let events = ["work reported", "timers reported", "dropped", "begun again", "taken over", "abandoned"]
        for event in events + FaultRates.Count.allCases.map(\.rawValue) {
            #expect(counts[event] ?? 0 > 0, "none \(event)")
        }
        if Self.environment["RANDOM_HISTORIES"] != nil {
            let text = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            print("part \(part): \(text)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func theSameSeedProducesTheSameHistory(seed: UInt64) async {
        let histories = [History(seed: seed), History(seed: seed)]
        for history in histories { _ = await Self.check(history) }
        let entries = histories.map { history in
            history.store.allSessions.map { session in
                (history.store.history(of: session) ?? []).map {
                    "\($0.event) \($0.path) \($0.pending ?? "") \($0.time.seconds)"
                }
            }
        }
        #expect(entries[0] == entries[1])
        let counts = histories.map { history in history.ledger.state.withLock { $0.counts } }
        #expect(counts[0] == counts[1])
    }

    @Test(.enabled(if: chosenSeed != nil)) func oneHistoryStepByStep() async throws {
        let history = History(seed: try #require(Self.chosenSeed), isTraced: true)
        _ = await Self.check(history)
        print(history.ledger.state.withLock { $0.trace.joined(separator: "\n") })
    }

    /// The one thread of all histories. The few threads that all tests share are for tests with clients and servers,
    /// which have time limits.
    private static let thread = DispatchQueue(label: "random histories")

    private static func check(_ history: History) async -> Bool {
        let violations = await withCheckedContinuation { continuation in
            thread.async { continuation.resume(returning: history.run()) }
        }
        guard !violations.isEmpty else { return true }
        Issue.record("Seed \(history.seed): \(violations.prefix(10).joined(separator: "; "))")
        return false
    }
}
