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

    @Test func tabsAreKept() {
        let (tabs, leaves) = Tabs.started("A", "B")
        tabs.select(leaves[1])
        #expect(leaves.allSatisfy { $0.isStarted })
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

    @Test func aRetainedCoordinatorCanComeBackAsAModal() {
        let kept = RetainedLeaf("Kept")
        box.root(kept)
        box.present(kept, animated: false)
        #expect(box.navigationState.tree.children.isEmpty)
        #expect(box.visibleLeaf === kept)
        box.dismiss()
        box.root(kept)
        #expect(box.childCoordinators.count == 1)
        #expect(box.visibleLeaf.id == "Box/Kept")
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

    @Test func aCoordinatorCanStopItself() {
        let (stack, leaves) = Stack.started("A", "B", log: log)
        leaves[1].probe.onEvent = { [leaf = leaves[1]] _ in
            leaf.stop()
            return true
        }
        leaves[1].emitEvent(Ping.ping)
        #expect(stack.visibleLeaf === leaves[0])
        #expect(log.flush() == ["B stop", "B deactivate", "A activate"])
    }

    @Test func aCoordinatorCanStopItselfInStart() {
        let leaf = Leaf("A", log: log)
        leaf.probe.onStart = { [unowned leaf] in leaf.stop() }
        box.root(leaf)
        #expect(log.flush() == ["A start", "A stop"])
        #expect(box.diagnostics.isEmpty)
        #expect(box.visibleLeaf === box)
        #expect(!leaf.isStarted)
    }

    @Test func stopOfOneThatIsNotStartedDoesNothingButComplete() {
        let leaf = Leaf("A")
        var completions = 0
        leaf.stop { completions += 1 }
        #expect(completions == 1)
        #expect(!leaf.isStarted)
    }

    @Test func aChildThatEndsItsParentWhileTheParentEndsDoesNotStopItTwice() {
        let (stack, _) = Stack.started("A", log: log)
        let inner = Stack("Inner", log: log)
        let leaf = Leaf("B", log: log)
        stack.show(inner, sender: nil)
        inner.show(leaf, sender: nil)
        leaf.probe.onStop = { [unowned leaf] in leaf.emitEvent(Ping.farewell) }
        stack.probe.onEvent = { [unowned stack, unowned inner] event in
            guard event as? Ping == .farewell else { return false }
            stack.show(stack.getCached(Leaf.self)!, sender: nil)
            inner.stop()
            return true
        }
        _ = log.flush()
        inner.stop()
        #expect(log.flush(only: "stop").filter { $0 == "B stop" }.count == 1)
        #expect(stack.visibleLeaf.id == "Stack/A")
        #expect(!inner.isStarted)
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

    @Test func whatFoundAnotherPlaceWhileItLeftIsKept() {
        let tabs = Tabs("Tabs", log: log)
        let leaves = [Leaf("A", log: log), Leaf("B", log: log)]
        box.root(tabs)
        tabs.setCoordinators(leaves)
        tabs.select(leaves[1])
        leaves[1].probe.onStop = { [unowned box, leaf = leaves[0]] in box.present(leaf, animated: false) }
        tabs.setCoordinators([Leaf("C", log: log)])
        #expect(box.visibleLeaf === leaves[0])
        #expect(leaves[0].isStarted)
        #expect(leaves[0].id == "Box/A")
        #expect(log.flush(only: "stop") == ["B stop"])
    }

    @Test func whatMovesIntoAContainerThatIsNotStartedStopsUntilItIs() {
        let (stack, leaves) = Stack.started("A", "B", log: log)
        let box = Box("Box", log: log)
        box.root(leaves[1])
        #expect(!leaves[1].isStarted)
        #expect(stack.visibleLeaf === leaves[0])
        stack.show(box, sender: nil)
        #expect(stack.visibleLeaf === leaves[1])
        #expect(leaves[1].id == "Stack/Box/B")
        #expect(log.flush(only: "start", "stop") == ["B stop", "Box start", "B start"])
    }

    @Test func aCoordinatorThatMovesWhileItEndsIsStoppedOnce() {
        let (stack, leaves) = Stack.started("A", "B", log: log)
        let box = Box("Box", log: log)
        leaves[1].probe.onStop = { [unowned leaf = leaves[1]] in box.root(leaf) }
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(log.flush(only: "stop") == ["B stop"])
        #expect(!leaves[1].isStarted)
        #expect(stack.visibleLeaf === leaves[0])
    }
}
