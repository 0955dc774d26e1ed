import Testing

@testable import CoordinateSessions

/// The ends of sessions: by a client of this server, on another server, and when the server stops.
struct EndOfSessionTests {
    private let session = MachineScript()

    // MARK: An end

    @Test func anIdleSessionEndsAtOnce() { session.end() }

    @Test func aSessionIsNotWokenToBeEnded() {
        for isShared in [false, true] {
            let session = MachineScript(isShared: isShared, hasTree: false)
            session.take(.submitted(.end(if: .only(3))), does: "end end at 3")
            session.take(.ended, does: "confirm end", "dismiss")
        }
    }

    @Test func anEndComesAfterEarlierRequests() {
        session.commit(.a)
        session.take(.submitted(.end(if: .only(4))))
        session.take(.submitted(.b))
        session.take(.committed, does: "publish a", "end end at 4")
        session.take(.submitted(.look()))
        session.take(.ended, does: "confirm end", "dismiss", "refuse b: hasEnded", "refuse look: hasEnded")
    }

    @Test func anEndWaitsForTheTreeThatOthersWaitFor() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.look()), does: "catch up")
        session.take(.submitted(.end()))
        session.take(.caughtUp, does: "show look", "end end")
    }

    @Test(arguments: SessionMachineTests.conditions)
    func aSessionEndsIfTheConditionHolds(condition: VersionCondition, holds: Bool) {
        let end = condition == .none ? "end end" : "end end at 3"
        session.take(.submitted(.end(if: condition)), does: holds ? end : "refuse end: versionConflict at 3")
        #expect(session.machine.isIdle == !holds)
    }

    @Test func theSecondOfTwoEndsFindsNoSession() {
        session.take(.submitted(.end("first")), does: "end first")
        session.take(.submitted(.end("second")))
        session.take(.ended, does: "confirm first", "dismiss", "refuse second: hasEnded")
        session.take(.submitted(.end("third")), does: "refuse third: hasEnded")
    }

    @Test func afterTheEndEverythingIsRefused() {
        for isShared in [false, true] {
            let session = MachineScript(isShared: isShared)
            session.end()
            for request in [TestRequest.event("it"), .look("it", atLeast: 9), .end("it", if: .only(1))] {
                session.take(.submitted(request), does: "refuse it: hasEnded")
            }
            for input in SessionMachineTests.answers + [.changedElsewhere, .vanished, .passivated] {
                session.take(input)
            }
            session.take(.submitted(.a), does: "refuse a: hasEnded")
        }
    }

    // MARK: An end that fails

    @Test(arguments: [JournalError.unavailable, .outcomeUnknown])
    func afterAnEndThatTheJournalRefusesTheNextRequestBegins(error: JournalError) {
        session.take(.submitted(.end()), does: "end end")
        session.take(.submitted(.a))
        session.take(.notEnded(error), does: "refuse end: \(error)", "apply a")
    }

    @Test func aSessionThatTheJournalLostHasEnded() {
        session.take(.submitted(.end()), does: "end end")
        session.take(.notEnded(.noSuchSession), does: "confirm end", "dismiss")
    }

    @Test func anEndIsReconsideredOnceAfterCatchingUp() {
        var session = MachineScript(isShared: true)
        session.take(.submitted(.end(if: .only(4))), does: "catch up")
        session.catchUp(learning: 4, does: "end end at 4")
        session = MachineScript(isShared: true)
        session.take(.submitted(.end(if: .only(5))), does: "catch up")
        session.take(.submitted(.a))
        session.catchUp(learning: 4, does: "refuse end: versionConflict at 4", "apply a")
    }

    @Test func anEndAtAnOldVersionIsRefused() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(.end(if: .only(3))), does: "end end at 3")
        session.take(.submitted(.a))
        session.take(.notEnded(.conflict), does: "catch up")
        session.catchUp(learning: 4, does: "refuse end: versionConflict at 4", "apply a")
    }

    @Test func anEndIsTriedTenTimes() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(.end(if: .none(of: 1))), does: "end end at 3")
        for version in 4...12 {
            session.take(.notEnded(.conflict), does: "catch up")
            session.take(.learned(version))
            session.take(.caughtUp, does: "end end at \(version)")
        }
        session.take(.notEnded(.conflict), does: "catch up")
        session.catchUp(learning: 13, does: "refuse end: tooBusy")
        #expect(session.machine.isIdle)
    }

    @Test func anEndThatCannotBeReconsideredIsRefused() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(.end(if: .only(4))), does: "catch up")
        session.take(.caughtUp(.journal(.unavailable)), does: "discard", "refuse end: unavailable")
    }

    // MARK: An end elsewhere

    @Test func allWaitingRequestsLearnThatTheSessionHasEndedElsewhere() {
        let session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.submitted(.look()))
        session.take(.submitted(.end()))
        session.take(
            .notCommitted(.noSuchSession), does: "dismiss", "refuse a: hasEnded", "refuse look: hasEnded",
            "refuse end: hasEnded")
    }

    @Test func anEndElsewhereIsFoundWhileCatchingUp() {
        var session = MachineScript(isShared: true, hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.submitted(.look()))
        session.take(.caughtUp(.hasEnded), does: "dismiss", "refuse a: hasEnded", "refuse look: hasEnded")
        session = MachineScript(isShared: true)
        session.take(.changedElsewhere, does: "catch up")
        session.take(.caughtUp(.hasEnded), does: "dismiss")
    }

    @Test func anIdleSessionThatHasEndedElsewhereIsReleased() {
        let session = MachineScript(isShared: true)
        session.take(.vanished, does: "dismiss")
        session.take(.vanished)
        session.take(.submitted(.a), does: "refuse a: hasEnded")
    }

    @Test func theRequestUnderWayInAnEndedSessionIsAnsweredFirst() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.submitted(.look()))
        session.take(.vanished)
        session.take(.notCommitted(.noSuchSession), does: "dismiss", "refuse a: hasEnded", "refuse look: hasEnded")

        session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.vanished)
        session.take(.committed, does: "publish a", "catch up")
        session.take(.caughtUp(.hasEnded), does: "dismiss")

        session = MachineScript(isShared: true, hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.vanished)
        session.take(.caughtUp(.hasEnded), does: "dismiss", "refuse a: hasEnded")
    }

    @Test func anEndIsConfirmedIfTheSessionVanishesMeanwhile() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(.end()), does: "end end")
        session.take(.vanished)
        session.take(.ended, does: "confirm end", "dismiss")
    }

    // MARK: The server's end

    @Test func newRequestsAreRefusedWhileDraining() {
        for request in [TestRequest.event("it"), .look("it"), .end("it")] {
            var session = MachineScript()
            session.take(.drained)
            session.take(.submitted(request), does: "refuse it: draining")

            session = MachineScript()
            session.commit(.a)
            session.take(.drained)
            session.take(.submitted(request), does: "refuse it: draining")
            session.take(.committed, does: "publish a")
        }
    }

    @Test func requestsThatWaitedBeforeDrainingAreServed() {
        session.commit(.a)
        for request in [TestRequest.b, .look(), .end()] { session.take(.submitted(request)) }
        session.take(.drained)
        session.take(.committed, does: "publish a", "apply b")
        session.publish("b", then: "show look", "end end")
        session.take(.ended, does: "confirm end", "dismiss")
    }

    @Test func requestsThatWaitForATreeAreRefusedWhileDraining() {
        for request in [TestRequest.event("it"), .look("it")] {
            var session = MachineScript(hasTree: false)
            session.take(.submitted(request), does: "catch up")
            session.take(.drained)
            session.take(.caughtUp, does: "refuse it: draining")

            session = MachineScript(hasTree: false)
            session.take(.submitted(request), does: "catch up")
            session.take(.drained)
            session.take(.caughtUp(.draining), does: "discard", "refuse it: draining")
        }
    }

    @Test func nothingIsRetriedWhileDraining() {
        var session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.drained)
        session.conflict()
        session.catchUp(learning: 4, does: "refuse a: draining")

        session = MachineScript(isShared: true)
        session.take(.submitted(.end(if: .none(of: 1))), does: "end end at 3")
        session.take(.drained)
        session.take(.notEnded(.conflict), does: "catch up")
        session.catchUp(learning: 4, does: "refuse end: draining")

        session = MachineScript(isShared: true)
        session.take(.submitted(.a), does: "apply a")
        session.take(.drained)
        session.take(.refused(.treeIsFull), does: "refuse a: treeIsFull")
    }

    @Test func changesElsewhereAreNotReadWhileDraining() {
        let session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.changedElsewhere)
        session.take(.drained)
        session.take(.committed, does: "publish a")
        session.take(.changedElsewhere)
    }

    @Test func anUnknownOutcomeStaysUnknownWhileDraining() {
        let session = MachineScript(isShared: true)
        session.commit(.event("a", mark: 7))
        session.take(.drained)
        session.take(.notCommitted(.outcomeUnknown), does: "discard", "refuse a: outcomeUnknown")
    }

    @Test func anOutcomeThatIsFoundWhileDrainingIsReported() {
        let session = MachineScript(isShared: true)
        session.commit(.event("a", mark: 7))
        session.take(.notCommitted(.outcomeUnknown), does: "append a")
        session.take(.drained)
        session.conflict()
        session.take(.learned(4, mark: 7))
        session.take(.caughtUp, does: "repeatOutcome a: 4")
    }
}
