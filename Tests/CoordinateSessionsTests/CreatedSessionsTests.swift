import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The choice of the unused session that is ended for a new one.
struct CreatedSessionsTests {
    private let created = CreatedSessions(isShared: false)

    private func add(_ count: Int, of client: ClientKey, usedAt use: Int? = 0) -> [SessionID] {
        (0..<count).map { _ in
            let id = SessionID.random()
            created.insert(id, of: client)
            if let use { created.insertUnused(id, of: client, usedAt: use) }
            return id
        }
    }

    private func makeWay(
        for client: ClientKey, at now: Int = 60, lastUse: (SessionID) -> Int? = { _ in nil }
    ) -> SessionID? {
        let id = created.makeWay(for: client, at: now, lastUse: lastUse)?.id
        if let id { created.remove(id) }
        return id
    }

    @Test func theLeastRecentlyUsedSessionIsChosenIfNoClientHasMany() {
        let ids = (0..<8).flatMap { add(1, of: ClientKey(number: $0), usedAt: Int($0)) }
        for id in ids { #expect(makeWay(for: 100, at: 100) == id) }
        #expect(created.areAllUsed)
        #expect(makeWay(for: 1) == nil)
    }

    @Test func aClientWithMoreThanItsShareLosesASessionFirst() {
        let one = add(1, of: 1)
        let many = add(100, of: 2)
        let other = add(1, of: 3, usedAt: 1)
        // For every client, that one included.
        for client in [2, 3, 4, 2, 1] as [ClientKey] { #expect(makeWay(for: client).map(many.contains) == true) }
        for id in many { created.remove(id) }
        #expect(makeWay(for: 4, at: 61) == one[0])
        #expect(makeWay(for: 4, at: 61) == other[0])
    }

    @Test func aUsedSessionIsKeptForAMinute() {
        let ids = add(1, of: 1, usedAt: 10) + add(1, of: 1, usedAt: 12) + add(1, of: 1, usedAt: 11)
        #expect(makeWay(for: 1, at: 69) == nil)
        #expect(makeWay(for: 1, at: 70) { $0 == ids[0] ? 13 : nil } == nil)
        #expect(makeWay(for: 1, at: 71) { $0 == ids[2] ? 1_000 : nil } == nil)
        #expect(makeWay(for: 1, at: 72) == ids[1])
        #expect(makeWay(for: 1, at: 73) == ids[0])
        #expect(makeWay(for: 1, at: 1_059) == nil)
        #expect(makeWay(for: 1, at: 1_060) == ids[2])
    }

    @Test func aFloodingClientLosesItsOwnSessionsOrNone() {
        let old = add(1, of: 1, usedAt: 0)
        let many = add(100, of: 2, usedAt: 50)
        #expect(makeWay(for: 2, at: 60) == nil)
        #expect(created.isFlooding(2, 200))
        #expect(!created.isFlooding(2, 400))
        #expect(!created.isFlooding(1, 1))
        #expect(makeWay(for: 2, at: 110).map(many.contains) == true)
        #expect(makeWay(for: 3, at: 109) == old[0])
        #expect(!created.isFlooding(2, 1), "It is alone.")
    }

    @Test func sessionsWithAnEventAreKeptAndCounted() {
        let ids = add(100, of: 1)
        _ = add(1, of: 2, usedAt: nil)
        for id in ids { created.didAcceptEvent(id) }
        #expect(created.areAllUsed)
        #expect(makeWay(for: 1) == nil)
        #expect(created.isFlooding(1, 200))
        for id in ids { created.remove(id) }
        #expect(!created.isFlooding(1, 200))
    }
}
