import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Which of the sessions that never took an event makes way.
struct NewcomersTests {
    private let newcomers = Newcomers()

    private func add(_ count: Int, of client: Requester) -> [SessionID] {
        (0..<count).map { _ in
            let id = SessionID.random()
            newcomers.add(id, of: client)
            return id
        }
    }

    @Test func theOldestMakesWayWhereNobodyHasMuch() {
        let ids = (0..<8).flatMap { add(1, of: Requester(number: $0)) }
        for id in ids { #expect(newcomers.makeWay(for: 100) == id) }
        #expect(newcomers.isEmpty)
        #expect(newcomers.makeWay(for: 1) == nil)
    }

    @Test func whoHasMoreThanItsShareGivesWayFirst() {
        let one = add(1, of: 1)
        let many = add(100, of: 2)
        let other = add(1, of: 3)
        // Whoever asks, be it itself.
        for (number, client) in ([2, 3, 4, 2, 1] as [Requester]).enumerated() {
            #expect(newcomers.makeWay(for: client) == many[number])
        }
        for id in many { newcomers.remove(id) }
        #expect(newcomers.makeWay(for: 4) == one[0])
        #expect(newcomers.makeWay(for: 4) == other[0])
    }

    @Test func theOneThatAsksGivesWayBeforeOthersWithAsMuch() {
        let first = add(10, of: 1)
        let second = add(10, of: 2)
        #expect(newcomers.makeWay(for: 2) == second[0])
        #expect(newcomers.makeWay(for: 1) == first[0])
        #expect(newcomers.makeWay(for: 3) == first[1])
    }

    @Test func whatLeftIsPassedOver() {
        let ids = add(10_000, of: 1)
        for (number, id) in ids.enumerated() where number % 100 != 99 { newcomers.remove(id) }
        for number in stride(from: 99, to: 10_000, by: 100) { #expect(newcomers.makeWay(for: 1) == ids[number]) }
        #expect(newcomers.isEmpty)
    }
}
