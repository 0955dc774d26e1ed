import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Sessions that do not replay as they were recorded, or crash the process.
struct QuarantineTests {
    /// A session at version 3 that does not replay beyond that.
    private func broken(isShared: Bool = true) throws -> TurnScript {
        let session = try TurnScript(isShared: isShared)
        session.rival(event: "turn.unknown")
        return session
    }

    private func quarantined() throws -> TurnScript {
        let session = try broken()
        session.news(does: "read after 3")
        session.answer()
        return session
    }

    @Test func allThatWaitLearnOfTheQuarantine() throws {
        let session = try broken()
        session.event("a", does: "append a")
        session.event("b")
        session.look()
        session.answer(does: "read after 0")
        session.answer(does: "a: appChanged", "b: appChanged", "look: appChanged")
        #expect(session.session.isIdle && session.session.publishedRoute == nil && !session.hasTree)
        #expect(session.session.quarantine?.version == 4)
        #expect(session.session.host.counters.quarantined == 1)
    }

    @Test func laterRequestsLearnOfTheQuarantineAtOnce() throws {
        let session = try quarantined()
        session.event("a", does: "a: appChanged")
        session.look(atLeast: 9, does: "look: appChanged")
        session.news()
    }

    @Test func itCanBeEndedIfTheConditionHolds() throws {
        for (condition, word) in [(VersionCondition.none, "end"), (.only(3), "end at 3")] {
            let session = try quarantined()
            session.end(if: .only(4), does: "end: versionConflict at 3")
            session.end(if: condition, does: word)
            // A condition of version 3 no longer holds in the journal.
            session.answer(does: condition == .none ? "end: done" : "end: versionConflict at 3")
            session.event("a", does: condition == .none ? "a: hasEnded" : "a: appChanged")
        }
    }

    @Test func aWaitingEndBeginsAndLaterRequestsWaitForIt() throws {
        let session = try broken()
        session.news(does: "read after 3")
        session.look()
        session.end()
        session.event("a")
        session.answer(does: "look: appChanged", "end")
        session.answer(does: "end: done", "a: hasEnded")
    }

    @Test(arguments: [JournalError.unavailable, .outcomeUnknown])
    func anEndThatFailsLeavesItQuarantined(error: JournalError) throws {
        let session = try quarantined()
        session.end("first", does: "end")
        session.event("a")
        session.end("second", if: .only(9))
        session.end("third")
        session.answer(
            .failed(error), does: "first: \(error)", "a: appChanged", "second: versionConflict at 3", "end")
        session.answer(does: "third: done")
    }

    @Test func itCanEndElsewhere() throws {
        let session = try quarantined()
        session.session.vanish()
        session.event("a", does: "a: hasEnded")
    }

    // MARK: Crashes

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

    @Test func crashesElsewhereQuarantineASessionUntilTheyNoLongerCount() throws {
        let session = try TurnScript(isShared: true)
        session.session.apply(.make(version: 4, times: 2))
        session.event("a", does: "a: crashed")
        session.news()
        session.session.apply(nil)
        session.event("a", does: "read after 0")
        session.answer(does: "append a")
        // They do not stop a request under way.
        session.session.apply(.make(version: 4, times: 2))
        session.answer(does: "a: 4")
    }

    @Test func anEndOfCrashesDoesNotLiftAnotherQuarantine() throws {
        let session = try quarantined()
        session.session.apply(nil)
        session.session.apply(.make(version: 4, times: 2))
        session.event("a", does: "a: appChanged")
    }
}
