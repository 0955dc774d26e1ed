import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A session that other servers change as well.
struct SharedTurnTests {
    private let session: TurnScript

    init() throws { session = try TurnScript(isShared: true) }

    // MARK: Conflicts

    @Test func anEventThatConflictsIsTriedAgainAfterTheOther() {
        session.event("a", does: "append a")
        session.conflict()
        session.answer(does: "append a")
        session.answer(does: "a: 5")
        #expect(session.stored { $0.map(\.text) } == ["1", "2", "3", "x", "a"])
        #expect(session.reports == [5])
    }

    @Test func aRequestThatAnotherServerAcceptedGetsItsOutcome() {
        session.event("a", if: .only(3), retry: Retry("key"), does: "append a")
        session.rival("a", retry: Retry("key"))
        session.conflict()
        session.answer(does: "read after 0")
        session.answer(does: "a: 4")
        #expect(session.stored(\.count) == 5)
    }

    @Test func anEventIsTriedTenTimes() {
        session.event("a", does: "append a")
        session.event("b")
        for attempt in 1...10 {
            session.conflict()
            if attempt < 10 { session.answer(does: "append a") }
        }
        session.answer(does: "a: tooBusy", "append b")
        session.conflict()
        session.answer(does: "append b")
    }

    @Test func waitingRequestsStayInOrderThroughAConflict() {
        session.event("a", does: "append a")
        session.look()
        session.conflict()
        session.event("b")
        session.answer(does: "append a")
        session.event("c")
        session.answer(does: "a: 5", "look: 5", "append b")
        session.answer(does: "b: 6", "append c")
    }

    static let others: [(text: String, key: Retry?, result: String)] = [
        ("x", nil, "append a"), ("!", nil, "a: appFailed"),
        ("x", Retry("key", fingerprint: 2), "a: otherRequestRetried"),
    ]

    @Test(arguments: others)
    func anEventIsAcceptedIfItFitsAfterTheOther(text: String, key: Retry?, result: String) {
        session.event("a", retry: Retry("key"), does: "append a")
        session.rival(text, retry: key)
        session.answer(does: "read after 0")
        session.answer(does: result)
    }

    @Test func anEventWhoseConditionNoLongerHoldsIsRefused() {
        session.event("a", if: .only(3), does: "append a")
        session.event("b")
        session.conflict()
        session.answer(does: "a: versionConflict at 4", "append b")
    }

    // MARK: Refusals

    static let refusals: [(rivals: Int, condition: Int, result: String)] = [
        (1, 4, "append a"), (0, 4, "a: versionConflict at 3"), (1, 5, "a: versionConflict at 4"),
    ]

    @Test(arguments: refusals)
    func aRefusalIsReconsideredOnceAfterCatchingUp(rivals: Int, condition: Int, result: String) {
        for _ in 0..<rivals { session.rival() }
        session.event("a", if: .only(condition), does: "read after 3")
        session.answer(does: result)
    }

    @Test func aFailureIsReconsideredWithANewTree() {
        session.event("a", .fail, does: "read after 0")
        session.answer(does: "a: appFailed")
        session.rival()
        session.event("b", .fail, does: "read after 0")
        session.answer(does: "b: appFailed")
        session.look(does: "read after 0")
        session.answer(does: "look: 4")
    }

    @Test func aRepetitionFoundWhileCatchingUpGetsItsOutcome() {
        session.rival(retry: Retry("key"))
        session.event("a", if: .only(2), retry: Retry("key"), does: "read after 3")
        session.answer(does: "read after 0")
        session.answer(does: "a: 4")
    }

    // MARK: Reads

    @Test func aReadOfALaterVersionCatchesUp() {
        session.look("three", atLeast: 3, does: "three: 3")
        session.rival()
        session.rival()
        session.look("five", atLeast: 5, does: "read after 3")
        session.look("four", atLeast: 4)
        session.answer(does: "five: 5", "four: 5")
    }

    @Test func aReadThatWaitsForACommitIsShownThatVersion() {
        session.event("a", does: "append a")
        session.look("four", atLeast: 4)
        session.look("five", atLeast: 5)
        session.answer(does: "a: 4", "four: 4", "read after 4")
        session.rival()
        session.answer(does: "five: 5")
    }

    @Test func theRouteIsAtLeastAsNewAsTheJournal() {
        session.route(does: "head")
        session.answer(does: "route: 3 123")
        session.rival()
        session.route(does: "head")
        session.answer(does: "read after 3")
        session.answer(does: "route: 4 123x")
        // It does not wait for an event that is not committed.
        session.event("a", does: "append a")
        session.route(does: "head")
        session.answer(to: "head", does: "route: 4 123x")
    }

    // MARK: News

    @Test func followersLearnOfEachEventOfOthersOnce() {
        session.follow(does: "head")
        session.answer(does: "follow: 3", "read after 3")
        session.answer()
        session.rival()
        session.rival()
        session.news(does: "read after 3")
        session.answer(does: "follower: 4", "follower: 5")
        session.event("a", does: "append a")
        session.conflict()
        session.answer(does: "follower: 6", "append a")
        session.answer(does: "follower: 7", "a: 7")
    }

    @Test func catchingUpWaitsForTheCommitAndItsTurn() {
        session.event("a", does: "append a")
        session.news()
        session.news()
        session.event("b")
        session.answer(does: "a: 4", "read after 4")
        session.rival()
        session.answer(does: "append b")
        session.answer(does: "b: 6")
    }

    @Test func newsDuringCatchingUpAreReadAfterwards() {
        session.news(does: "read after 3")
        session.look()
        session.news()
        session.event("a")
        session.rival()
        session.answer(does: "look: 4", "read after 4")
        session.rival()
        session.answer(does: "append a")
        session.answer(does: "a: 6")
        #expect(session.session.isIdle)
    }

    @Test func unavailableNewsDoNoHarm() {
        session.news(does: "read after 3")
        session.look()
        session.answer(.failed(.unavailable), does: "look: unavailable")
        session.news(does: "read after 0")
        session.answer()
        #expect(session.session.isIdle && session.hasTree)
    }

    @Test func aFollowedSessionReadsNewsAgainThatWereUnavailable() {
        session.follow(does: "head")
        session.answer(does: "follow: 3", "read after 3")
        session.rival()
        session.answer(.failed(.unavailable))
        session.registry.sweep()
        session.expect("read after 0")
        session.answer(does: "follower: 4")
    }
}
