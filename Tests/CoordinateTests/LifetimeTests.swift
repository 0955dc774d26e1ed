import Coordinate
import Testing

/// A screen as the original has them: it holds its coordinator.
private final class HoldingPage: ViewController, Coordinated { var parentCoordinator: (any Coordinating)? }

private final class HoldingLeaf: Coordinator<HoldingPage> {}

private final class Weak {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
}

struct LifetimeTests {
    enum End: CaseIterable { case stopped, dropped, failed }

    @Test(arguments: End.allCases) func everyNodeOfATreeThatEndsIsFreed(end: End) {
        var nodes: [Weak] = []
        do {
            let root = makeTree(noting: &nodes)
            root.visibleLeaf.emitEvent(NavigationEvents.selectTab("Second"))
            root.visibleLeaf.emitEvent(Ping.ping)
            switch end {
            case .dropped: break
            case .stopped: root.stop()
            case .failed:
                let failure = failure(of: root) {
                    root.root(root)
                    root.root(Leaf("Never"))
                }
                #expect(failure != nil)
            }
        }
        #expect(nodes.count == 16)
        #expect(nodes.filter { $0.object != nil }.isEmpty)
    }

    @Test func aStoppedCoordinatorMayEmitWhileItIsFreed() {
        final class Parting: Leaf {
            deinit {
                emitEvent(Ping.farewell)
                rootViewController.emitEvent(Ping.farewell)
            }
        }
        weak var leaf: Leaf?
        weak var root: Leaf?
        do {
            let (stack, _) = Stack.started("A")
            let parting = Parting("B")
            leaf = parting
            stack.show(parting, sender: nil)
            stack.visibleLeaf.emitEvent(NavigationEvents.back)
            let alone = Parting("C")
            root = alone
            alone.start()
            alone.stop()
        }
        #expect(leaf == nil)
        #expect(root == nil)
    }

    @Test func aScreenThatHoldsItsCoordinatorIsFreedOnceItStops() {
        let (stack, _) = Stack.started("A")
        weak var leaf: HoldingLeaf?
        weak var page: HoldingPage?
        do {
            let holding = HoldingLeaf()
            leaf = holding
            page = holding.rootViewController
            stack.show(holding, sender: nil)
            #expect(holding.rootViewController.parentCoordinator === holding)
        }
        stack.stop()
        #expect(leaf == nil)
        #expect(page == nil)
    }

    @Test func aScreenThatHoldsTheRootIsFreedOnceItStops() {
        weak var leaf: HoldingLeaf?
        do {
            let root = HoldingLeaf()
            leaf = root
            root.start()
            #expect(leaf?.rootViewController.parentCoordinator === root)
            root.stop()
        }
        #expect(leaf == nil)
    }

    @Test func aCoordinatorThatIsNeverShownIsFreed() {
        weak var leaf: HoldingLeaf?
        do {
            let never = HoldingLeaf()
            leaf = never
        }
        #expect(leaf == nil)
    }

    @Test func aScreenThatHoldsItsCoordinatorIsToldAfterAMove() {
        let (tabs, _) = Tabs.started()
        let stacks = [Stack("First"), Stack("Second")]
        let holding = HoldingLeaf()
        tabs.setCoordinators(stacks)
        stacks[0].show(holding, sender: nil)
        tabs.select(stacks[1])
        stacks[1].show(holding, sender: nil)
        #expect(holding.rootViewController.parentCoordinator === holding)
        tabs.stop()
        #expect(holding.rootViewController.parentCoordinator == nil)
    }

    private func makeTree(noting nodes: inout [Weak]) -> Box {
        let root = Box("Root")
        let tabs = Tabs("Tabs")
        let stack = Stack("First")
        let leaves = [Leaf("A"), Leaf("B"), RetainedLeaf("Second"), Leaf("M"), Leaf("N")]
        root.start()
        root.root(tabs)
        tabs.setCoordinators([stack, leaves[2]])
        stack.show(leaves[0], sender: nil)
        stack.show(leaves[1], sender: nil)
        leaves[1].present(leaves[3], animated: false)
        leaves[1].present(leaves[4], animated: false)
        for node in [root, tabs, stack] + leaves as [any Coordinating] {
            nodes.append(Weak(node))
            nodes.append(Weak(node.getRootViewController()))
        }
        return root
    }
}
