import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Sessions that do not replay as they were recorded, or crash the process.
struct QuarantineTests {
    private func quarantined(isShared: Bool = false) -> MachineScript {
        let session = MachineScript(isShared: isShared, hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.caughtUp(.appChanged(.at(2))), does: "discard", "refuse a: appChanged")
        return session
    }

    @Test func allWaitingRequestsLearnOfTheQuarantine() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.submitted(.look()))
        session.take(.submitted(.b))
        session.take(
            .caughtUp(.appChanged(.at(2))), does: "discard", "refuse a: appChanged", "refuse look: appChanged",
            "refuse b: appChanged")
        #expect(session.machine.isIdle && !session.machine.isReadable && !session.machine.isSettled)
    }

    @Test func laterRequestsLearnOfTheQuarantineAtOnce() {
        let session = quarantined()
        session.take(.submitted(.b), does: "refuse b: appChanged")
        session.take(.submitted(.look(atLeast: 9)), does: "refuse look: appChanged")
        session.take(.passivated)
        guard case .quarantined(.changed(.at(2))) = session.machine.phase else {
            Issue.record("The session is not quarantined: \(session.machine.phase).")
            return
        }
    }

    @Test func anotherServersEventThatDoesNotReplayQuarantinesTheSession() {
        let session = MachineScript(isShared: true)
        session.take(.changedElsewhere, does: "catch up")
        session.take(.learned(4))
        session.take(.caughtUp(.appChanged(.at(5))), does: "discard")
        session.take(.changedElsewhere)
        session.take(.submitted(.look()), does: "refuse look: appChanged")
    }

    @Test func afterAConflictWithAnEntryThatDoesNotReplayTheOutcomeIsUnknown() {
        let session = MachineScript(isShared: true)
        session.commit(.event("a", mark: 7))
        session.conflict()
        session.take(.caughtUp(.appChanged(.at(4))), does: "discard", "refuse a: outcomeUnknown")
    }

    @Test(arguments: [false, true]) func itCanBeEnded(isShared: Bool) {
        for (condition, end) in [(VersionCondition.none, "end end"), (.only(3), "end end at 3")] {
            let session = quarantined(isShared: isShared)
            session.take(.submitted(.end(if: condition)), does: end)
            session.take(.ended, does: "confirm end", "dismiss")
        }
    }

    @Test(arguments: [false, true]) func aConditionCanPreventItsEnd(isShared: Bool) {
        let session = quarantined(isShared: isShared)
        session.take(.submitted(.end(if: .only(4))), does: "refuse end: versionConflict at 3")
        session.take(.submitted(.b), does: "refuse b: appChanged")
    }

    @Test func aWaitingEndBeginsFirstAndOtherRequestsWaitForIt() {
        let session = MachineScript(hasTree: false)
        session.take(.submitted(.a), does: "catch up")
        session.take(.submitted(.end()))
        session.take(.submitted(.b))
        session.take(.caughtUp(.appChanged(.at(2))), does: "discard", "refuse a: appChanged", "end end")
        session.take(.ended, does: "confirm end", "dismiss", "refuse b: hasEnded")
    }

    @Test func aReconsideredEndBeginsFirst() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(.end(if: .only(4))), does: "catch up")
        session.take(.learned(4))
        session.take(.caughtUp(.appChanged(.at(5))), does: "discard", "end end at 4")
    }

    @Test(arguments: [JournalError.unavailable, .outcomeUnknown])
    func anEndThatFailsLeavesItQuarantined(error: JournalError) {
        let session = quarantined()
        session.take(.submitted(.end()), does: "end end")
        session.take(.notEnded(error), does: "refuse end: \(error)")
        session.take(.submitted(.b), does: "refuse b: appChanged")
        session.end()
    }

    @Test func requestsThatWaitForAFailedEndLearnOfTheQuarantine() {
        let session = quarantined()
        session.take(.submitted(.end("first")), does: "end first")
        for request in [TestRequest.b, .look(), .end("second", if: .only(9)), .end("third"), .c] {
            session.take(.submitted(request))
        }
        session.take(
            .notEnded(.unavailable), does: "refuse first: unavailable", "refuse b: appChanged",
            "refuse look: appChanged", "refuse second: versionConflict at 3", "end third")
        session.take(.notEnded(.unavailable), does: "refuse third: unavailable", "refuse c: appChanged")
        #expect(session.machine.isIdle)
    }

    @Test func anEndAtAnOldVersionIsRefused() {
        let session = quarantined(isShared: true)
        session.take(.submitted(.end(if: .only(3))), does: "end end at 3")
        session.take(.notEnded(.conflict), does: "refuse end: versionConflict at 3")
        session.take(.submitted(.b), does: "refuse b: appChanged")
    }

    // MARK: Crashes

    @Test func aSessionLoadedWithCrashesAcceptsNothingAndIsNotWoken() {
        let session = MachineScript(crash: .at(4))
        session.take(.submitted(.a), does: "refuse a: crashed")
        session.take(.submitted(.look()), does: "refuse look: crashed")
        session.take(.changedElsewhere)
        session.take(.submitted(.look(atLeast: 9)), does: "refuse look: crashed")
        session.end()
    }

    /// Crashes in a new event count until another one is recorded in its place, and in a recorded one always.
    @Test(arguments: [
        (CrashNote.make(version: 4, times: 2), true), (.make(version: 3, times: 2), false),
        (.make(version: 3, isRepeated: true, times: 2), true), (.make(version: 4, times: 1), false),
        (.make(version: 4, appVersion: "2", times: 2), false),
    ])
    func crashesThatCountQuarantineASession(crash: CrashNote, doCount: Bool) {
        let head = SessionHead(
            record: .make(), version: 3, path: "/", lastEventAt: nil, expiresAt: Timestamp(seconds: 100), crash: crash)
        let reason = HostedApp(TestApp(version: "1"), logger: .silent).quarantine(of: head)
        #expect(reason == (doCount ? .crashed(crash) : nil))
    }

    @Test func crashesElsewhereQuarantineALiveSession() {
        let session = MachineScript(isShared: true)
        session.take(.judged(.at(4)), does: "discard")
        session.take(.submitted(.a), does: "refuse a: crashed")
        session.take(.judged(nil))
        session.take(.submitted(.a), does: "catch up")
        session.catchUp(learning: 4, does: "apply a")
    }

    @Test func crashesElsewhereDoNotStopTheRequestUnderWay() {
        let session = MachineScript(isShared: true)
        session.commit(.a)
        session.take(.judged(.at(4)))
        session.take(.committed, does: "publish a")
    }

    @Test func anEndOfCrashesDoesNotLiftAnotherQuarantine() {
        let session = quarantined(isShared: true)
        session.take(.judged(nil))
        session.take(.judged(.at(4)))
        session.take(.submitted(.b), does: "refuse b: appChanged")
    }

    // MARK: Elsewhere

    @Test func itCanEndElsewhere() {
        let session = quarantined(isShared: true)
        session.take(.vanished, does: "dismiss")
        session.take(.submitted(.b), does: "refuse b: hasEnded")
    }
}
