import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The ends of sessions: by a client of this server, on another server, and when the server stops.
struct EndOfSessionTests {
    private let session: TurnScript
    private let shared: TurnScript

    init() throws {
        session = try TurnScript()
        shared = try TurnScript(isShared: true)
    }

    // MARK: An end

    @Test(arguments: [false, true]) func aSessionEndsWithoutATree(isShared: Bool) throws {
        let session = try TurnScript(isShared: isShared, hasTree: false)
        session.end(if: .only(3), does: "end at 3")
        session.answer(does: "end: done")
        #expect(session.registry.count == 0 && session.session.isIdle)
    }

    @Test func anEndComesAfterEarlierRequests() {
        session.follow(does: "follow: 3")
        session.event("a", does: "append a")
        session.end(if: .only(4))
        session.event("b")
        session.answer(does: "follower: 4", "a: 4", "end at 4")
        session.look()
        session.answer(does: "follower: end", "end: done", "b: hasEnded", "look: hasEnded")
    }

    @Test func anEndWaitsForTheTreeThatOthersWaitFor() throws {
        let session = try TurnScript(hasTree: false)
        session.look(does: "read after 0")
        session.end()
        session.answer(does: "look: 3", "end")
    }

    @Test(arguments: SessionTurnTests.conditions)
    func aSessionEndsIfTheConditionHolds(condition: VersionCondition, holds: Bool) {
        let end = condition == .none ? "end" : "end at 3"
        session.end(if: condition, does: holds ? end : "end: versionConflict at 3")
    }

    @Test(arguments: [false, true]) func afterTheEndEverythingIsRefused(isShared: Bool) {
        let session = isShared ? shared : session
        session.end(does: "end")
        session.answer(does: "end: done")
        session.event("a", does: "a: hasEnded")
        session.look(atLeast: 9, does: "look: hasEnded")
        session.end(if: .only(1), does: "end: hasEnded")
        session.news()
        session.session.vanish()
        session.expect()
        #expect(session.session.isIdle && session.session.host.counters.trees == 0)
    }

    // MARK: An end that fails

    @Test(arguments: [JournalError.unavailable, .outcomeUnknown])
    func afterAnEndThatTheJournalRefusesTheNextRequestBegins(error: JournalError) {
        session.end(does: "end")
        session.event("a")
        session.answer(.failed(error), does: "end: \(error)", "append a")
    }

    @Test func aSessionThatTheJournalLostHasEnded() {
        session.end(does: "end")
        session.endElsewhere()
        session.answer(does: "end: done")
    }

    @Test(arguments: [(4, "end at 4"), (5, "end: versionConflict at 4")])
    func anEndIsReconsideredOnceAfterCatchingUp(version: Int, then word: String) {
        shared.rival()
        shared.end(if: .only(version), does: "read after 3")
        shared.answer(does: word)
    }

    @Test func anEndAtAnOldVersionIsRefused() {
        shared.end(if: .only(3), does: "end at 3")
        shared.event("a")
        shared.rival()
        shared.answer(does: "read after 3")
        shared.answer(does: "end: versionConflict at 4", "append a")
    }

    @Test func anEndIsTriedTenTimes() {
        shared.end(if: .none(of: 1), does: "end at 3")
        for version in 3...12 {
            shared.rival()
            shared.answer(does: "read after \(version)")
            shared.answer(does: version < 12 ? "end at \(version + 1)" : "end: tooBusy")
        }
        #expect(shared.session.isIdle)
    }

    // MARK: An end elsewhere

    @Test func allThatWaitLearnThatTheSessionHasEndedElsewhere() {
        shared.follow(does: "head")
        shared.answer(does: "follow: 3", "read after 3")
        shared.answer()
        shared.event("a", does: "append a")
        shared.look()
        shared.end()
        shared.endElsewhere()
        shared.answer(does: "follower: end", "a: hasEnded", "look: hasEnded", "end: hasEnded")
    }

    @Test func anEndElsewhereIsFoundWhileCatchingUp() throws {
        let session = try TurnScript(isShared: true, hasTree: false)
        session.event("a", does: "read after 0")
        session.look()
        session.endElsewhere()
        session.answer(does: "a: hasEnded", "look: hasEnded")
        shared.news(does: "read after 3")
        shared.endElsewhere()
        shared.answer()
        shared.look(does: "look: hasEnded")
    }

    @Test func anIdleSessionThatHasEndedElsewhereIsReleased() {
        shared.session.vanish()
        shared.session.vanish()
        shared.event("a", does: "a: hasEnded")
    }

    @Test func theRequestUnderWayInAVanishedSessionIsAnsweredFirst() {
        shared.event("a", does: "append a")
        shared.session.vanish()
        shared.answer(does: "a: 4", "read after 4")
        shared.endElsewhere()
        shared.answer()
        #expect(shared.session.hasEnded)
        session.event("a", does: "append a")
        session.look()
        session.endElsewhere()
        session.session.vanish()
        session.answer(does: "a: hasEnded", "look: hasEnded")
    }

    @Test func anEndIsConfirmedIfTheSessionVanishesMeanwhile() {
        shared.end(does: "end")
        shared.session.vanish()
        shared.answer(does: "end: done")
    }

    @Test func otherRequestsReportTheEndAndNoOtherErrorAsWell() throws {
        try expectEnd(of: "fork", calling: "head", "create") { script async throws(SessionError) in
            _ = try await script.registry.fork(script.session, at: 2)
        }
        try expectEnd(of: "journal", calling: "head", "read after 0") { script async throws(SessionError) in
            _ = try await script.session.journal().entries(after: 0, limit: 10)
        }
        try expectEnd(of: "former route", calling: "head", "read after 0") { script async throws(SessionError) in
            _ = try await script.session.route(at: 1)
        }
        try expectEnd(of: "repetition", calling: "read after 0") { script async throws(SessionError) in
            _ = try await script.session.inject(.say("1", retry: Retry("key")))
        }
    }

    /// Ends the session before each of the calls of a request.
    private func expectEnd(
        of name: String, calling calls: String...,
        body: @escaping @Sendable (TurnScript) async throws(SessionError) -> Void
    ) throws {
        for end in calls.indices {
            let script = try TurnScript(first: Retry("key"))
            script.request(name, does: [calls[0]]) { () async throws(SessionError) in
                try await body(script)
                return "done"
            }
            for call in calls.prefix(end + 1).dropFirst() { script.answer(does: call) }
            script.endElsewhere()
            script.answer(does: "\(name): hasEnded")
        }
    }

    // MARK: The server's end

    @Test(arguments: [false, true]) func newRequestsAreRefusedWhileDraining(isBusy: Bool) {
        if isBusy { session.event("a", does: "append a") }
        session.session.drain()
        session.event("b", does: "b: draining")
        session.look(does: "look: draining")
        session.end(does: "end: draining")
        if isBusy { session.answer(does: "a: 4") }
    }

    @Test func requestsThatWaitedBeforeDrainingAreServed() {
        session.event("a", does: "append a")
        session.event("b")
        session.look()
        session.end()
        session.session.drain()
        session.answer(does: "a: 4", "append b")
        session.answer(does: "b: 5", "look: 5", "end")
        session.answer(does: "end: done")
    }

    @Test func requestsThatWaitForATreeAreRefusedWhileDraining() throws {
        let session = try TurnScript(hasTree: false)
        session.event("a", does: "read after 0")
        session.look()
        session.session.drain()
        session.answer(does: "a: draining", "look: 3")
        // Replays on lanes are stopped.
        let other = try TurnScript(isShared: true, hasTree: false)
        other.event("a", does: "read after 0")
        other.registry.drain()
        other.answer(does: "a: draining")
    }

    @Test func aReplayThatIsStoppedEndsItsSliceBeforeItsRequestContinues() throws {
        let session = try TurnScript(isShared: true, hasTree: false)
        session.look(does: "read after 0")
        session.interrupt { [scheduler = session.registry.host.scheduler] in scheduler.cancel() }
        session.answer(does: "look: 3")
    }

    @Test func nothingIsRetriedWhileDraining() throws {
        shared.event("a", does: "append a")
        shared.session.drain()
        shared.conflict()
        shared.answer(does: "a: draining")

        var shared = try TurnScript(isShared: true)
        shared.end(if: .none(of: 1), does: "end at 3")
        shared.session.drain()
        shared.rival()
        shared.answer(does: "read after 3")
        shared.answer(does: "end: draining")

        shared = try TurnScript(isShared: true)
        shared.event("a", does: "append a")
        shared.event("b", .lost)
        shared.session.drain()
        shared.answer(does: "a: 4", "b: unknownCoordinator")
    }

    @Test func changesElsewhereAreNotReadWhileDraining() {
        shared.event("a", does: "append a")
        shared.news()
        shared.session.drain()
        shared.answer(does: "a: 4")
        shared.news()
    }
}
