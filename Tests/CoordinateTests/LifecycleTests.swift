import Coordinate
import Testing

struct LifecycleTests {
    private let log = Log()

    @Test func aTurnActivatesEachVisibleCoordinatorOnceOutermostFirst() throws {
        let box = Box("Box", log: log)
        let stack = Stack("Stack", log: log)
        box.probe.onStart = { [unowned box] in box.root(stack) }
        stack.probe.onStart = { [unowned stack] in stack.show(Leaf("A", log: log), sender: nil) }
        try box.turn { box.start() }
        #expect(
            log.flush() == [
                "Box start", "Stack start", "A start", "Box activate", "Stack activate", "A activate",
            ])
    }

    @Test func screensOnlyPassedThroughAreNeverActivated() throws {
        let (stack, leaves) = Stack.started("A", log: log)
        try stack.turn {
            stack.show(Leaf("B", log: log), sender: nil)
            stack.show(Leaf("C", log: log), sender: nil)
            stack.popToCoordinator(leaves[0], animated: false)
            stack.show(Leaf("D", log: log), sender: nil)
        }
        #expect(log.flush(only: "activate", "deactivate") == ["A deactivate", "D activate"])
    }

    @Test func theLeftHearBeforeTheEntered() {
        let (tabs, leaves) = Tabs.started("A", "B", log: log)
        tabs.select(leaves[1])
        #expect(log.flush() == ["B start", "A deactivate", "B activate"])
        tabs.select(leaves[0])
        #expect(log.flush() == ["B deactivate", "A activate"])
    }

    @Test func navigationAskedForInActivateIsPartOfTheTurn() {
        let box = Box.started(log: log)
        let gate = Leaf("Gate", log: log)
        let home = Leaf("Home", log: log)
        gate.probe.onActivate = { [unowned box] in box.root(home) }
        box.root(gate)
        #expect(box.visibleLeaf === home)
        #expect(
            log.flush() == [
                "Gate start", "Gate activate", "Home start", "Gate deactivate", "Gate stop", "Home activate",
            ])
    }

    @Test func aCoordinatorMayEndItselfInActivate() {
        let (stack, leaves) = Stack.started("A", log: log)
        let brief = Leaf("Brief", log: log)
        brief.probe.onActivate = { [unowned brief] in brief.stop() }
        stack.show(brief, sender: nil)
        #expect(stack.visibleLeaf === leaves[0])
        #expect(
            log.flush() == [
                "Brief start", "A deactivate", "Brief activate", "Brief stop", "Brief deactivate", "A activate",
            ])
    }

    @Test func theRootIsDeactivatedWhenItStops() {
        let (stack, _) = Stack.started("A", log: log)
        stack.stop()
        #expect(log.flush() == ["Stack stop", "A deactivate", "A stop", "Stack deactivate"])
        stack.stop()
        #expect(log.flush() == ["Stack stop"])
    }
}
