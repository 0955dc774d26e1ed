import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The treatment of turns that fail halfway, each of which costs the tree.
struct FailedTurnTests {
    /// A session without a tree, after a request met a limit.
    private func full(isShared: Bool = false) throws -> TurnScript {
        let session = try TurnScript(isShared: isShared)
        session.event("a", .fill, does: isShared ? "read after 0" : "a: tooMuchWork")
        if isShared { session.answer(does: "a: tooMuchWork") }
        return session
    }

    @Test func theSameRequestGetsTheSameErrorWithoutATree() throws {
        let session = try full()
        session.clock.advance(by: 29)
        session.event("again", .fill, does: "again: tooMuchWork")
        #expect(!session.hasTree)
        session.clock.advance(by: 1)
        session.event("late", .fill, does: "read after 0")
        session.answer(does: "late: tooMuchWork")
    }

    @Test func anotherRequestBuildsTheTree() throws {
        let session = try full()
        session.event("b", .lost, does: "read after 0")
        session.answer(does: "b: unknownCoordinator")
        session.event("a", .fill, does: "a: tooMuchWork")
        session.look(does: "look: 3")
    }

    @Test func atAnotherVersionTheRequestRunsAgain() throws {
        let session = try full()
        session.event("b", does: "read after 0")
        session.answer(does: "append b")
        session.answer(does: "b: 4")
        session.event("a", .fill, does: "a: tooMuchWork")
        #expect(!session.hasTree)
    }

    @Test func aRequestWhoseConditionDoesNotHoldLearnsOfTheConflict() throws {
        let session = try full()
        session.event("a", .make("turn.fill", if: .only(2)), does: "read after 0")
        session.answer(does: "a: versionConflict at 3")
    }

    @Test func aFailureOfTheAppIsNotRemembered() throws {
        let session = try TurnScript()
        session.event("a", .fail, does: "a: appFailed")
        session.event("a", .fail, does: "read after 0")
        session.answer(does: "a: appFailed")
    }

    @Test func ifOtherServersWriteTheSessionCatchesUpFirst() throws {
        let session = try full(isShared: true)
        for isNew in [false, true] {
            if isNew { session.rival() }
            session.event("a", .fill, does: "read after 3")
            session.answer(does: "a: tooMuchWork")
            #expect(session.hasTree == !isNew)
        }
    }

    @Test func aClientWhoseTurnsKeepFailingHasToWait() throws {
        let session = try TurnScript()
        // Each failure replays the three events of the session.
        for failure in 0...FailedTurns.capacity / 103 {
            session.event("a", .fail, does: failure == 0 ? "a: appFailed" : "read after 0")
            if failure > 0 { session.answer(does: "a: appFailed") }
        }
        session.event("a", does: "a: tooBusy")
        session.look(does: "read after 0")
        session.answer(does: "look: 3")
        session.event("b", does: "b: tooBusy")
        session.clock.advance(by: 1)
        session.event("b", does: "append b")
    }

    @Test func onlyTheLastEightRefusalsAreRemembered() throws {
        let session = try full()
        func fill(_ number: Int) -> EventInjection { .make("turn.fill", .object([PlainField("n", .int(number))])) }
        for number in 2...9 {
            session.event("b", fill(number), does: "read after 0")
            session.answer(does: "b: tooMuchWork")
        }
        session.event("b", fill(2), does: "b: tooMuchWork")
        session.event("a", .fill, does: "read after 0")
    }

    // MARK: The registry

    @Test(arguments: [(failures: 15, succeeds: true), (16, false)])
    func anEditedForkIsRefusedIfTooManyTurnsFail(failures: Int, succeeds: Bool) async throws {
        let registry = SessionRegistry.make(app: TestApp())
        let session = try await registry.begin(with: .push(1)).session
        var edits = HistoryEdits()
        for _ in 0..<failures { edits.insert(EventRequest(name: "test.fail", payload: .object([]), at: nil), after: 1) }
        let fork = try? await registry.fork(session, at: 1, editing: edits)
        #expect(fork?.report.refused.count == (succeeds ? failures : nil))
        #expect(registry.count == (succeeds ? 2 : 1))
    }

    @Test func aFullTreeIsNotRebuiltForTheSameEvent() async throws {
        let app = TestApp()
        let session = try await SessionRegistry.make(app: app, clock: ManualClock().clock).begin().session
        var pushes = 0
        while (try? await session.inject(.push(pushes))) != nil { pushes += 1 }
        #expect(pushes > 900)
        #expect(try await session.route().route?.version == pushes)
        #expect(app.trees.value == 2)
        for _ in 0..<20 {
            await #expect(throws: SessionError.self) { try await session.inject(.push(pushes)) }
        }
        #expect(app.trees.value == 2)
        #expect(try await session.inject(.make("navigation.back")).version == pushes + 1)
        #expect(try await session.inject(.push(pushes)).version == pushes + 2)
        #expect(app.trees.value == 2)
    }
}
