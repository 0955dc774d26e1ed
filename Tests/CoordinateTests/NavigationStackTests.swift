import Coordinate
import Testing

struct NavigationStackTests {
    private let log = Log()

    @Test func showPushes() {
        let (stack, leaves) = Stack.started("A", "B")
        #expect(stack.topCoordinator === leaves[1])
        #expect(stack.rootViewController.viewControllers.map(\.title) == ["A", "B"])
        #expect(stack.rootViewController.topViewController === leaves[1].rootViewController)
        #expect(leaves[1].rootViewController.parent === stack.rootViewController)
    }

    @Test func backReturnsToThePreviousScreen() {
        let (stack, leaves) = Stack.started("A", "B", log: log)
        let dispatch = stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(dispatch.handledBy == "Stack")
        #expect(stack.visibleLeaf === leaves[0])
        #expect(stack.uncovered == ["A"])
        #expect(log.flush() == ["B deactivate", "B stop", "A activate"])
    }

    @Test func popToRootStopsTheOthersTopFirst() {
        let (stack, _) = Stack.started("A", "B", "C", log: log)
        stack.visibleLeaf.emitEvent(NavigationEvents.popToRoot)
        #expect(log.flush() == ["C deactivate", "C stop", "B stop", "A activate"])
        #expect(stack.uncovered == ["A"])
    }

    @Test func popToACoordinatorNotOnTheStackFailsTheTurn() {
        let (stack, _) = Stack.started("A")
        let failure = failure(of: stack) { stack.popToCoordinator(Leaf("B"), animated: false) }
        #expect(failure == .notOnStack(navigation: "Stack", coordinator: "B"))
        #expect(failure?.description.contains("show it instead") == true)
    }

    @Test func aContainerShowsOneAtATime() {
        let box = Box.started(log: log)
        #expect(box.currentViewController == nil)
        let first = Leaf("A", log: log)
        let second = Leaf("B", log: log)
        box.root(first)
        #expect(box.currentViewController === first.rootViewController)
        box.root(second)
        #expect(box.currentViewController === second.rootViewController)
        #expect(log.flush() == ["A start", "A activate", "B start", "A deactivate", "A stop", "B activate"])
    }

    @Test func aCustomInterceptionOfBackComesBeforeTheStack() {
        let (stack, leaves) = Stack.started("A", "B")
        leaves[1].probe.onEvent = { $0 as? NavigationEvents == .back }
        #expect(stack.visibleLeaf.emitEvent(NavigationEvents.back).handledBy == "Stack/B")
        #expect(stack.visibleLeaf === leaves[1])
    }
}
