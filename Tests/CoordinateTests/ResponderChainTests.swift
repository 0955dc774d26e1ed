import Coordinate
import Testing

struct ResponderChainTests {
    private let box = Box("Box")
    private let stack = Stack("Stack")
    private let leaf = Leaf("Leaf")

    init() {
        box.start()
        box.root(stack)
        stack.show(leaf, sender: nil)
    }

    @Test func anEventGoesFromScreenToItsCoordinatorThenUp() {
        var heard: [String] = []
        leaf.rootViewController.onEvent = { _ in
            heard.append("leaf's screen")
            return false
        }
        leaf.probe.onEvent = { _ in
            heard.append("leaf")
            return false
        }
        stack.probe.onEvent = { _ in
            heard.append("stack")
            return false
        }
        box.rootViewController.onEvent = { _ in
            heard.append("box's screen")
            return false
        }
        box.probe.onEvent = { _ in
            heard.append("box")
            return false
        }
        leaf.rootViewController.emitEvent(Ping.ping)
        #expect(heard == ["leaf's screen", "leaf", "stack", "box's screen", "box"])
    }

    @Test func emitEventReturnsWhoHandledItAndTheTrace() {
        stack.probe.onEvent = { $0 as? Ping == .ping }
        let dispatch = leaf.emitEvent(Ping.ping)
        #expect(dispatch.isHandled)
        #expect(dispatch.handledBy == "Box/Stack")
        #expect(dispatch.trace.map(\.coordinator) == ["Box/Stack/Leaf", "Box/Stack"])
        #expect(dispatch.trace.map(\.isIntercepted) == [false, true])
    }

    @Test func anUnhandledEventIsAResult() {
        let dispatch = leaf.emitEvent(Ping.ping)
        #expect(!dispatch.isHandled)
        #expect(dispatch.handledBy == nil)
        #expect(dispatch.trace.map(\.coordinator) == ["Box/Stack/Leaf", "Box/Stack", "Box"])
    }

    @Test func aScreenCanIntercept() {
        box.rootViewController.onEvent = { _ in true }
        let dispatch = leaf.emitEvent(Ping.ping)
        #expect(dispatch.handledBy == "Box")
        #expect(dispatch.trace.count == 3)
    }

    @Test func theParentScreensHearBeforeTheCoordinator() {
        var heard: [String] = []
        let outer = Page()
        let inner = Page()
        leaf.rootViewController.addChild(outer)
        outer.addChild(inner)
        inner.onEvent = { _ in
            heard.append("inner")
            return false
        }
        outer.onEvent = { _ in
            heard.append("outer")
            return false
        }
        leaf.rootViewController.onEvent = { _ in
            heard.append("screen")
            return false
        }
        leaf.probe.onEvent = { _ in
            heard.append("leaf")
            return true
        }
        #expect(inner.emitEvent(Ping.ping).handledBy == "Box/Stack/Leaf")
        #expect(heard == ["inner", "outer", "screen", "leaf"])
        #expect(inner.parent === outer)
    }

    @Test func aScreenInsideAnotherSpeaksForItsCoordinator() {
        let inner = Page()
        leaf.rootViewController.addChild(inner)
        inner.onEvent = { _ in true }
        #expect(inner.emitEvent(Ping.ping).handledBy == "Box/Stack/Leaf")
        inner.removeFromParent()
        let alone = inner.emitEvent(Ping.ping)
        #expect(alone.isHandled)
        #expect(alone.handledBy == nil)
    }

    @Test func aScreenThatEndsItsCoordinatorStillHandledTheEvent() {
        leaf.rootViewController.onEvent = { [leaf] _ in
            leaf.stop()
            return true
        }
        let dispatch = leaf.rootViewController.emitEvent(Ping.ping)
        #expect(dispatch.handledBy == "Box/Stack/Leaf")
        #expect(!leaf.isStarted)
    }

    @Test func anEventBubblesOnFromACoordinatorThatEnded() {
        leaf.probe.onEvent = { [leaf] _ in
            leaf.stop()
            return false
        }
        box.probe.onEvent = { _ in true }
        let dispatch = leaf.emitEvent(Ping.ping)
        #expect(dispatch.trace.map(\.coordinator) == ["Box/Stack/Leaf", "Box/Stack", "Box"])
        #expect(dispatch.handledBy == "Box")
    }

    @Test func emittingChildIsWhereTheEventCameThrough() {
        var children: [String?] = []
        stack.probe.onEvent = { [stack] _ in
            children.append(stack.emittingChild?.id)
            return false
        }
        box.probe.onEvent = { [box] _ in
            children.append(box.emittingChild?.id)
            return false
        }
        leaf.emitEvent(Ping.ping)
        stack.emitEvent(Ping.ping)
        box.emitEvent(Ping.ping)
        #expect(children == ["Box/Stack/Leaf", "Box/Stack", nil, "Box/Stack", nil])
        #expect(box.emittingChild == nil)
    }

    @Test func anEventEmittedWhileAnotherBubblesHasItsOwnTraceAndEmittingChild() {
        var nested: Dispatch?
        var children: [String?] = []
        box.probe.onEvent = { [box] event in
            children.append(box.emittingChild?.id)
            if event as? Ping == .ping { nested = box.emitEvent(Ping.number(1)) }
            children.append(box.emittingChild?.id)
            return event as? Ping == .ping
        }
        let outer = leaf.emitEvent(Ping.ping)
        #expect(outer.trace.count == 3)
        #expect(outer.isHandled)
        #expect(nested?.trace.map(\.coordinator) == ["Box"])
        #expect(nested?.isHandled == false)
        #expect(children == ["Box/Stack", nil, nil, "Box/Stack"])
    }

    @Test func aScreenCannotBeInsideItself() {
        let outer = Page()
        let inner = Page()
        leaf.rootViewController.addChild(outer)
        outer.addChild(inner)
        let failure = failure(of: box) { inner.addChild(outer) }
        #expect(failure == .containsItself(coordinator: "Page"))
        #expect(inner.emitEvent(Ping.ping).trace.count == 3)
    }
}
