import Testing

@testable import CoordinateSessions

/// Events and reads, one after another, of a session that no other server uses.
struct SessionMachineTests {
    private let session = MachineScript()

    // MARK: An event

    @Test func anEventIsAppliedAppendedAndPublished() {
        session.take(.submitted(.a), does: "apply a")
        session.take(.applied, does: "append a")
        #expect(session.machine.version == 3)
        session.take(.committed, does: "publish a")
        #expect(session.machine.version == 4)
        #expect(session.machine.isSettled)
    }

    @Test func aSessionWithoutATreeWakesItFirst() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.caughtUp, does: "apply a")
        session.publish("a")
    }

    @Test func aTreeWhoseReplayWasCancelledIsBuiltForALaterRequest() {
        let session = MachineScript(hasTree: false)
        var (gone, other) = (TestRequest.a, TestRequest.look())
        gone.isAwaited = false
        other.isAwaited = false
        session.take(.submitted(gone), does: "catch up")
        session.take(.submitted(other), does: [])
        #expect(!session.machine.isAwaited)
        session.take(.submitted(.c), does: [])
        #expect(session.machine.isAwaited)
        session.take(
            .caughtUp(.abandoned), does: "discard", "refuse a: abandoned", "refuse look: abandoned", "catch up")
        session.take(.caughtUp, does: "apply c")
    }

    static let conditions: [(condition: VersionCondition, holds: Bool)] = [
        (.none, true), (.only(3), true), (.only(1, 3), true), (.only(2), false), (.only(4), false), (.only(), false),
        (VersionCondition(isOneOf: .any), true), (VersionCondition(isNoneOf: .any), false), (.none(of: 3), false),
        (.none(of: 2, 4), true), (VersionCondition(isOneOf: .any, isNoneOf: .some([3])), false),
    ]

    @Test(arguments: conditions)
    func anEventIsAcceptedIfItsConditionHolds(condition: VersionCondition, holds: Bool) {
        session.take(
            .submitted(.event("a", if: condition)), does: holds ? "apply a" : "refuse a: versionConflict at 3")
    }

    @Test func anEventThatDoesNotFitIsRefusedAndTheTreeStays() {
        session.take(.submitted(.a), does: "apply a")
        session.take(.refused(.treeIsFull), does: "refuse a: treeIsFull")
        session.take(.submitted(.b), does: "apply b")
    }

    @Test func afterAFailedTurnTheNextRequestWakesTheTreeAgain() {
        session.take(.submitted(.a), does: "apply a")
        session.take(.failed(.tooBusy), does: "discard", "refuse a: tooBusy")
        #expect(!session.machine.hasTree)
        session.take(.submitted(.b), does: "catch up")
        session.take(.caughtUp, does: "apply b")
    }

    // MARK: Waiting

    @Test func requestsThatArriveMeanwhileRunInOrder() {
        session.commit(.a)
        for request in [TestRequest.b, .look(), .event("late", if: .only(3)), .c] { session.take(.submitted(request)) }
        session.take(.committed, does: "publish a", "apply b")
        session.publish("b", then: "show look", "refuse late: versionConflict at 5", "apply c")
    }

    @Test func requestsThatArriveWhileTheTreeWakesRunInOrder() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.look("first")), does: "catch up")
        session.take(.submitted(.look("second")))
        session.take(.submitted(.a))
        session.take(.caughtUp, does: "show first", "show second", "apply a")
    }

    @Test func requestsBeyondTheWaitingLimitAreRefused() {
        session.commit(.a)
        for number in 1...256 { session.take(.submitted(.event("\(number)"))) }
        session.take(.submitted(.event("257")), does: "refuse 257: tooBusy")
        session.take(.submitted(.end()), does: "refuse end: tooBusy")
        session.take(.committed, does: "publish a", "apply 1")
        session.take(.submitted(.event("258")))
        session.take(.submitted(.event("259")), does: "refuse 259: tooBusy")
    }

    @Test func allWaitingReadsAreServedTogether() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.look("0")), does: "catch up")
        for number in 1...256 { session.take(.submitted(.look("\(number)"))) }
        session.take(.caughtUp, does: (0...256).map { "show \($0)" })
    }

    @Test func afterARefusalTheNextRequestBegins() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.submitted(.b))
        session.take(.submitted(.c))
        session.take(.caughtUp, does: "apply a")
        session.take(.refused(.treeIsFull), does: "refuse a: treeIsFull", "apply b")
        session.take(.failed(.tooBusy), does: "discard", "refuse b: tooBusy", "catch up")
        session.take(.caughtUp, does: "apply c")
    }

    @Test func requestsLearnThatTheTreeCannotBeBuilt() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.submitted(.look()))
        session.take(
            .caughtUp(.journal(.unavailable)), does: "discard", "refuse a: unavailable", "refuse look: unavailable")
        session.take(.submitted(.b), does: "catch up")
        session.take(.caughtUp, does: "apply b")
    }

    // MARK: Reads

    @Test func aReadIsShownAtOnceOrOnceThereIsATree() {
        session.take(.submitted(.look()), does: "show look")
        session.take(.passivated, does: "discard")
        session.take(.submitted(.look()), does: "catch up")
        session.take(.caughtUp, does: "show look")
    }

    @Test func thePublishedRouteCanBeReadDuringACommit() {
        #expect(session.machine.isReadable && session.machine.isSettled)
        session.take(.submitted(.a), does: "apply a")
        #expect(!session.machine.isReadable && !session.machine.isSettled)
        session.take(.applied, does: "append a")
        #expect(session.machine.isReadable && !session.machine.isSettled)
        session.take(.committed, does: "publish a")
        #expect(session.machine.isReadable && session.machine.isSettled)
        session.take(.submitted(.end()), does: "end end")
        #expect(!session.machine.isReadable && !session.machine.isSettled)
        session.take(.ended, does: "confirm end", "dismiss")
        #expect(!session.machine.isReadable && !session.machine.isSettled)
    }

    @Test func thePublishedRouteMayBeOutdatedIfTheJournalIsShared() {
        let session = MachineScript(isShared: true)
        #expect(!session.machine.isReadable && session.machine.isSettled)
        session.commit(.a)
        #expect(!session.machine.isReadable && !session.machine.isSettled)
    }

    @Test func aReadOfALaterVersionCatchesUp() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(.look("three", atLeast: 3)), does: "show three")
        session.take(.submitted(.look("five", atLeast: 5)), does: "catch up")
        session.take(.submitted(.look("four", atLeast: 4)))
        session.take(.learned(4))
        session.catchUp(learning: 5, does: "show five", "show four")
        #expect(session.machine.version == 5)
    }

    @Test func aReadThatWaitsForACommitIsShownThatVersion() {
        let session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.submitted(.look("four", atLeast: 4)))
        session.take(.submitted(.look("five", atLeast: 5)))
        session.take(.committed, does: "publish a", "show four", "catch up")
        session.catchUp(learning: 5, does: "show five")
    }

    // MARK: Repeated requests

    @Test func aRepeatedRequestGetsItsOutcomeWithoutASecondEffect() {
        session.commit(.event("a", if: .only(3), retry: Retry("key")))
        session.take(.submitted(.event("again", if: .only(3), retry: Retry("key"))))
        session.take(.committed, does: "publish a", "repeatOutcome again: 4")
        session.take(.submitted(.event("again", if: .only(3), retry: Retry("key"))), does: "repeatOutcome again: 4")
        session.take(
            .submitted(.event("other", retry: Retry("key", fingerprint: 2))), does: "refuse other: otherRequestRetried")
        session.take(.submitted(.event("new", retry: Retry("new"))), does: "apply new")
    }

    @Test func aRefusedRequestCanBeRepeated() {
        let request = TestRequest.event("a", retry: Retry("key"))
        session.take(.submitted(request), does: "apply a")
        session.take(.refused(.treeIsFull), does: "refuse a: treeIsFull")
        session.commit(request)
        session.take(.notCommitted(.unavailable), does: "discard", "refuse a: unavailable")
        session.take(.submitted(request), does: "catch up")
        session.take(.caughtUp, does: "apply a")
    }

    @Test func theRequestThatCreatedTheSessionCanBeRepeated() {
        let session = MachineScript(retry: Retry("key"))
        session.take(.submitted(.event("again", retry: Retry("key"))), does: "repeatOutcome again: 3")
    }

    @Test func repeatableRequestsAreLearnedFromTheJournal() {
        let session = MachineScript(retry: Retry("key"))
        session.take(.passivated, does: "discard")
        session.take(.submitted(.event("again", retry: Retry("key"))), does: "catch up")
        session.take(.learned(1))
        session.take(.learned(2, retry: Retry("key")))
        session.take(.learned(3, retry: Retry("other")))
        session.take(.caughtUp, does: "repeatOutcome again: 2")
    }

    @Test func aRequestIsForgottenAfter64Others() {
        let session = MachineScript(retry: Retry("key 0"))
        for number in 1...63 {
            session.commit(.event("a", retry: Retry("key \(number)")))
            session.take(.committed, does: "publish a")
            // A request without a key takes no place.
            session.commit(.event("b"))
            session.take(.committed, does: "publish b")
        }
        session.take(.submitted(.event("again", retry: Retry("key 0"))), does: "repeatOutcome again: 3")
        session.commit(.event("a", retry: Retry("key 64")))
        session.take(.committed, does: "publish a")
        session.take(.submitted(.event("again", retry: Retry("key 1"))), does: "repeatOutcome again: 4")
        session.take(.submitted(.event("again", retry: Retry("key 0"))), does: "apply again")
    }

    // MARK: Outages

    static let outages: [(error: JournalError, word: String)] = [
        (.unavailable, "unavailable"), (.full, "historyIsFull"),
    ]

    @Test(arguments: outages)
    func anUncommittedEventIsRefusedAndTheSessionContinues(error: JournalError, word: String) {
        session.commit(.a)
        session.take(.submitted(.look()))
        session.take(.submitted(.b))
        session.take(.notCommitted(error), does: "discard", "refuse a: \(word)", "catch up")
        #expect(session.machine.version == 3)
        session.take(.caughtUp, does: "show look", "apply b")
        session.publish("b")
        #expect(session.machine.version == 4)
    }

    @Test func theTreeIsReleasedIfNoRequestWaits() {
        session.commit(.a)
        session.take(.notCommitted(.unavailable), does: "discard", "refuse a: unavailable")
        #expect(!session.machine.hasTree && session.machine.isIdle)
    }

    // MARK: Passivation

    @Test func onlyAnIdleSessionReleasesItsTree() {
        session.take(.submitted(.a), does: "apply a")
        session.take(.passivated)
        session.take(.applied, does: "append a")
        session.take(.passivated)
        session.take(.committed, does: "publish a")
        session.take(.passivated, does: "discard")
        session.take(.passivated)
        session.take(.submitted(.look()), does: "catch up")
        session.take(.passivated)
        session.take(.caughtUp, does: "show look")
        session.take(.submitted(.end()), does: "end end")
        session.take(.passivated)
        session.take(.ended, does: "confirm end", "dismiss")
        session.take(.passivated)
    }

    @Test func aSessionIsIdleWhileNothingIsUnderWay() {
        #expect(session.machine.isIdle)
        session.take(.submitted(.a), does: "apply a")
        #expect(!session.machine.isIdle)
        session.take(.applied, does: "append a")
        #expect(!session.machine.isIdle)
        session.take(.notCommitted(.unavailable), does: "discard", "refuse a: unavailable")
        #expect(session.machine.isIdle)
        session.take(.submitted(.look()), does: "catch up")
        #expect(!session.machine.isIdle)
        session.take(.caughtUp, does: "show look")
        session.take(.submitted(.end()), does: "end end")
        #expect(!session.machine.isIdle)
        session.take(.ended, does: "confirm end", "dismiss")
        #expect(session.machine.isIdle)
    }

    // MARK: Due timers

    @Test func dueTimersFireBeforeTheRequestThatMeetsThem() {
        session.take(.submitted(.a), isOverdue: true, does: "find timers before a")
        session.take(.dueTimers([.timer("1"), .timer("2")]), isOverdue: true, does: "apply 1")
        session.take(.submitted(.look()))
        session.take(.applied, isOverdue: true, does: "append 1")
        session.take(.committed, isOverdue: true, does: "publish 1", "apply 2")
        session.take(.applied, isOverdue: true, does: "append 2")
        // A timer that another one has set waits for the next request.
        session.take(.committed, isOverdue: true, does: "publish 2", "apply a")
        session.take(.applied, does: "append a")
        session.take(.committed, isOverdue: true, does: "publish a", "find timers before look")
        session.take(.dueTimers([]), isOverdue: true, does: "show look")
    }

    @Test func dueTimersFireOnceTheTreeIsBuilt() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.look()), isOverdue: true, does: "catch up")
        session.take(.caughtUp, isOverdue: true, does: "find timers before look")
        session.take(.dueTimers([.timer("1")]), does: "apply 1")
        session.publish("1", then: "show look")
    }

    @Test func anEndChecksNoTimers() {
        session.take(.submitted(.end()), isOverdue: true, does: "end end")
    }

    @Test func aTimerThatFiredElsewhereIsNoObstacle() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(.a), isOverdue: true, does: "find timers before a")
        session.take(.dueTimers([.timer("1")]), does: "apply 1")
        session.take(.applied, does: "append 1")
        session.conflict()
        session.catchUp(learning: 4, does: "apply 1")
        session.take(.refused(.workIsOver), does: "refuse 1: over", "apply a")
    }

    @Test func aTimerThatTheAppRefusesIsNoObstacle() {
        session.take(.submitted(.look()), isOverdue: true, does: "find timers before look")
        session.take(.dueTimers([.timer("1"), .timer("2")]), does: "apply 1")
        session.take(.failed(.treeIsFull), does: "discard", "refuse 1: treeIsFull", "catch up")
        session.take(.caughtUp, isOverdue: true, does: "apply 2")
        session.publish("2", then: "show look")
    }

    @Test func aRequestIsNotServedWithoutItsTimersIfTheJournalCannotStoreThem() {
        session.take(.submitted(.look()), isOverdue: true, does: "find timers before look")
        session.take(.dueTimers([.timer("1"), .timer("2")]), does: "apply 1")
        session.take(.submitted(.b))
        session.take(.applied, does: "append 1")
        session.take(
            .notCommitted(.unavailable),
            does: "discard", "refuse 1: unavailable", "refuse 2: unavailable", "refuse look: unavailable", "catch up")
        session.take(.caughtUp, isOverdue: true, does: "find timers before b")
        session.take(.dueTimers([.timer("1")]), does: "apply 1")
        session.take(.applied, does: "append 1")
        // Nothing was done for the request itself.
        session.take(
            .notCommitted(.outcomeUnknown), does: "discard", "refuse 1: outcomeUnknown", "refuse b: unavailable")
        #expect(session.machine.isIdle)
    }

    // MARK: Results without a request

    static let answers: [MachineScript.Input] = [
        .dueTimers([]), .applied, .refused(.treeIsFull), .failed(.tooBusy), .committed, .notCommitted(.conflict),
        .caughtUp,
        .caughtUp(.journal(.unavailable)), .ended, .notEnded(.unavailable), .drained,
    ]

    @Test(arguments: answers) func aResultWithoutARequestIsIgnored(answer: MachineScript.Input) {
        session.take(answer)
        #expect(session.machine.isSettled && session.machine.version == 3)
    }
}
