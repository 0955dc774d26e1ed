import Coordinate
import Testing

struct ResponderChainTests {
    private let box = Box("Box")
    private let stack = Stack("Stack")
    private let leaf = Leaf("Leaf")

    private final class Heard { var names: [String] = [] }

    private let heard = Heard()

    /// A listener that notes its name.
    private func noting(_ name: String, handles: Bool = false) -> (any CoordinateEvents) -> Bool {
        { [heard] _ in
            heard.names.append(name)
            return handles
        }
    }

    init() {
        box.start()
        box.root(stack)
        stack.show(leaf, sender: nil)
    }

    @Test func anEventGoesFromScreenToItsCoordinatorThenUp() {
        leaf.rootViewController.onEvent = noting("leaf's screen")
        leaf.probe.onEvent = noting("leaf")
        stack.probe.onEvent = noting("stack")
        box.rootViewController.onEvent = noting("box's screen")
        box.probe.onEvent = noting("box")
        leaf.rootViewController.emitEvent(Ping.ping)
        #expect(heard.names == ["leaf's screen", "leaf", "stack", "box's screen", "box"])
    }

    @Test func emitEventReturnsWhoHandledItAndTheTrace() {
        stack.probe.onEvent = { $0 as? Ping == .ping }
        let dispatch = leaf.emitEvent(Ping.ping)
        #expect(dispatch.isHandled)
        #expect(dispatch.handledBy == "Box/Stack")
        #expect(dispatch.trace.map(\.coordinator) == ["Box/Stack/Leaf", "Box/Stack"])
        #expect(dispatch.trace.map(\.isIntercepted) == [false, true])
    }

    @Test func theParentScreensHearBeforeTheCoordinator() {
        let outer = Page()
        let inner = Page()
        leaf.rootViewController.addChild(outer)
        outer.addChild(inner)
        inner.onEvent = noting("inner")
        outer.onEvent = noting("outer")
        leaf.rootViewController.onEvent = noting("screen")
        leaf.probe.onEvent = noting("leaf", handles: true)
        #expect(inner.emitEvent(Ping.ping).handledBy == "Box/Stack/Leaf")
        #expect(heard.names == ["inner", "outer", "screen", "leaf"])
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
