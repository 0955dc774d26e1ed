import Coordinate
import Testing

private final class Picker: Leaf, HasResult { typealias ResultType = Int }

private final class Maybe: Leaf, HasResult { typealias ResultType = Int? }

/// The result of a flow is delivered exactly once, `nil` if it was cancelled.
struct ResultTests {
    private final class Calls { var results: [Int?] = [] }

    private let calls = Calls()
    private let stack: Stack
    private let list: Leaf
    private let picker = Picker("Picker")

    init() {
        let started = Stack.started("List")
        (stack, list) = (started.stack, started.leaves[0])
    }

    private func record(_ result: Int?) { calls.results.append(result) }

    @Test func aPresentedFlowTellsItsResultOnceItIsGone() {
        list.present(picker) { [calls, stack, list] result in
            #expect(stack.visibleLeaf === list)
            calls.results.append(result)
        }
        #expect(stack.visibleLeaf === picker)
        picker.finish(with: 3)
        picker.finish(with: 4)
        #expect(calls.results == [3])
        #expect(!picker.isStarted)
    }

    @Test(arguments: ["back", "popToRoot", "dismiss", "stop", "root", "pop", "end"])
    func aFlowThatIsCancelledTellsThatThereIsNoResult(how: String) {
        if how == "dismiss" { list.present(picker, record) } else { stack.show(picker, record) }
        switch how {
        case "back": stack.visibleLeaf.emitEvent(NavigationEvents.back)
        case "popToRoot": stack.visibleLeaf.emitEvent(NavigationEvents.popToRoot)
        case "dismiss": stack.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        case "stop": picker.stop()
        case "root": stack.root(Leaf("Other"))
        case "pop": stack.popToCoordinator(list, animated: false)
        default: stack.stop()
        }
        #expect(calls.results == [nil])
        picker.finish(with: 3)
        #expect(calls.results == [nil])
    }

    /// Of the requests that wait for a change of the screen, only the last one is carried out.
    @Test func aFlowWhoseRequestIsReplacedHasNoResult() {
        let first = Leaf("First")
        first.probe.onStart = { [unowned stack, picker, calls] in
            stack.show(picker) { calls.results.append($0) }
            stack.show(Leaf("Last"), sender: nil)
        }
        stack.show(first, sender: nil)
        #expect(stack.visibleLeaf.id == "Stack/Last")
        #expect(calls.results == [nil])
    }

    @Test func aResultMayBeNothing() {
        var results: [Int??] = []
        let maybe = Maybe("Maybe")
        list.present(maybe) { results.append($0) }
        maybe.finish(with: nil)
        #expect(results == [.some(nil)])
        list.present(Maybe("Other")) { results.append($0) }
        stack.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(results == [.some(nil), nil])
    }

    @Test func whoeverIsToldMayNavigate() {
        list.present(picker) { [unowned stack] result in stack.show(Leaf("Item \(result ?? 0)"), sender: nil) }
        picker.finish(with: 3)
        #expect(stack.visibleLeaf.id == "Stack/Item 3")
    }

    @Test func aFlowWithinAFlowIsToldFirst() {
        var order: [String] = []
        let inner = Picker("Inner")
        list.present(picker) { order.append("outer \($0 ?? 0)") }
        picker.present(inner) { [unowned picker] result in
            order.append("inner \(result ?? 0)")
            picker.finish(with: 2)
        }
        inner.finish(with: 1)
        #expect(order == ["inner 1", "outer 2"])
        list.present(picker) { order.append("outer \($0 ?? 0)") }
        picker.present(inner) { order.append("inner \($0 ?? 0)") }
        list.dismiss()
        #expect(order == ["inner 1", "outer 2", "inner 0", "outer 0"])
    }

    @Test(arguments: [false, true])
    func aFlowThatIsShownAgainTellsItsFormerHandlerThatThereIsNoResult(isModal: Bool) {
        var former: [Int?] = []
        if isModal { list.present(picker) { former.append($0) } } else { stack.show(picker) { former.append($0) } }
        if isModal { list.present(picker, record) } else { stack.show(picker, record) }
        #expect(former == [nil])
        #expect(calls.results.isEmpty)
        picker.finish(with: 3)
        #expect(former == [nil])
        #expect(calls.results == [3])
    }

    @Test func nobodyIsKeptAliveByAResult() {
        weak var kept: Picker?
        do {
            let picker = Picker("Kept")
            kept = picker
            list.present(picker) { [stack] _ in _ = stack.id }
            stack.stop()
        }
        #expect(kept == nil)
    }

    @Test func aPresenterThatEndsIsThereWhenItIsTold() {
        var isThere: Bool?
        let box = Box.started()
        weak var presenter: Leaf?
        do {
            let leaf = Leaf("Presenter")
            presenter = leaf
            box.root(leaf)
            leaf.present(picker) { [weak leaf] _ in isThere = leaf != nil }
        }
        box.root(Leaf("Other"))
        #expect(isThere == true)
        #expect(presenter == nil)
    }

    private final class Tour: Leaf, HasResult { typealias ResultType = Void }

    @Test func aFlowWithoutAValueIsFinishedOrCancelled() {
        var ends: [Bool] = []
        let tour = Tour("Tour")
        list.present(tour) { ends.append($0 != nil) }
        tour.finish()
        list.present(Tour("Other")) { ends.append($0 != nil) }
        list.dismiss()
        #expect(ends == [true, false])
    }
}
