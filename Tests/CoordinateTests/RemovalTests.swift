import Coordinate
import Testing

struct RemovalTests {
    private let log = Log()
    private let box: Box

    init() { box = Box.started(log: log) }

    @Test func removalStopsTheWholeSubtreeDepthFirstOnce() {
        let stack = Stack("Stack", log: log)
        box.root(stack)
        stack.show(Leaf("A", log: log), sender: nil)
        stack.show(Leaf("B", log: log), sender: nil)
        stack.present(Leaf("M", log: log), animated: false)
        _ = log.flush()
        box.root(Leaf("Next", log: log))
        #expect(log.flush(only: "stop") == ["M stop", "B stop", "A stop", "Stack stop"])
    }

    @Test func aCoordinatorCanAskToBeRetained() {
        let kept = RetainedLeaf("Kept", log: log)
        box.root(kept)
        box.root(Leaf("Other", log: log))
        #expect(kept.isStarted)
        #expect(box.getCached(RetainedLeaf.self) === kept)
        #expect(log.flush(only: "start", "stop") == ["Kept start", "Other start"])
        box.root(kept)
        #expect(log.flush(only: "start", "stop", "activate") == ["Other stop", "Kept activate"])
        box.root(Leaf("Other", log: log))
        box.stop()
        #expect(!kept.isStarted)
        #expect(log.flush(only: "stop") == ["Box stop", "Other stop", "Kept stop"])
    }

    @Test func aRemovalThatWaitsIsNotReplacedByALaterRequest() {
        let (stack, leaves) = Stack.started("Bottom", "Middle")
        let first = Leaf("First")
        first.probe.onStart = { [unowned stack] in
            leaves[1].stop()
            stack.show(Leaf("Last"), sender: nil)
        }
        stack.show(first, sender: nil)
        #expect(Set(stack.childCoordinators.keys) == ["Bottom", "First", "Last"])
    }

    @Test func aFarewellEventFromStopBubbles() {
        let stack = Stack("Stack", log: log)
        let leaf = Leaf("A", log: log)
        box.root(stack)
        stack.show(leaf, sender: nil)
        var heardBy: String?
        leaf.probe.onStop = { [leaf] in heardBy = leaf.emitEvent(Ping.farewell).handledBy }
        box.probe.onEvent = { $0 as? Ping == .farewell }
        box.root(Leaf("B", log: log))
        #expect(heardBy == "Box")
        #expect(leaf.emitEvent(Ping.farewell).trace.map(\.coordinator) == ["A"])
    }

    @Test func aStoppedCoordinatorIsDetachedAndLinkedAgainOnRestart() {
        let leaf = Leaf("A")
        box.root(leaf)
        box.root(Leaf("B"))
        #expect(leaf.parentCoordinator == nil)
        #expect(leaf.rootViewController.emitEvent(Ping.ping).trace.isEmpty)
        box.root(leaf)
        #expect(leaf.isStarted)
        #expect(leaf.rootViewController.emitEvent(Ping.ping).trace.map(\.coordinator) == ["Box/A", "Box"])
    }

    @Test func aRootCanBeStoppedAndStartedAgain() throws {
        let box = Box("Box", log: log)
        box.probe.onStart = { [unowned box] in box.root(Leaf("A", log: log)) }
        box.start()
        let before = box.navigationState
        box.stop()
        #expect(!box.isStarted)
        #expect(box.childCoordinators.isEmpty)
        _ = log.flush()
        try box.turn { box.start() }
        #expect(box.navigationState == before)
        #expect(log.flush() == ["Box start", "A start", "Box activate", "A activate"])
    }

    @Test func navigationAskedOfAnEndingCoordinatorIsDropped() {
        let inner = Box("Inner", log: log)
        let leaf = Leaf("A", log: log)
        let late = Leaf("Late", log: log)
        var completions = 0
        box.root(inner)
        inner.root(leaf)
        leaf.probe.onStop = { [unowned inner] in inner.root(late) { completions += 1 } }
        box.root(Leaf("Next", log: log))
        #expect(completions == 1)
        #expect(!late.isStarted)
        #expect(!log.flush().contains("Late start"))
    }

    @Test func aSubtreeRemovedWhileItsChildStartsIsStoppedWhole() {
        let inner = Box("Inner", log: log)
        let child = Leaf("Child", log: log)
        let next = Leaf("Next", log: log)
        box.root(inner)
        child.probe.onStart = { [unowned box] in box.root(next) }
        inner.root(child)
        #expect(box.visibleLeaf === next)
        #expect(!inner.isStarted)
        #expect(!child.isStarted)
        #expect(
            log.flush() == [
                "Inner start", "Inner activate", "Child start", "Next start", "Child stop", "Inner deactivate",
                "Inner stop", "Next activate",
            ])
        #expect(inner.childCoordinators.isEmpty)
    }

    @Test func aMissingCallOfSuperIsADiagnosticNamingTheType() {
        final class Forgetful: Coordinator<Page> {
            override func start(with completion: @escaping () -> Void = {}) {}
            override func stop(with completion: @escaping () -> Void = {}) {}
        }
        let forgetful = Forgetful()
        box.root(forgetful)
        #expect(box.diagnostics == [.superNotCalled(type: "Forgetful", method: "start(with:)")])
        #expect(forgetful.isStarted)
        box.root(Leaf("A"))
        #expect(box.diagnostics == [.superNotCalled(type: "Forgetful", method: "stop(with:)")])
        #expect(!forgetful.isStarted)
    }
}
