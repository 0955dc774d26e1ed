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

    init() async throws {
        registry = .make(app: TestApp(), journal: journal)
        other = .make(app: TestApp(), journal: journal)
        session = try await registry.begin(with: .push(1)).session
    }

    @Test func theJournalIsFollowedWhileThereAreFollowers() async throws {
        let places = try await (0..<2).asyncMap { _ in
            try #require(try await session.follow(CountingFollower()) { _, _ in true })
        }
        #expect(journal.subscriptions == 1)
        session.unfollow(places[0])
        #expect(journal.subscriptions == 1)
        session.unfollow(places[1])
        #expect(journal.subscriptions == 0)
    }

    @Test func aChangeRightBeforeTheSubscriptionIsNoticed() async throws {
        let (other, id) = (other, session.id)
        journal.beforeSubscription { Task.immediate { try await other.find(id).inject(.push(2)) } }
        let follower = CountingFollower()
        _ = try await session.follow(follower) { _, _ in true }
        #expect(follower.versions == [2])
    }

    @Test func aFollowerThatHasLeftIsForgotten() async throws {
        let follower = CountingFollower(stays: false)
        _ = try await session.follow(follower) { _, _ in true }
        for number in 2...4 { _ = try await session.inject(.push(number)) }
        #expect(follower.versions == [2])
        #expect(!session.isFollowed)
    }

    @Test func aFormerRouteWhoseEntriesAreMissingIsNotShown() async {
        journal.answer { $0.entries = .success([]) }
        #expect(await failure { try await session.route(at: 1) }?.word == "unavailable")
    }
}
