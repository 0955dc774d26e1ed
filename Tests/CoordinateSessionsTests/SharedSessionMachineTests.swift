import Testing

@testable import CoordinateSessions

/// A session that other servers change as well.
struct SharedSessionMachineTests {
    // MARK: Conflicts

    @Test func anEventThatConflictsIsTriedAgainAfterTheOther() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        for version in 1...4 { session.take(.learned(version)) }
        session.take(.caughtUp, does: "apply a")
        session.take(.applied, does: "append a")
        session.take(.committed, does: "publish a")
        #expect(session.machine.version == 5)
    }

    @Test func anEventWhoseConditionNoLongerHoldsIsRefused() {
        var session = MachineScript(isShared: true)
        session.commit(.event("a", if: .only(3)))
        session.take(.submitted(.b))
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(.learned(4))
        session.take(.caughtUp, does: "refuse a: versionConflict at 4", "apply b")
    }

    @Test func anEventThatNoLongerFitsIsRefused() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(.learned(4))
        session.take(.caughtUp, does: "apply a")
        session.take(.refused(.treeIsFull), does: "refuse a: treeIsFull")
    }

    @Test func anEventThatFailsNowIsRefused() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(.learned(4))
        session.take(.caughtUp, does: "apply a")
        session.take(.failed(.tooBusy), does: "discard", "refuse a: tooBusy")
    }

    @Test func aRequestThatAnotherServerAcceptedGetsItsOutcome() {
        var session = MachineScript(isShared: true)
        session.commit(.event("a", if: .only(3), retry: Retry("key")))
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(.learned(4, retry: Retry("key")))
        session.take(.learned(5))
        session.take(.caughtUp, does: "repeatOutcome a: 4")
    }

    @Test func anotherRequestOfTheSameKeyIsRefused() {
        var session = MachineScript(isShared: true)
        session.commit(.event("a", retry: Retry("key")))
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(.learned(4, retry: Retry("key", fingerprint: 2)))
        session.take(.caughtUp, does: "refuse a: otherRequestRetried")
    }

    @Test func anEventIsTriedTenTimes() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.a), does: "apply a")
        session.take(.submitted(.b))
        for attempt in 1...10 {
            session.take(.applied, does: "append a")
            session.take(.notCommitted(.conflict), does: "discard", "catch up")
            session.take(.learned(3 + attempt))
            if attempt < 10 { session.take(.caughtUp, does: "apply a") }
        }
        session.take(.caughtUp, does: "refuse a: tooBusy", "apply b")
        session.take(.applied, does: "append b")
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(.caughtUp, does: "apply b")
    }

    @Test func waitingRequestsStayInOrderThroughAConflict() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.submitted(.look()))
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(.submitted(.b))
        session.take(.learned(4))
        session.take(.caughtUp, does: "apply a")
        session.take(.applied, does: "append a")
        session.take(.submitted(.c))
        session.take(.committed, does: "publish a", "show look", "apply b")
        session.take(.applied, does: "append b")
        session.take(.committed, does: "publish b", "apply c")
    }

    @Test func afterAConflictAllRequestsLearnThatTheJournalIsUnavailable() {
        var session = MachineScript(isShared: true)
        session.commit(.event("a", mark: 7))
        session.take(.submitted(.b))
        session.take(.notCommitted(.conflict), does: "discard", "catch up")
        session.take(
            .caughtUp(.journal(.unavailable)), does: "discard", "refuse a: outcomeUnknown", "refuse b: unavailable")
    }

    // MARK: Refusals

    @Test func aRefusalIsReconsideredAfterCatchingUp() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.event("a", if: .only(4))), does: "catch up")
        session.take(.learned(4))
        session.take(.caughtUp, does: "apply a")
    }

    @Test func aRefusalStandsIfNothingIsNew() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.event("a", if: .only(4))), does: "catch up")
        session.take(.submitted(.b))
        session.take(.caughtUp, does: "refuse a: versionConflict at 3", "apply b")
    }

    @Test func aRefusalIsReconsideredOnce() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.event("a", if: .only(5))), does: "catch up")
        session.take(.learned(4))
        session.take(.caughtUp, does: "refuse a: versionConflict at 4")
        session.take(.submitted(.b), does: "apply b")
        session.take(.refused(.treeIsFull), does: "catch up")
        session.take(.learned(5))
        session.take(.caughtUp, does: "apply b")
        session.take(.refused(.treeIsFull), does: "refuse b: treeIsFull")
    }

    @Test func aFailureIsReconsideredWithANewTree() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.a), does: "apply a")
        session.take(.failed(.tooBusy), does: "discard", "catch up")
        session.take(.caughtUp, does: "refuse a: tooBusy")
        session.take(.submitted(.b), does: "apply b")
        session.take(.failed(.tooBusy), does: "discard", "catch up")
        session.take(.learned(4))
        session.take(.caughtUp, does: "apply b")
    }

    @Test func aRepetitionFoundWhileCatchingUpGetsItsOutcome() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.event("a", if: .only(2), retry: Retry("key"))), does: "catch up")
        session.take(.learned(4, retry: Retry("key")))
        session.take(.caughtUp, does: "repeatOutcome a: 4")
    }

    // MARK: News

    @Test func anIdleSessionCatchesUpAtOnce() {
        var session = MachineScript(isShared: true)
        session.take(.changedElsewhere, does: "catch up")
        session.take(.learned(4))
        session.take(.caughtUp)
        #expect(session.machine.version == 4 && session.machine.isSettled)
    }

    @Test func catchingUpWaitsForTheCommit() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.changedElsewhere)
        session.take(.changedElsewhere)
        session.take(.submitted(.b))
        session.take(.committed, does: "publish a", "catch up")
        session.take(.learned(5))
        session.take(.caughtUp, does: "apply b")
    }

    @Test func aSessionCatchesUpWhenNoRequestWaits() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.changedElsewhere)
        session.take(.committed, does: "publish a", "catch up")
        session.take(.learned(5))
        session.take(.caughtUp)
    }

    @Test func newsDuringCatchingUpAreReadAfterwards() {
        var session = MachineScript(isShared: true)
        session.take(.changedElsewhere, does: "catch up")
        session.take(.changedElsewhere)
        session.take(.learned(4))
        session.take(.caughtUp, does: "catch up")
        session.take(.caughtUp)
        session.take(.submitted(.look("five", atLeast: 5)), does: "catch up")
        session.take(.changedElsewhere)
        session.take(.learned(5))
        session.take(.caughtUp, does: "show five", "catch up")
    }

    @Test func endlessNewsDoNotDelayRequests() {
        var session = MachineScript(isShared: true)
        session.take(.changedElsewhere, does: "catch up")
        session.take(.submitted(.look()))
        session.take(.submitted(.a))
        session.take(.changedElsewhere)
        session.take(.caughtUp, does: "show look", "catch up")
        session.take(.changedElsewhere)
        session.take(.caughtUp, does: "apply a")
    }

    @Test func catchingUpWaitsForAnEndThatFails() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.end()), does: "end end")
        session.take(.changedElsewhere)
        session.take(.notEnded(.unavailable), does: "refuse end: unavailable", "catch up")
    }

    @Test func unavailableNewsDoNoHarm() {
        var session = MachineScript(isShared: true)
        session.take(.changedElsewhere, does: "catch up")
        session.take(.submitted(.look()))
        session.take(.caughtUp(.journal(.unavailable)), does: "discard", "refuse look: unavailable")
        session.take(.changedElsewhere, does: "catch up")
        session.take(.caughtUp)
        #expect(session.machine.isSettled)
    }
}
