import Coordinate
import SeededGenerator
import Testing

/// Trees of hundreds of coordinators: what is quick in them is the same as what is slow in small ones.
struct LargeTreeTests {
    /// Stacks that grow and shrink, with names that numbers may be mistaken for.
    private struct Walk {
        let tabs: Tabs
        let stacks: [Stack]
        private(set) var generator: SeededGenerator
        private(set) var made: [Leaf] = []

        init(seed: UInt64) {
            generator = SeededGenerator(state: seed)
            tabs = Tabs("Tabs")
            stacks = [Stack("First"), Stack("Second")]
            tabs.start()
            tabs.setCoordinators(stacks)
            for stack in stacks { tabs.select(stack) }
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: elements.indices, using: &generator)]
        }

        /// Shows something on a stack, or takes something off.
        mutating func step() {
            let stack = pick(stacks)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: stack.emitEvent(NavigationEvents.back)
            case 1: pick(made.isEmpty ? [Leaf("A")] : made).stop()
            case 2 where made.count > 3:
                let leaf = pick(made)
                if Bool.random(using: &generator), leaf.parentCoordinator != nil { show(leaf, on: stack) }
            case 3 where Int.random(in: 0..<20, using: &generator) == 0: stack.emitEvent(NavigationEvents.popToRoot)
            default:
                for _ in 0..<Int.random(in: 1...5, using: &generator) {
                    let leaf = Leaf(pick(["A", "A", "A", "B", "A-2", "A-12", "B-3"]))
                    made.append(leaf)
                    show(leaf, on: stack)
                }
            }
        }

        /// Shows a coordinator, and expects it to have the first name that is free.
        private func show(_ leaf: Leaf, on stack: Stack) {
            let isThere = stack.childCoordinators.values.contains { $0 === leaf }
            let taken = Set(stack.childCoordinators.keys)
            let numbered = (2...).lazy.map { "\(leaf.identifier)-\($0)" }.first { !taken.contains($0) }
            let name = taken.contains(leaf.identifier) ? numbered ?? "" : leaf.identifier
            let id = leaf.id
            stack.show(leaf, sender: nil)
            #expect(leaf.id == (isThere ? id : "\(stack.id)/\(name)"))
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func everyCoordinatorHasAnIDThatFindsIt(seed: UInt64) {
        var walk = Walk(seed: seed)
        var former: Set<String> = []
        for _ in 0..<60 {
            for _ in 0..<4 { walk.step() }
            let ids = walk.tabs.startedCoordinators.map(\.id)
            #expect(Set(ids).count == ids.count)
            for coordinator in walk.tabs.startedCoordinators {
                #expect(walk.tabs.coordinator(withID: coordinator.id) === coordinator)
                let isInFirst = walk.stacks[0].coordinator(withID: coordinator.id) === coordinator
                #expect(isInFirst == coordinator.id.hasPrefix("Tabs/First"))
            }
            for id in former.subtracting(ids) { #expect(walk.tabs.coordinator(withID: id) == nil) }
            former.formUnion(ids)
        }
        #expect(walk.tabs.diagnostics.isEmpty)
    }

    @Test func whatIsRetainedOffTheScreenIsNotFound() {
        let (stack, _) = Stack.started("Bottom")
        let retained = RetainedLeaf("Kept")
        stack.show(retained, sender: nil)
        for _ in 0..<40 { stack.show(Leaf("A"), sender: nil) }
        #expect(stack.coordinator(withID: "Stack/Kept") === retained)
        stack.emitEvent(NavigationEvents.popToRoot)
        for _ in 0..<40 { stack.show(Leaf("A"), sender: nil) }
        #expect(retained.isStarted)
        #expect(stack.coordinator(withID: "Stack/Kept") == nil)
        let other = Leaf("Kept")
        stack.show(other, sender: nil)
        #expect(other.id == "Stack/Kept-2")
    }
}
