import Fairness
import Testing

/// The thing that is released for another one.
struct HoldingsTests {
    private var holdings = Holdings<String, Int>(Shares(limit: 5, share: 3))

    /// Things by their last use.
    init() {
        for (thing, client) in zip([1, 2, 3, 4, 5], ["b", "a", "a", "a", "b"]) {
            holdings.insert(thing, of: client, usedAt: thing)
        }
    }

    @Test mutating func aClientWithItsShareLosesWhatItUsedLongestAgo() {
        let released = ["a", "b", "c"].map { holdings.release(for: $0, unusedSince: 9)?.thing }
        #expect(released == [2, 1, 3])
        #expect(holdings.shares.total == 2)
    }

    @Test mutating func whatWasUsedIsKept() {
        let uses = [2: 8, 3: 9, 4: 10]
        let early = holdings.release(for: "a", unusedSince: 7) { uses[$0] }
        #expect(early == nil)
        holdings.remove(5)
        let later = (0..<3).map { _ in holdings.release(for: "b", unusedSince: 8) { uses[$0] }?.thing }
        #expect(later == [2, 1, nil])
    }
}
