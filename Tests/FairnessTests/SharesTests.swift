import Fairness
import SeededGenerator
import Testing

/// What clients hold, and who makes room.
struct SharesTests {
    @Test func aClientHasRoomUpToItsShareAndTheLimit() {
        var shares = Shares<String>(limit: 10, share: 6)
        shares.add(6, for: "a")
        #expect(!shares.hasRoom(for: "a"))
        #expect(shares.hasRoom(for: "b"))
        shares.add(4, for: "b")
        #expect(!shares.hasRoom(for: "b"))
        #expect(!shares.hasRoom(for: "c"))
        shares.add(-1, for: "a")
        #expect(shares.hasRoom(for: "a"))
    }

    @Test func whoHasAShareMakesRoomFirst() {
        var shares = Shares<String>(limit: 10, share: 5)
        for (client, amount) in ["a": 4, "b": 3, "c": 3] { shares.add(amount, for: client) }
        #expect(shares.yielding(to: "b") == nil)
        shares.add(-2, for: "b")
        shares.add(2, for: "a")
        #expect(["a", "b", "d"].map(shares.yielding) == ["a", "a", "a"])
        shares.add(4, for: "b")
        // Of two clients with a share, the one that wants more.
        #expect(["a", "b"].map(shares.yielding) == ["a", "b"])
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func amountsAgreeWithASimpleTable(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var shares = Shares<Int>(limit: 1_000, share: 100)
        var table: [Int: Int] = [:]
        for _ in 0..<2_000 {
            let client = Int.random(in: 0..<20, using: &generator)
            let change = Int.random(in: -min(table[client, default: 0], 50)...30, using: &generator)
            table[client, default: 0] += change
            shares.add(change, for: client)
            #expect(shares.total == table.values.reduce(0, +))
            #expect(shares.clientCount == table.values.count { $0 > 0 })
            #expect(shares.largest.map(shares.amount) ?? 0 == table.values.max())
        }
    }
}
