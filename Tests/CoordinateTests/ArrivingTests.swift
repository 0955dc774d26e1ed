import Coordinate
import Testing

/// Every change that a coordinator requests while it is being shown happens, or is reported.
struct ArrivingTests {
    /// A way to show a coordinator while another screen is visible.
    enum Arrival: CaseIterable {
        case presented, presentedInStack, onModal, pushed, pushedBelowModal, root, rootBelowModal, tab, tabBelowModal
        case section, hiddenStack
    }

    private let tabs = Tabs("Tabs")
    private let stack = Stack("Stack")
    private let box = Box("Box")
    private let bottom = Leaf("Bottom")
    private let asking = Flow("Asking")

    init() throws {
        try tabs.turn { [tabs, stack, box, bottom] in
            tabs.start()
            tabs.setCoordinators([stack, box])
            stack.root(bottom)
        }
    }

    private func arrive(by arrival: Arrival, _ onResult: @escaping (String?) -> Void = { _ in }) {
        switch arrival {
        case .presented: bottom.present(asking, onResult)
        case .presentedInStack:
            let upper = Stack("Upper")
            upper.probe.onStart = { [unowned upper] in upper.show(asking, onResult) }
            bottom.present(upper)
        case .onModal:
            bottom.present(Leaf("Modal"))
            bottom.present(asking, onResult)
        case .pushed: stack.show(asking, onResult)
        case .pushedBelowModal:
            bottom.present(Leaf("Modal"))
            stack.show(asking, onResult)
        case .root:
            tabs.select(box)
            box.root(Leaf("First"))
            box.root(asking)
        case .rootBelowModal:
            bottom.present(Leaf("Modal"))
            stack.root(asking)
        case .tab:
            tabs.setCoordinators([stack, asking])
            tabs.select(asking)
        case .tabBelowModal:
            bottom.present(Leaf("Modal"))
            tabs.setCoordinators([stack, asking])
            tabs.select(asking)
        case .section: SectionedNavigationController(for: bottom).push(asking, onResult)
        case .hiddenStack:
            tabs.select(box)
            stack.show(asking, onResult)
        }
    }

    @Test(arguments: Arrival.allCases)
    func anAlertIsShown(arrival: Arrival) {
        var answers: [String?] = []
        asking.probe.onStart = { [unowned asking] in
            asking.present(Alert(title: "Sure?", choices: [.init("yes", title: "Yes")])) { answers.append($0?.id) }
        }
        let failure = failure(of: tabs) { arrive(by: arrival) }
        #expect(failure == nil)
        #expect(tabs.diagnostics == [])
        #expect(tabs.navigationState.screen.style == .alert)
        tabs.visibleLeaf.emitEvent(NavigationEvents.choose("yes"))
        #expect(answers == ["yes"])
        #expect(asking.isStarted)
        #expect(tabs.navigationState.screen.style != .alert)
    }

    @Test(arguments: Arrival.allCases)
    func anAlertOfAnActivationIsShown(arrival: Arrival) {
        var answers: [String?] = []
        asking.probe.onActivate = { [unowned asking] in
            asking.probe.onActivate = nil
            asking.present(Alert(title: "Sure?", choices: [.init("yes", title: "Yes")])) { answers.append($0?.id) }
        }
        let failure = failure(of: tabs) {
            arrive(by: arrival)
            if arrival == .hiddenStack { tabs.select(stack) }
        }
        #expect(failure == nil)
        #expect(tabs.navigationState.screen.style == .alert)
        tabs.visibleLeaf.emitEvent(NavigationEvents.choose("yes"))
        #expect(answers == ["yes"])
        #expect(tabs.visibleLeaf === asking)
    }

    @Test(arguments: Arrival.allCases)
    func aResultIsReportedOnce(arrival: Arrival) {
        var results: [String?] = []
        asking.probe.onStart = { [unowned asking] in asking.finish(with: "done") }
        let failure = failure(of: tabs) { arrive(by: arrival) { results.append($0) } }
        #expect(failure == nil)
        #expect(tabs.diagnostics == [])
        #expect(!asking.isStarted)
        let takesResult = ![Arrival.root, .rootBelowModal, .tab, .tabBelowModal].contains(arrival)
        #expect(results == (takesResult ? ["done"] : []))
    }

    @Test func aStackPopsWhatArrives() {
        asking.probe.onStart = { [unowned stack] in stack.popToRoot() }
        stack.show(asking, sender: nil)
        #expect(tabs.visibleLeaf === bottom)
        let other = Leaf("Other")
        other.probe.onStart = { [unowned stack] in stack.popToRoot() }
        let failure = failure(of: tabs) { stack.root(other) }
        #expect(failure == nil)
        #expect(stack.topCoordinator === other)
    }

    @Test func aSectionWithoutAStackReportsWhatItCannotPush() {
        let lone = Leaf("Lone")
        var results: [String?] = []
        lone.start()
        SectionedNavigationController(for: lone).push(asking) { results.append($0) }
        #expect(lone.diagnostics == [.noStack(section: "Lone", coordinator: "Asking")])
        #expect(results == [nil])
    }

    @Test func aReplacedRequestIsReported() {
        let first = Leaf("First")
        let last = Leaf("Last")
        asking.probe.onStart = { [unowned stack] in
            stack.show(first, sender: nil)
            stack.show(last, sender: nil)
        }
        stack.show(asking, sender: nil)
        #expect(tabs.visibleLeaf === last)
        #expect(tabs.diagnostics == [.replacedRequest(of: "Tabs/Stack", coordinator: first.id)])
    }
}

/// A flow that ends with a text.
private final class Flow: Leaf, HasResult {
    typealias ResultType = String
}
