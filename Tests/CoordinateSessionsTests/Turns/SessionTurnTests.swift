import MisbehavingJournal
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Events and reads, one after another, of a session that no other server uses.
struct SessionTurnTests {
    private let session: TurnScript

    init() throws { session = try TurnScript() }

    // MARK: An event

    @Test func anEventIsRunAppendedAndPublished() {
        session.event("a", does: "append a")
        #expect(session.version == 3 && !session.session.isIdle)
        session.answer(does: "a: 4")
        #expect(session.version == 4 && session.session.isIdle)
        #expect(session.reports == [4])
    }

    @Test func followersLearnOfAnEventOnceItIsCommitted() {
        session.follow(does: "follow: 3")
        session.event("a", does: "append a")
        session.answer(.failed(.unavailable), does: "a: unavailable")
        session.event("b", does: "read after 0")
        session.answer(does: "append b")
        session.answer(does: "follower: 4", "b: 4")
    }

    static let conditions: [(condition: VersionCondition, holds: Bool)] = [
        (.none, true), (.only(3), true), (.only(1, 3), true), (.only(2), false), (.only(4), false), (.only(), false),
        (VersionCondition(isOneOf: .any), true), (VersionCondition(isNoneOf: .any), false), (.none(of: 3), false),
        (.none(of: 2, 4), true), (VersionCondition(isOneOf: .any, isNoneOf: .some([3])), false),
    ]

    @Test(arguments: conditions)
    func anEventIsAcceptedIfItsConditionHolds(condition: VersionCondition, holds: Bool) {
        session.event("a", if: condition, does: holds ? "append a" : "a: versionConflict at 3")
    }

    @Test func anEventThatDoesNotFitIsRefusedAndTheTreeStays() {
        session.event("a", .lost, does: "a: unknownCoordinator")
        session.event("b", does: "append b")
    }

    @Test func afterAFailedTurnTheNextRequestBuildsTheTreeAgain() {
        session.event("a", .fail, does: "a: appFailed")
        #expect(!session.hasTree)
        session.route(does: "read after 0")
        session.answer(does: "route: 3 123")
    }

    // MARK: Waiting

    @Test func requestsThatArriveMeanwhileRunInOrder() {
        session.event("a", does: "append a")
        session.event("b")
        session.look()
        session.event("late", if: .only(3))
        session.event("c")
        session.answer(does: "a: 4", "append b")
        session.answer(does: "b: 5", "look: 5", "late: versionConflict at 5", "append c")
        session.answer(does: "c: 6")
        #expect(session.reports == [4, 5, 6])
    }

    @Test func requestsBeyondTheWaitingLimitAreRefused() {
        session.event("a", does: "append a")
        for number in 1...TurnQueue.limit { session.event("\(number)") }
        session.event("refused", does: "refused: tooBusy")
        session.end(does: "end: tooBusy")
        session.answer(does: "a: 4", "append 1")
        session.event("accepted")
        session.event("refused", does: "refused: tooBusy")
    }

    @Test func allThatWaitLearnThatTheTreeCannotBeBuilt() throws {
        let session = try TurnScript(hasTree: false)
        session.event("a", does: "read after 0")
        session.look()
        session.answer(.failed(.unavailable), does: "a: unavailable", "look: unavailable")
        session.event("b", does: "read after 0")
        session.answer(does: "append b")
    }

    @Test func aRequestIsNoLongerServedIfItsClientLeavesWhileItWaits() {
        let first = session.event("a", does: "append a")
        let second = session.event("b")
        session.event("c")
        second.cancel()
        session.expect("b: abandoned")
        // An append is not cancelled.
        first.cancel()
        session.expect()
        session.answer(does: "a: 4", "append c")
        session.answer(does: "c: 5")
    }

    @Test func aClientThatLeavesWhenItsTurnBeginsHoldsNothingUp() {
        session.event("a", does: "append a")
        let second = session.event("b")
        session.event("c")
        _ = session.journal.answer(.done)
        // The turn was passed on, and its new holder has not begun.
        while session.version == 3 { session.schedule.pump() }
        second.cancel()
        session.expect("a: 4", "append b")
        session.answer(does: "b: 5", "append c")
    }

    @Test func aRequestOfAClientThatHasLeftDoesNotWait() {
        session.event("a", does: "append a")
        let request = Task(executorPreference: session.schedule) { [session] in
            _ = try? await session.session.inject(.say("b"))
        }
        request.cancel()
        session.expect()
        session.answer(does: "a: 4")
    }

    @Test func aReplayIsAbandonedWhenAllThatWaitHaveLeft() throws {
        // Replays of shared journals run on lanes.
        let session = try TurnScript(isShared: true, hasTree: false)
        let first = session.event("a", does: "read after 0")
        let second = session.look()
        first.cancel()
        second.cancel()
        session.expect("look: abandoned")
        session.answer(does: "a: abandoned")
        session.event("b", does: "read after 0")
        session.answer(does: "append b")
    }

    @Test func aReplayContinuesWhileAnyoneWaits() throws {
        let session = try TurnScript(isShared: true, hasTree: false)
        let first = session.look("first", does: "read after 0")
        session.look("second")
        first.cancel()
        session.answer(does: "first: 3", "second: 3")
    }

    @Test func requestsBehindATurnThatDoesNotReturnAreRefused() {
        session.event("a", does: "append a")
        session.event("b")
        session.look()
        session.session.refuseWaiting()
        session.expect("b: tooBusy", "look: tooBusy")
        session.answer(does: "a: 4")
        session.event("c", does: "append c")
    }

    @Test func afterASlowTurnLanesRunTheNext() {
        session.event("a", does: "append a")
        session.answer(does: "a: 4")
        #expect(session.laneCount == 0)
        session.slowDown()
        session.event("b", does: "append b")
        session.answer(does: "b: 5")
        #expect(session.laneCount == 0)
        session.event("c", does: "append c")
        session.answer(does: "c: 6")
        #expect(session.laneCount > 0)
        #expect(session.session.isIdle)
        #expect(session.lines.lines.contains { $0.contains("turn.say took longer than 50 ms") })
    }

    // MARK: Reads

    @Test func theRouteIsReadDuringACommit() {
        session.route(does: "route: 3 123")
        session.event("a", does: "append a")
        session.route(does: "route: 3 123")
        session.answer(does: "a: 4")
        session.route(does: "route: 4 123a")
    }

    @Test func aTreeIsReleasedAfterTheTurnUnderWay() {
        let counters = session.session.host.counters
        session.event("a", does: "append a")
        session.session.release()
        #expect(counters.trees == 1)
        session.answer(does: "a: 4")
        #expect(counters.trees == 0)
    }

    // MARK: Repeated requests

    @Test func aRepeatedRequestGetsItsOutcomeWithoutASecondEffect() {
        session.event("a", if: .only(3), retry: Retry("key"), does: "append a")
        session.event("again", if: .only(3), retry: Retry("key"))
        session.answer(does: "a: 4", "again: 4")
        session.event("other", retry: Retry("key", fingerprint: 2), does: "other: otherRequestRetried")
        session.event("new", retry: Retry("new"), does: "append new")
        session.answer(does: "new: 5")
        // Its outcome is reproduced from the journal.
        session.event("again", if: .only(3), retry: Retry("key"), does: "read after 0")
        session.answer(does: "again: 4")
        #expect(session.reports == [4, 5])
    }

    @Test func aRefusedRequestCanBeRepeated() {
        session.event("a", .make("turn.fail", retry: Retry("key")), does: "a: appFailed")
        session.event("a", retry: Retry("key"), does: "read after 0")
        session.answer(does: "append a")
        session.answer(.failed(.unavailable), does: "a: unavailable")
        session.event("a", retry: Retry("key"), does: "read after 0")
        session.answer(does: "append a")
        session.answer(does: "a: 4")
    }

    @Test(arguments: [false, true]) func theRequestThatCreatedTheSessionCanBeRepeated(hasTree: Bool) throws {
        let session = try TurnScript(hasTree: hasTree, first: Retry("key"))
        if !hasTree {
            session.look(does: "read after 0")
            session.answer(does: "look: 3")
        }
        session.event("again", retry: Retry("key"), does: "read after 0")
        session.answer(does: "again: 1")
    }

    @Test func aRequestIsForgottenAfter64Others() throws {
        let session = try TurnScript(first: Retry("key 0"))
        for number in 1...64 {
            session.event("again", retry: Retry("key 0"), does: "read after 0")
            session.answer(does: "again: 1")
            session.event("a", retry: Retry("key \(number)"), does: "append a")
            session.answer(does: "a: \(number + 3)")
        }
        session.event("again", retry: Retry("key 0"), does: "append again")
    }

    // MARK: Outages

    @Test func anUncommittedEventIsRefusedAndTheSessionContinues() {
        session.event("a", does: "append a")
        session.look()
        session.event("b")
        session.answer(.failed(.unavailable), does: "a: unavailable", "read after 0")
        #expect(session.version == 3)
        session.answer(does: "look: 3", "append b")
        session.answer(does: "b: 4")
        session.route(does: "route: 4 123b")
    }

    @Test func aSessionWithoutRoomRunsNoMoreTurns() {
        session.event("a", does: "append a")
        session.answer(.failed(.full), does: "a: historyIsFull")
        #expect(!session.hasTree && session.session.isIdle)
        session.event("b", does: "read after 0")
        session.answer(does: "b: historyIsFull")
        session.route(does: "route: 3 123")
    }

    // MARK: Due timers

    /// A session at version 4 or later, whose timers are due.
    private func due(_ timers: String..., isShared: Bool = false) throws -> TurnScript {
        let session = try TurnScript(isShared: isShared)
        for (index, timer) in timers.enumerated() {
            session.event("set", .set(timer), does: "append \(timer)")
            session.answer(does: "set: \(4 + index)")
        }
        session.clock.advance(by: 20)
        return session
    }

    @Test func dueTimersFireBeforeTheRequestThatMeetsThem() throws {
        let session = try due("s", "t")
        session.event("a", if: .only(7), does: "append s")
        session.look()
        session.answer(does: "append t")
        session.answer(does: "append a")
        session.answer(does: "a: 8", "look: 8")
    }

    @Test func anEndFiresNoTimers() throws {
        let session = try due("t")
        session.end(does: "end")
    }

    @Test func aTimerThatFiredElsewhereIsNoObstacle() throws {
        let session = try due("t", isShared: true)
        session.event("a", does: "append t")
        session.rival("t", event: "turn.fired", pending: "4-1")
        session.answer(does: "read after 0")
        session.answer(does: "append a")
        session.answer(does: "a: 6")
    }

    @Test(arguments: [JournalError.unavailable, .outcomeUnknown])
    func aRequestIsNotServedWithoutItsTimersIfTheJournalCannotStoreThem(error: JournalError) throws {
        let session = try due("s", "t")
        session.event("a", does: "append s")
        session.look()
        // Nothing was done for the request itself.
        session.answer(.failed(error), does: "a: unavailable", "read after 0")
        session.answer(does: "append s")
        session.answer(does: "append t")
        session.answer(does: "look: 7")
    }
}
