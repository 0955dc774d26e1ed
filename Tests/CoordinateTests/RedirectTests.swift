import Coordinate
import Testing

struct RedirectTests {
    private let log = Log()
    private let box: Box

    init() { box = Box.started(log: log) }

    @Test func aRedirectInsideStartWins() {
        let login = Leaf("Login", log: log)
        let home = Leaf("Home", log: log)
        home.probe.onStart = { [unowned box] in box.root(login) }
        box.root(home)
        #expect(box.visibleLeaf === login)
        #expect(log.flush() == ["Home start", "Login start", "Home stop", "Login activate"])
    }

    @Test func ofSeveralRedirectsTheLastWins() {
        let home = Leaf("Home")
        let first = Leaf("First")
        let last = Leaf("Last")
        home.probe.onStart = { [unowned box] in
            box.root(first)
            box.root(last)
        }
        box.root(home)
        #expect(box.visibleLeaf === last)
        #expect(first.probe.log.lines.isEmpty)
    }

    @Test func aTabCanRedirectToAnotherInStart() {
        let (tabs, leaves) = Tabs.started("A", "B", "C")
        leaves[1].probe.onStart = { [unowned tabs] in tabs.select(leaves[2]) }
        tabs.select(leaves[1])
        #expect(tabs.selectedCoordinator === leaves[2])
    }

    @Test func aRedirectOnAStackLeavesTheFirstBelow() {
        let (stack, _) = Stack.started("A")
        let first = Leaf("B")
        first.probe.onStart = { [unowned stack] in stack.show(Leaf("C"), sender: nil) }
        stack.show(first, sender: nil)
        #expect(stack.rootViewController.viewControllers.map(\.title) == ["A", "B", "C"])
    }

    @Test func aRedirectInAFarewellWins() {
        let leaving = Leaf("Leaving")
        let last = Leaf("Last")
        box.root(leaving)
        leaving.probe.onStop = { [unowned box] in box.root(last) }
        box.root(Leaf("Next"))
        #expect(box.visibleLeaf === last)
    }

    @Test func childrenSetBeforeTheirParentIsInTheTreeStartAfterIt() {
        let stack = Stack("Stack", log: log)
        stack.show(Leaf("A", log: log), sender: nil)
        stack.show(Leaf("B", log: log), sender: nil)
        #expect(log.lines.isEmpty)
        box.root(stack)
        #expect(log.flush() == ["Stack start", "A start", "B start", "Stack activate", "B activate"])
        #expect(box.visibleLeaf.id == "Box/Stack/B")
    }

    @Test func childrenAskedForBeforeSuperStartsAreStartedByIt() {
        final class Early: Box {
            override func start(with completion: @escaping () -> Void = {}) {
                root(Leaf("A", log: probe.log))
                super.start(with: completion)
            }
        }
        let box = Early("Box", log: log)
        box.start()
        #expect(log.flush() == ["Box start", "A start", "Box activate", "A activate"])
    }

    @Test func everyCompletionIsCalledExactlyOnce() {
        var calls: [String: Int] = [:]
        func count(_ name: String) -> () -> Void { { calls[name, default: 0] += 1 } }
        let home = Leaf("Home")
        home.probe.onStart = { [unowned box] in
            box.root(Leaf("First"), completion: count("overtaken"))
            box.root(Leaf("Last"), completion: count("redirect"))
        }
        box.root(home, completion: count("root"))
        box.root(box.getCached(Leaf.self)!, completion: count("same"))
        box.present(Leaf("M"), animated: true, completion: count("present"))
        box.dismiss(animated: true, completion: count("dismiss"))
        box.dismiss(animated: true, completion: count("nothing to dismiss"))
        box.root(box, completion: count("refused"))
        box.stop(with: count("stop"))
        box.stop(with: count("stop again"))
        box.start(with: count("start"))
        #expect(calls.count == 11)
        #expect(calls.values.allSatisfy { $0 == 1 })
    }

    @Test func aRequestThatWaitsOnACoordinatorThatEndsIsCompleted() {
        let inner = Box("Inner")
        let child = Leaf("Child")
        var calls = 0
        box.root(inner)
        child.probe.onStart = { [unowned box, unowned inner] in
            inner.root(Leaf("Waiting")) { calls += 1 }
            box.root(Leaf("Next"))
            inner.root(Leaf("Late")) { calls += 1 }
        }
        inner.root(child) { calls += 1 }
        #expect(calls == 3)
        #expect(box.visibleLeaf.id == "Box/Next")
    }
}
