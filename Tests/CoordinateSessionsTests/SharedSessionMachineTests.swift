import Testing

@testable import CoordinateSessions

/// A session that other servers change as well.
struct SharedSessionMachineTests {
    private let session = MachineScript(isShared: true)

    // MARK: Conflicts

    @Test func anEventThatConflictsIsTriedAgainAfterTheOther() {
        session.commit(.a)
        session.conflict()
        for version in 1...4 { session.take(.learned(version)) }
        session.take(.caughtUp, does: "apply a")
        session.publish("a")
        #expect(session.machine.version == 5)
    }

    @Test func anEventWhoseConditionNoLongerHoldsIsRefused() {
        session.commit(.event("a", if: .only(3)))
        session.take(.submitted(.b))
        session.conflict()
        session.catchUp(learning: 4, does: "refuse a: versionConflict at 4", "apply b")
    }

    @Test func anEventThatNoLongerFitsIsRefused() {
        session.commit(.a)
        session.conflict()
        session.catchUp(learning: 4, does: "apply a")
        session.take(.refused(.treeIsFull), does: "refuse a: treeIsFull")
    }

    @Test func anEventThatFailsNowIsRefused() {
        session.commit(.a)
        session.conflict()
        session.catchUp(learning: 4, does: "apply a")
        session.take(.failed(.tooBusy), does: "discard", "refuse a: tooBusy")
    }

    @Test func aRequestThatAnotherServerAcceptedGetsItsOutcome() {
        session.commit(.event("a", if: .only(3), retry: Retry("key")))
        session.conflict()
        session.take(.learned(4, retry: Retry("key")))
        session.catchUp(learning: 5, does: "repeatOutcome a: 4")
    }

    @Test func anotherRequestOfTheSameKeyIsRefused() {
        session.commit(.event("a", retry: Retry("key")))
        session.conflict()
        session.take(.learned(4, retry: Retry("key", fingerprint: 2)))
        session.take(.caughtUp, does: "refuse a: otherRequestRetried")
    }

    @Test func anEventIsTriedTenTimes() {
        session.take(.submitted(.a), does: "apply a")
        session.take(.submitted(.b))
        for attempt in 1...10 {
            session.take(.applied, does: "append a")
            session.conflict()
            session.take(.learned(3 + attempt))
            if attempt < 10 { session.take(.caughtUp, does: "apply a") }
        }
        session.take(.caughtUp, does: "refuse a: tooBusy", "apply b")
        session.take(.applied, does: "append b")
        session.conflict()
        session.take(.caughtUp, does: "apply b")
    }

    @Test func waitingRequestsStayInOrderThroughAConflict() {
        session.commit(.a)
        session.take(.submitted(.look()))
        session.conflict()
        session.take(.submitted(.b))
        session.catchUp(learning: 4, does: "apply a")
        session.take(.applied, does: "append a")
        session.take(.submitted(.c))
        session.take(.committed, does: "publish a", "show look", "apply b")
        session.publish("b", then: "apply c")
    }

    @Test func afterAConflictAllRequestsLearnThatTheJournalIsUnavailable() {
        session.commit(.event("a", mark: 7))
        session.take(.submitted(.b))
        session.conflict()
        session.take(
            .caughtUp(.journal(.unavailable)), does: "discard", "refuse a: outcomeUnknown", "refuse b: unavailable")
    }

    // MARK: Refusals

    @Test func aRefusalIsReconsideredAfterCatchingUp() {
        session.take(.submitted(.event("a", if: .only(4))), does: "catch up")
        session.catchUp(learning: 4, does: "apply a")
    }

    @Test func aRefusalStandsIfNothingIsNew() {
        session.take(.submitted(.event("a", if: .only(4))), does: "catch up")
        session.take(.submitted(.b))
        session.take(.caughtUp, does: "refuse a: versionConflict at 3", "apply b")
    }

    @Test func aRefusalIsReconsideredOnce() {
        session.take(.submitted(.event("a", if: .only(5))), does: "catch up")
        session.catchUp(learning: 4, does: "refuse a: versionConflict at 4")
        session.take(.submitted(.b), does: "apply b")
        session.take(.refused(.treeIsFull), does: "catch up")
        session.catchUp(learning: 5, does: "apply b")
        session.take(.refused(.treeIsFull), does: "refuse b: treeIsFull")
    }

    @Test func aFailureIsReconsideredWithANewTree() {
        session.take(.submitted(.a), does: "apply a")
        session.take(.failed(.tooBusy), does: "discard", "catch up")
        session.take(.caughtUp, does: "refuse a: tooBusy")
        session.take(.submitted(.b), does: "apply b")
        session.take(.failed(.tooBusy), does: "discard", "catch up")
        session.catchUp(learning: 4, does: "apply b")
    }

    @Test func aRepetitionFoundWhileCatchingUpGetsItsOutcome() {
        session.take(.submitted(.event("a", if: .only(2), retry: Retry("key"))), does: "catch up")
        session.take(.learned(4, retry: Retry("key")))
        session.take(.caughtUp, does: "repeatOutcome a: 4")
    }

    // MARK: News

    @Test func anIdleSessionCatchesUpAtOnce() {
        session.take(.changedElsewhere, does: "catch up")
        session.catchUp(learning: 4)
        #expect(session.machine.version == 4 && session.machine.isSettled)
    }

    @Test func catchingUpWaitsForTheCommit() {
        session.commit(.a)
        session.take(.changedElsewhere)
        session.take(.changedElsewhere)
        session.take(.submitted(.b))
        session.take(.committed, does: "publish a", "catch up")
        session.catchUp(learning: 5, does: "apply b")
    }

    @Test func aSessionCatchesUpWhenNoRequestWaits() {
        session.commit(.a)
        session.take(.changedElsewhere)
        session.take(.committed, does: "publish a", "catch up")
        session.catchUp(learning: 5)
    }

    @Test func newsDuringCatchingUpAreReadAfterwards() {
        session.take(.changedElsewhere, does: "catch up")
        session.take(.changedElsewhere)
        session.catchUp(learning: 4, does: "catch up")
        session.take(.caughtUp)
        session.take(.submitted(.look("five", atLeast: 5)), does: "catch up")
        session.take(.changedElsewhere)
        session.catchUp(learning: 5, does: "show five", "catch up")
    }

    @Test func endlessNewsDoNotDelayRequests() {
        session.take(.changedElsewhere, does: "catch up")
        session.take(.submitted(.look()))
        session.take(.submitted(.a))
        session.take(.changedElsewhere)
        session.take(.caughtUp, does: "show look", "catch up")
        session.take(.changedElsewhere)
        session.take(.caughtUp, does: "apply a")
    }

    @Test func catchingUpWaitsForAnEndThatFails() {
        session.take(.submitted(.end()), does: "end end")
        session.take(.changedElsewhere)
        session.take(.notEnded(.unavailable), does: "refuse end: unavailable", "catch up")
    }

    @Test func unavailableNewsDoNoHarm() {
        session.take(.changedElsewhere, does: "catch up")
        session.take(.submitted(.look()))
        session.take(.caughtUp(.journal(.unavailable)), does: "discard", "refuse look: unavailable")
        session.take(.changedElsewhere, does: "catch up")
        session.take(.caughtUp)
        #expect(session.machine.isSettled)
    }
}
