import Coordinate
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// Followers of a session that other servers change as well.
struct FollowingTests {
    private let journal = LeasingJournal()
    private let registry: SessionRegistry
    private let other: SessionRegistry
    private let session: Session

    init() throws {
        registry = .make(app: TestApp(), journal: journal)
        other = .make(app: TestApp(), journal: journal)
        session = try registry.begin(with: .push(1)).now().session
    }

    private func changeElsewhere() throws { _ = try other.find(session.id).now().inject(.push(2)).now() }

    @Test func theJournalIsFollowedWhileThereAreFollowers() throws {
        let places = try (0..<2).map { _ in try #require(try session.follow(CountingFollower()) { _, _ in true }.now())
        }
        #expect(journal.subscriptions == 1)
        session.unfollow(places[0])
        #expect(journal.subscriptions == 1)
        session.unfollow(places[1])
        #expect(journal.subscriptions == 0)
    }

    @Test func aChangeRightBeforeTheSubscriptionIsNoticed() throws {
        let (other, id) = (other, session.id)
        journal.beforeSubscription { _ = try? other.find(id).now().inject(.push(2)).now() }
        let follower = CountingFollower()
        _ = try session.follow(follower) { _, _ in true }.now()
        #expect(follower.versions == [2])
    }

    @Test func aChangeThatCannotBeReadIsReadAtTheNextSweep() throws {
        let follower = CountingFollower()
        _ = try session.follow(follower) { _, _ in true }.now()
        try changeElsewhere()
        journal.answer { $0.entries = .failed(.unavailable) }
        session.receiveChange()
        journal.answer { $0.entries = nil }
        #expect(follower.versions == [])
        registry.sweep()
        #expect(follower.versions == [2])
    }

    @Test func aFollowerThatHasLeftIsForgotten() throws {
        let follower = LeavingFollower()
        _ = try session.follow(follower) { _, _ in true }.now()
        for number in 2...4 { _ = try session.inject(.push(number)).now() }
        #expect(follower.count == 1)
        #expect(!session.isFollowed)
    }

    @Test func aFormerRouteWhoseEntriesAreMissingIsNotShown() {
        journal.answer { $0.entries = .now([]) }
        let result = session.route(at: 1).result
        guard case .failure(.journal(.unavailable)) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
    }
}

/// A follower whose client has left before the first notification.
private final class LeavingFollower: SessionFollower {
    private let notified = Atomic(0)

    var count: Int { notified.load(ordering: .relaxed) }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        notified.add(1, ordering: .relaxed)
        return false
    }

    func didEnd() {}
    func wasReleased() {}
}
