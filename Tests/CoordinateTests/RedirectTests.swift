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
        let modal = Leaf("M")
        box.present(modal, animated: true, completion: count("present"))
        box.present(modal, animated: true, completion: count("present again"))
        box.dismiss(animated: true, completion: count("dismiss"))
        box.dismiss(animated: true, completion: count("nothing to dismiss"))
        box.root(box, completion: count("refused"))
        box.stop(with: count("stop"))
        box.stop(with: count("stop again"))
        box.start(with: count("start"))
        #expect(calls.count == 12)
        #expect(calls.values.allSatisfy { $0 == 1 })
    }
}
