import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The choice of the session without events that is ended for a new one.
struct EvictionQueueTests {
    private let evictionQueue = EvictionQueue(idleTime: 100)

    private func add(_ count: Int, of client: ClientKey, usedAt use: Int = 0) -> [SessionID] {
        (0..<count).map { _ in
            let id = SessionID.random()
            evictionQueue.add(id, of: client, usedAt: use)
            evictionQueue.noteCreation(by: client, at: use)
            return id
        }
    }

    private func makeWay(
        for client: ClientKey, at now: Int = 60, lastUse: (SessionID) -> Int? = { _ in nil }
    ) -> SessionID? {
        evictionQueue.makeWay(for: client, at: now, lastUse: lastUse)?.id
    }

    @Test func theOldestSessionIsChosenIfNoClientHasMany() {
        let ids = (0..<8).flatMap { add(1, of: ClientKey(number: $0)) }
        for id in ids { #expect(makeWay(for: 100) == id) }
        #expect(evictionQueue.isEmpty)
        #expect(makeWay(for: 1) == nil)
    }

    @Test func aClientWithMoreThanItsShareLosesASessionFirst() {
        let one = add(1, of: 1)
        let many = add(100, of: 2)
        let other = add(1, of: 3)
        // For every client, that one included.
        for (number, client) in ([2, 3, 4, 2, 1] as [ClientKey]).enumerated() {
            #expect(makeWay(for: client) == many[number])
        }
        for id in many { evictionQueue.remove(id) }
        #expect(makeWay(for: 4) == one[0])
        #expect(makeWay(for: 4) == other[0])
    }

    @Test func amongEqualsTheClientLosesItsOwnSession() {
        let first = add(10, of: 1)
        let second = add(10, of: 2)
        #expect(makeWay(for: 2) == second[0])
        #expect(makeWay(for: 1) == first[0])
        #expect(makeWay(for: 3) == first[1])
    }

    @Test func aUsedSessionIsKeptForAMinute() {
        let ids = add(1, of: 1, usedAt: 10) + add(1, of: 1, usedAt: 12) + add(1, of: 1, usedAt: 11)
        #expect(makeWay(for: 1, at: 69) == nil)
        #expect(makeWay(for: 1, at: 70) { $0 == ids[0] ? 11 : nil } == nil)
        // Of two that were used in the same second, the one that was found first comes first.
        #expect(makeWay(for: 1, at: 71) { $0 == ids[2] ? 1_000 : nil } == ids[0])
        #expect(makeWay(for: 1, at: 72) == ids[1])
        #expect(makeWay(for: 1, at: 1_059) == nil)
        #expect(makeWay(for: 1, at: 1_060) == ids[2])
    }

    @Test func aFloodingClientLosesItsOwnSessionsOrNone() {
        let old = add(1, of: 1, usedAt: 0)
        let many = add(100, of: 2, usedAt: 50)
        #expect(makeWay(for: 2, at: 60) == nil)
        #expect(makeWay(for: 2, at: 110) == many[0])
        #expect(makeWay(for: 3, at: 109) == old[0])
        #expect(evictionQueue.isFlooding(2, 200))
        #expect(!evictionQueue.isFlooding(2, 400))
        #expect(!evictionQueue.isFlooding(1, 1))
    }

    @Test func aLoneClientDoesNotFlood() {
        _ = add(100, of: 1)
        #expect(!evictionQueue.isFlooding(1, 100))
    }

    @Test(arguments: [(199, true), (200, false), (350, false)])
    func creationsCountForTwoWindowsOfTime(time: Int, isFlooding: Bool) {
        _ = add(100, of: 1)
        evictionQueue.noteCreation(by: 2, at: time)
        #expect(evictionQueue.isFlooding(1, 200) == isFlooding)
    }

    @Test func sessionsThatLeftAreSkipped() {
        let ids = add(10_000, of: 1)
        for (number, id) in ids.enumerated() where number % 100 != 99 { evictionQueue.remove(id) }
        for number in stride(from: 99, to: 10_000, by: 100) { #expect(makeWay(for: 1) == ids[number]) }
        #expect(evictionQueue.isEmpty)
    }
}
