import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The treatment of turns that fail halfway, each of which costs the tree.
struct FailedTurnTests {
    private static func request(_ name: String, _ fingerprint: Int?, at time: Int = 0) -> TestRequest {
        var request = TestRequest.event(name)
        request.fingerprint = fingerprint
        request.time = time
        return request
    }

    /// A session without a tree, after a request met a limit.
    private static func full(isShared: Bool = false) -> MachineScript {
        let session = MachineScript(isShared: isShared)
        session.take(.submitted(request("a", 1)), does: "apply a")
        session.take(
            .failed(.treeIsFull), does: isShared ? ["discard", "catch up"] : ["discard", "refuse a: treeIsFull"])
        if isShared { session.take(.caughtUp, does: "refuse a: treeIsFull") }
        return session
    }

    // MARK: The machine

    @Test func theSameRequestGetsTheSameErrorWithoutATree() {
        let session = Self.full()
        session.take(.submitted(Self.request("again", 1, at: 29)), does: "refuse again: treeIsFull")
        #expect(!session.machine.hasTree)
        session.take(.submitted(Self.request("late", 1, at: 30)), does: "catch up")
    }

    @Test func anotherRequestWakesTheTree() {
        let session = Self.full()
        session.take(.submitted(Self.request("b", 2)), does: "catch up")
        session.take(.caughtUp, does: "apply b")
        session.take(.refused(.treeIsFull), does: "refuse b: treeIsFull")
        session.take(.submitted(Self.request("a", 1)), does: "refuse a: treeIsFull")
        session.take(.submitted(.look()), does: "show look")
    }

    @Test func atAnotherVersionTheRequestRunsAgain() {
        let session = Self.full()
        session.take(.submitted(Self.request("b", 2)), does: "catch up")
        session.take(.caughtUp, does: "apply b")
        session.publish("b")
        session.take(.submitted(Self.request("a", 1)), does: "apply a")
    }

    @Test func aRequestWhoseConditionDoesNotHoldLearnsOfTheConflict() {
        let session = Self.full()
        var request = TestRequest.event("a", if: .only(2))
        request.fingerprint = 1
        session.take(.submitted(request), does: "catch up")
        session.take(.caughtUp, does: "refuse a: versionConflict at 3")
    }

    @Test func aFailureOfTheAppIsNotRemembered() {
        let session = MachineScript()
        session.take(.submitted(Self.request("a", 1)), does: "apply a")
        session.take(.failed(.appFailed(SecretError())), does: "discard", "refuse a: appFailed")
        session.take(.submitted(Self.request("a", 1)), does: "catch up")
        session.take(.caughtUp, does: "apply a")
    }

    @Test func ifOtherServersWriteTheSessionCatchesUpFirst() {
        let session = Self.full(isShared: true)
        session.take(.submitted(Self.request("a", 1)), does: "catch up")
        session.take(.caughtUp, does: "refuse a: treeIsFull")
        session.take(.submitted(Self.request("a", 1)), does: "catch up")
        session.catchUp(learning: 4, does: "apply a")
    }

    @Test func aClientWhoseTurnsKeepFailingHasToWait() {
        let session = MachineScript()
        // Each failure replays the three events of the session.
        for failure in 0...FailedTurns.capacity / 103 {
            session.take(.submitted(Self.request("a", failure)), does: failure == 0 ? "apply a" : "catch up")
            if failure > 0 { session.take(.caughtUp, does: "apply a") }
            session.take(.failed(.appFailed(SecretError())), does: "discard", "refuse a: appFailed")
        }
        session.take(.submitted(Self.request("a", nil)), does: "refuse a: tooBusy")
        session.take(.submitted(.look()), does: "catch up")
        session.take(.caughtUp, does: "show look")
        session.take(.submitted(Self.request("b", nil)), does: "refuse b: tooBusy")
        session.take(.submitted(Self.request("b", nil, at: 1)), does: "apply b")
    }

    @Test func onlyTheLastEightRefusalsAreRemembered() {
        let session = Self.full()
        for fingerprint in 2...9 {
            session.take(.submitted(Self.request("b", fingerprint)), does: "catch up")
            session.take(.caughtUp, does: "apply b")
            session.take(.failed(.treeIsFull), does: "discard", "refuse b: treeIsFull")
        }
        session.take(.submitted(Self.request("b", 2)), does: "refuse b: treeIsFull")
        session.take(.submitted(Self.request("a", 1)), does: "catch up")
    }

    // MARK: The session

    @Test(arguments: [(failures: 15, succeeds: true), (16, false)])
    func anEditedForkIsRefusedIfTooManyTurnsFail(failures: Int, succeeds: Bool) throws {
        let registry = SessionRegistry.make(app: TestApp())
        let session = try registry.begin(with: .push(1)).now().session
        var edits = HistoryEdits()
        for _ in 0..<failures { edits.insert(EventRequest(name: "test.fail", payload: .object([]), at: nil), after: 1) }
        let fork = try? registry.fork(session, at: 1, editing: edits).now()
        #expect(fork?.report.refused.count == (succeeds ? failures : nil))
        #expect(registry.count == (succeeds ? 2 : 1))
    }

    @Test func aFullTreeIsNotRebuiltForTheSameEvent() throws {
        let app = TestApp()
        let session = try SessionRegistry.make(app: app, clock: ManualClock().clock).begin().now().session
        var pushes = 0
        while (try? session.inject(.push(pushes)).now()) != nil { pushes += 1 }
        #expect(pushes > 900)
        #expect(try session.route().now().route?.version == pushes)
        #expect(app.trees.value == 2)
        for _ in 0..<20 {
            #expect(throws: SessionError.self) { try session.inject(.push(pushes)).now() }
        }
        #expect(app.trees.value == 2)
        #expect(try session.inject(.make("navigation.back")).now().version == pushes + 1)
        #expect(try session.inject(.push(pushes)).now().version == pushes + 2)
        #expect(app.trees.value == 2)
    }
}
