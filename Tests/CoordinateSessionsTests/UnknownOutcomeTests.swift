import Testing

@testable import CoordinateSessions

/// Entries whose outcome is unknown for a while.
struct UnknownOutcomeTests {
    private static let marked = TestRequest.event("a", mark: 7)

    /// A session with an entry whose outcome is unknown, and which is appended once more.
    private func uncertain(isShared: Bool = true) -> MachineScript {
        let session = MachineScript(isShared: isShared)
        session.commit(Self.marked)
        session.take(.notCommitted(.outcomeUnknown), does: "append a")
        return session
    }

    // MARK: Outcomes that become known

    @Test(arguments: [false, true]) func theSameEntryIsAppendedAgain(isShared: Bool) {
        let session = uncertain(isShared: isShared)
        session.take(.committed, does: "publish a")
        #expect(session.machine.version == 4)
    }

    @Test(arguments: [false, true]) func aConflictWithOurOwnMarkIsSuccess(isShared: Bool) {
        let session = uncertain(isShared: isShared)
        session.take(.submitted(.b))
        session.conflict()
        session.take(.learned(3, mark: 6))
        session.take(.learned(4, mark: 7))
        session.take(.learned(5, mark: 8))
        session.take(.caughtUp, does: "repeatOutcome a: 4", "apply b")
        #expect(session.machine.version == 5)
    }

    @Test func aConflictWithAnotherMarkIsAConflict() {
        let session = uncertain()
        session.conflict()
        session.take(.learned(4, mark: 8))
        session.take(.caughtUp, does: "apply a")
        session.take(.applied, does: "append a")
        session.take(.notCommitted(.outcomeUnknown), does: "append a")
        session.conflict()
        session.take(.learned(4, mark: 8))
        session.take(.learned(5, mark: 7))
        session.take(.caughtUp, does: "repeatOutcome a: 5")
    }

    @Test func anEntryWithoutAMarkIsNotRecognizedAsOurs() {
        let session = MachineScript(isShared: true)
        session.commit(.a)
        session.conflict()
        session.catchUp(learning: 4, does: "apply a")
    }

    @Test func aKnownOutcomeIsReportedThoughTheRestIsUnknown() {
        for error in [SessionError.journal(.unavailable), .tooBusy, .draining, .appChanged(.at(5))] {
            let session = uncertain()
            session.conflict()
            session.take(.learned(4, mark: 7))
            session.take(.caughtUp(error), does: "discard", "repeatOutcome a: 4")
        }
    }

    // MARK: Outcomes that stay unknown

    @Test(arguments: [JournalError.outcomeUnknown, .unavailable, .full])
    func anEntryIsAppendedFiveTimesAndThenItsOutcomeIsUnknown(error: JournalError) {
        let session = uncertain()
        session.take(.submitted(.b))
        for _ in 2...4 { session.take(.notCommitted(error), does: "append a") }
        session.take(.notCommitted(error), does: "discard", "refuse a: outcomeUnknown", "catch up")
        session.take(.learned(4, mark: 7))
        session.take(.caughtUp, does: "apply b")
        #expect(session.machine.version == 4)
    }

    @Test func theNextRequestCatchesUp() {
        let session = uncertain()
        for _ in 2...4 { session.take(.notCommitted(.outcomeUnknown), does: "append a") }
        session.take(.notCommitted(.outcomeUnknown), does: "discard", "refuse a: outcomeUnknown")
        #expect(session.machine.isIdle && !session.machine.hasTree)
        session.take(.submitted(.look()), does: "catch up")
    }

    @Test func theNextEntryHasItsOwnRepetitions() {
        let session = uncertain()
        for _ in 2...4 { session.take(.notCommitted(.outcomeUnknown), does: "append a") }
        session.conflict()
        session.take(.learned(4, mark: 8))
        session.take(.caughtUp, does: "apply a")
        session.take(.applied, does: "append a")
        for _ in 1...4 { session.take(.notCommitted(.outcomeUnknown), does: "append a") }
        session.take(.notCommitted(.outcomeUnknown), does: "discard", "refuse a: outcomeUnknown")
    }

    @Test func withoutAMarkTheEntryIsNotAppendedAgain() {
        let session = MachineScript()
        session.commit(.a)
        session.take(.notCommitted(.outcomeUnknown), does: "discard", "refuse a: outcomeUnknown")
    }

    @Test(arguments: [SessionError.journal(.unavailable), .journal(.outcomeUnknown), .tooBusy, .draining])
    func ifTheEntryCannotBeReadTheOutcomeIsUnknown(error: SessionError) {
        let session = uncertain()
        session.conflict()
        session.take(.learned(3, mark: 6))
        session.take(.caughtUp(error), does: "discard", "refuse a: outcomeUnknown")
    }

    @Test func ifTheAppChangedBeforeTheEntryTheOutcomeIsUnknown() {
        let session = uncertain()
        session.take(.submitted(.b))
        session.conflict()
        session.take(
            .caughtUp(.appChanged(.at(2))), does: "discard", "refuse a: outcomeUnknown", "refuse b: appChanged")
    }

    @Test func theLastAttemptMayHaveBeenCommitted() {
        let session = MachineScript(isShared: true)
        session.take(.submitted(Self.marked), does: "apply a")
        for attempt in 1...9 {
            session.take(.applied, does: "append a")
            session.conflict()
            session.take(.learned(3 + attempt))
            session.take(.caughtUp, does: "apply a")
        }
        session.take(.applied, does: "append a")
        session.take(.notCommitted(.outcomeUnknown), does: "append a")
        session.conflict()
        session.take(.learned(13, mark: 7))
        session.take(.caughtUp, does: "repeatOutcome a: 13")
    }

    // MARK: Certain again

    @Test func anOutcomeThatBecomesCertainIsReported() {
        let session = uncertain()
        session.conflict()
        session.take(.learned(4, mark: 8))
        session.take(.caughtUp, does: "apply a")
        session.take(.applied, does: "append a")
        session.take(.notCommitted(.unavailable), does: "discard", "refuse a: unavailable")
    }

    @Test func theNextRequestIsNotUncertain() {
        let session = uncertain()
        session.take(.submitted(.b))
        for _ in 2...4 { session.take(.notCommitted(.outcomeUnknown), does: "append a") }
        session.take(.notCommitted(.outcomeUnknown), does: "discard", "refuse a: outcomeUnknown", "catch up")
        session.take(.caughtUp(.journal(.unavailable)), does: "discard", "refuse b: unavailable")
    }

    @Test func ifTheSessionHasEndedTheEndIsReported() {
        var session = uncertain()
        session.take(.notCommitted(.noSuchSession), does: "dismiss", "refuse a: hasEnded")
        session = uncertain()
        session.conflict()
        session.take(.caughtUp(.hasEnded), does: "dismiss", "refuse a: hasEnded")
    }
}
