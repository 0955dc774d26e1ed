import Coordinate
import Testing

struct FailureTests {
    private let box = Box.started()

    private struct AppError: Error {}

    @Test func aRedirectCircleThatFloodsTheDiagnosticsFailsTheTurn() {
        final class Wanting: Leaf, HasDependencies { var dependencies: Wanted? }
        final class Having: Box, HasDependencies { var dependencies: Had? }
        struct Wanted: AppDependenciesProtocol {}
        struct Had: AppDependenciesProtocol {}
        let box = Having("Box")
        box.setDependencies(dependencies: Had())
        box.start()
        func gate() -> Leaf {
            let leaf = Wanting("Gate")
            leaf.probe.onStart = { [unowned box] in box.root(gate()) }
            return leaf
        }
        #expect(failure(of: box) { box.root(gate()) } == .doesNotSettle)
        #expect(box.diagnostics.count == 100)
    }

    @Test func tabsThatSendEachOtherBackAndForthFailTheTurn() {
        let (tabs, leaves) = Tabs.started("A", "B")
        leaves[0].probe.onActivate = { [unowned tabs] in tabs.select(leaves[1]) }
        leaves[1].probe.onActivate = { [unowned tabs] in tabs.select(leaves[0]) }
        #expect(failure(of: tabs) { tabs.select(leaves[1]) } == .doesNotSettle)
    }

    @Test func anEventLoopFailsTheTurn() {
        let (stack, leaves) = Stack.started("A")
        stack.probe.onEvent = { _ in leaves[0].emitEvent(Ping.ping).isHandled }
        #expect(failure(of: stack) { leaves[0].emitEvent(Ping.ping) } == .eventLoop)
    }

    @Test func eventsEmittedWithoutAnEndFailTheTurn() {
        let (stack, leaves) = Stack.started("A")
        stack.probe.onEvent = { event in
            if event as? Ping == .ping { for number in 0..<200_000 { leaves[0].emitEvent(Ping.number(number)) } }
            return true
        }
        #expect(failure(of: stack) { leaves[0].emitEvent(Ping.ping) } == .tooManySteps)
    }

    @Test func modalsOnTopOfEachOtherHaveAnEnd() {
        for _ in 0..<100 { #expect(failure(of: box) { box.present(Leaf("A"), animated: true) } == nil) }
        let last = Leaf("Last")
        let refusal = failure(of: box) { box.present(last, animated: true) }
        guard case .tooDeep = refusal else { return #expect(refusal == .tooDeep(coordinator: "Last")) }
        #expect(!last.isStarted)
    }

    @Test func anEventLoopThatBranchesFailsTheTurn() {
        let (stack, leaves) = Stack.started("A")
        stack.probe.onEvent = { _ in
            leaves[0].emitEvent(Ping.ping)
            leaves[0].emitEvent(Ping.ping)
            return false
        }
        #expect(failure(of: stack) { leaves[0].emitEvent(Ping.ping) } == .eventLoop)
    }

    @Test func aCompletionThatAsksAgainForEverFailsTheTurn() {
        func goOn() { box.root(Leaf("Next")) { goOn() } }
        #expect(failure(of: box) { goOn() } == .doesNotSettle)
    }

    @Test func aFlowThatIsPresentedUntilItHasAResultEndsWithItsTurn() {
        final class Picker: Leaf, HasResult { typealias ResultType = Int }
        func insist() { box.present(Picker()) { if $0 == nil { insist() } } }
        #expect(throws: AppError.self) {
            try box.turn {
                box.fail(with: AppError())
                insist()
            }
        }
        func insistOnAStack() { SectionedNavigationController(for: box).push(Picker()) { _ in insistOnAStack() } }
        #expect(failure(of: box, in: insistOnAStack) == .doesNotSettle)
    }

    @Test func aCoordinatorInsideItselfFailsTheTurn() {
        let inner = Box("Inner")
        box.root(inner)
        #expect(failure(of: box) { box.root(box) } == .containsItself(coordinator: "Box"))
        #expect(failure(of: box) { inner.root(box) } == .containsItself(coordinator: "Box"))
        #expect(failure(of: box) { inner.present(inner, animated: false) } == .containsItself(coordinator: "Box/Inner"))
        #expect(box.visibleLeaf === inner)
    }

    @Test func endlessNestingFailsTheTurn() {
        func nest() -> Box {
            let box = Box("Nest")
            box.probe.onStart = { [unowned box] in box.root(nest()) }
            return box
        }
        let root = nest()
        #expect(failure(of: root) { root.start() } == .tooDeep(coordinator: "Nest"))
        root.stop()
    }

    @Test func aFullTreeFailsTheTurn() {
        let (stack, _) = Stack.started()
        for index in 0..<1_000 { stack.show(Leaf("\(index)"), sender: nil) }
        #expect(failure(of: stack) { stack.show(Leaf("One more"), sender: nil) } == .tooManyCoordinators)
        stack.stop()
        stack.start()
        #expect(failure(of: stack) { stack.show(Leaf("First again"), sender: nil) } == nil)
    }

    @Test func theAppCanGiveATurnUp() {
        let (stack, leaves) = Stack.started("A")
        leaves[0].probe.onEvent = { [unowned stack] _ in
            stack.fail(with: AppError())
            return true
        }
        #expect(throws: AppError.self) { try stack.turn { leaves[0].emitEvent(Ping.ping) } }
    }

    @Test func aFailureLastsForOneTurn() throws {
        let (tabs, leaves) = Tabs.started("A", "B")
        #expect(failure(of: tabs) { tabs.select(Leaf("C")) } != nil)
        #expect(failure(of: tabs) { tabs.select(leaves[1]) } == nil)
        #expect(tabs.diagnostics.isEmpty)
    }
}
