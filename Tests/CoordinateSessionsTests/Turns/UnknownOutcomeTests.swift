import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Entries whose outcome is unknown for a while.
struct UnknownOutcomeTests {
    /// A session with an entry that was committed or not, and that is appended once more.
    private func uncertain(
        isShared: Bool = true, after answer: ScriptedJournal.Answer = .failed(.outcomeUnknown)
    ) throws -> TurnScript {
        let session = try TurnScript(isShared: isShared, losesAnswers: true)
        session.event("a", does: "append a")
        session.answer(answer, does: "append a")
        return session
    }

    private func repeatInVain(_ session: TurnScript, with error: JournalError = .outcomeUnknown) {
        for _ in 2...Session.repetitionLimit { session.answer(.failed(error), does: "append a") }
    }

    // MARK: Outcomes that become known

    @Test(arguments: [false, true]) func theSameEntryIsAppendedAgain(isShared: Bool) throws {
        let session = try uncertain(isShared: isShared)
        session.answer(does: "a: 4")
        #expect(session.stored(\.count) == 4)
    }

    @Test(arguments: [false, true]) func aConflictWithOurOwnEntryIsSuccess(isShared: Bool) throws {
        let session = try TurnScript(isShared: isShared, losesAnswers: true)
        session.follow(does: isShared ? "head" : "follow: 3")
        if isShared {
            session.answer(does: "follow: 3", "read after 3")
            session.answer()
        }
        session.event("a", does: "append a")
        session.answer(.lost, does: "append a")
        session.event("b")
        session.answer(does: "read after 0")
        session.rival()
        // It is found, shown and reported once; its outcome is reproduced from the journal.
        session.answer(does: "follower: 4", "follower: 5", "append b", "read after 0")
        session.answer(to: "append b", does: "follower: 6", "b: 6")
        session.answer(does: "a: 4")
        #expect(session.stored { $0.map(\.text) } == ["1", "2", "3", "a", "x", "b"])
        #expect(session.reports == [4, 6])
    }

    @Test func aConflictWithAnotherEntryIsAConflict() throws {
        let session = try uncertain()
        session.conflict()
        session.answer(does: "append a")
        session.answer(.lost, does: "append a")
        session.answer(does: "read after 0")
        session.answer(does: "read after 0")
        session.answer(does: "a: 5")
        #expect(session.stored(\.count) == 5)
        #expect(session.reports == [5])
    }

    @Test func theLastAttemptMayHaveBeenCommitted() throws {
        let session = try TurnScript(isShared: true, losesAnswers: true)
        session.event("a", does: "append a")
        for _ in 1...9 {
            session.conflict()
            session.answer(does: "append a")
        }
        session.answer(.lost, does: "append a")
        session.answer(does: "read after 0")
        session.answer(does: "read after 0")
        session.answer(does: "a: 13")
    }

    /// The outcome is known, though it cannot be reproduced: what follows it does not replay, or the server stops.
    @Test func aKnownOutcomeIsReportedThoughTheRestIsUnknown() throws {
        let session = try uncertain(after: .lost)
        session.rival(event: "turn.unknown")
        session.answer(does: "read after 0")
        session.answer(does: "read after 0")
        session.answer(does: "a: 4")
        session.look(does: "look: appChanged")
    }

    @Test func anOutcomeThatIsFoundWhileDrainingIsReported() throws {
        let session = try uncertain(after: .lost)
        session.session.drain()
        session.answer(does: "read after 0")
        session.answer(does: "read after 0")
        session.answer(does: "a: 4")
    }

    // MARK: Outcomes that stay unknown

    @Test(arguments: [JournalError.outcomeUnknown, .unavailable, .full])
    func anEntryIsAppendedFiveTimesAndThenItsOutcomeIsUnknown(error: JournalError) throws {
        let session = try uncertain(after: .lost)
        session.event("b")
        repeatInVain(session, with: error)
        session.answer(.failed(error), does: "a: outcomeUnknown", "read after 0")
        session.answer(does: "append b")
        session.answer(does: "b: 5")
    }

    @Test func theNextRequestCatchesUpAndHasItsOwnRepetitions() throws {
        let session = try uncertain()
        repeatInVain(session)
        session.answer(.failed(.outcomeUnknown), does: "a: outcomeUnknown")
        #expect(session.session.isIdle && !session.hasTree)
        session.event("a", does: "read after 0")
        session.answer(does: "append a")
        session.answer(.failed(.outcomeUnknown), does: "append a")
        repeatInVain(session)
        session.answer(.failed(.outcomeUnknown), does: "a: outcomeUnknown")
        // Nothing of it is left for another request.
        session.event("b", does: "read after 0")
        session.answer(.failed(.unavailable), does: "b: unavailable")
    }

    @Test(arguments: [false, true]) func withoutAMarkTheEntryIsNotAppendedAgain(isShared: Bool) throws {
        let session = try TurnScript(isShared: isShared)
        session.event("a", does: "append a")
        session.answer(.failed(.outcomeUnknown), does: "a: outcomeUnknown")
    }

    @Test(arguments: [JournalError.unavailable, .outcomeUnknown])
    func ifTheEntryCannotBeReadTheOutcomeIsUnknown(error: JournalError) throws {
        let session = try uncertain(after: .lost)
        session.answer(does: "read after 0")
        session.answer(.failed(error), does: "a: outcomeUnknown")
    }

    @Test func ifTheAppChangedBeforeTheEntryTheOutcomeIsUnknown() throws {
        let session = try uncertain()
        session.event("b")
        session.rival(event: "turn.unknown")
        session.answer(does: "read after 0")
        session.answer(does: "a: outcomeUnknown", "b: appChanged")
    }

    @Test func nothingIsAppendedAgainWhileDraining() throws {
        let session = try TurnScript(isShared: true, losesAnswers: true)
        session.event("a", does: "append a")
        session.session.drain()
        session.answer(.failed(.outcomeUnknown), does: "a: outcomeUnknown")
    }

    // MARK: Certain again

    @Test func anOutcomeThatBecomesCertainIsReported() throws {
        let session = try uncertain()
        session.conflict()
        session.answer(does: "append a")
        session.answer(.failed(.unavailable), does: "a: unavailable")
    }

    @Test func ifTheSessionHasEndedTheEndIsReported() throws {
        let session = try uncertain()
        session.endElsewhere()
        session.answer(does: "a: hasEnded")
        let other = try uncertain()
        other.conflict()
        other.endElsewhere()
        other.answer(does: "a: hasEnded")
    }
}
