import Coordinate
import Testing

struct SectionTests {
    let log = Log()
    let stack: Stack
    let owner: Leaf
    let section: SectionedNavigationController

    init() {
        let (stack, leaves) = Stack.started("List", "Owner", log: log)
        self.stack = stack
        owner = leaves[1]
        section = SectionedNavigationController(for: owner)
    }

    var titles: [String?] { stack.rootViewController.viewControllers.map(\.title) }
    private var sections: [String?] { stack.navigationState.tree.children.map(\.section) }

    // MARK: Push and pop

    @Test func aPushedCoordinatorIsOnTheSharedStackAndBelongsToTheOwner() {
        let guest = Leaf("G", log: log)
        section.push(guest)
        #expect(titles == ["List", "Owner", "G"])
        #expect(guest.id == "Stack/Owner/G")
        #expect(guest.parentCoordinator === owner)
        #expect(owner.childCoordinators["G"] === guest)
        #expect(stack.childCoordinators.keys.sorted() == ["List", "Owner"])
        #expect(stack.coordinator(withID: guest.id) === guest)
        #expect(stack.visibleLeaf === guest)
        #expect(log.flush() == ["G start", "Owner deactivate", "G activate"])
    }

    @Test func aPopRemovesTheTopOfTheStackIfItIsOfTheSection() {
        section.push(Leaf("G"))
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        section.pop()
        #expect(titles == ["List", "Owner", "G", "Other"])
        SectionedNavigationController(for: other).pop()
        section.pop()
        #expect(titles == ["List", "Owner"])
        section.pop()
        #expect(titles == ["List"])
        #expect(!owner.isStarted)
    }

    // MARK: Back

    @Test func aSectionThatBackEmptiedStopsItsCoordinator() {
        let (stack, leaves) = Stack.started("List", log: log)
        let flow = Leaf("Flow", log: log)
        leaves[0].present(flow, animated: false)
        leaves[0].dismiss()
        let host = Box("Host", log: log)
        stack.show(host, sender: nil)
        host.root(flow)
        _ = log.flush()
        SectionedNavigationController(for: flow).push(Leaf("G", log: log))
        #expect(stack.visibleLeaf.id == "Stack/Host/Flow/G")
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(!flow.isStarted)
        #expect(log.flush(only: "stop") == ["G stop", "Flow stop"])
        #expect(stack.visibleLeaf === host)
    }

    // MARK: Events

    @Test func anEventOfAPushedCoordinatorBubblesToTheOwnerThenToTheStack() {
        let guest = Leaf("G")
        section.push(guest)
        stack.show(Leaf("Other"), sender: nil)
        #expect(guest.emitEvent(Ping.ping).trace.map(\.coordinator) == ["Stack/Owner/G", "Stack/Owner", "Stack"])
        owner.probe.onEvent = { _ in true }
        #expect(guest.rootViewController.emitEvent(Ping.ping).handledBy == "Stack/Owner")
        #expect(stack.visibleLeaf.emitEvent(Ping.ping).handledBy == nil)
    }

    @Test func anOwnersScreenHearsOfItsGuestsToo() {
        let guest = Leaf("G")
        section.push(guest)
        owner.rootViewController.onEvent = { _ in true }
        #expect(guest.emitEvent(Ping.ping).handledBy == "Stack/Owner")
    }

    // MARK: Sections side by side

    @Test func idsAreUniqueAcrossSections() {
        let other = Leaf("Owner")
        stack.show(other, sender: nil)
        for _ in 0..<2 {
            section.push(Leaf("G"))
            SectionedNavigationController(for: other).push(Leaf("G"))
        }
        #expect(
            stack.navigationState.tree.children.map(\.id) == [
                "Stack/List", "Stack/Owner", "Stack/Owner-2", "Stack/Owner/G", "Stack/Owner-2/G", "Stack/Owner/G-2",
                "Stack/Owner-2/G-2",
            ])
        #expect(sections.suffix(2) == ["Owner", "Owner-2"])
    }

    // MARK: Modals

    @Test func dismissTopTakesOnlyMineAndWhatIsAbove() {
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        let otherSection = SectionedNavigationController(for: other)
        let modals = [Leaf("M"), Leaf("X"), Leaf("N"), Leaf("Y")]
        for (index, modal) in modals.enumerated() { (index.isMultiple(of: 2) ? section : otherSection).present(modal) }
        #expect(modals.map(\.id) == ["Stack/Owner/M", "Stack/Other/X", "Stack/Owner/N", "Stack/Other/Y"])
        var completions = 0
        section.dismissTop { completions += 1 }
        #expect(modals.map(\.isStarted) == [true, true, false, false])
        section.dismissTop { completions += 1 }
        #expect(modals.map(\.isStarted) == [false, false, false, false])
        section.dismissTop { completions += 1 }
        #expect(completions == 3)
        #expect(stack.visibleLeaf === other)
    }

    @Test func dismissAllLeavesWhatIsBelowMine() {
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        let modals = [Leaf("X"), Leaf("M"), Leaf("Y"), Leaf("N")]
        for (index, modal) in modals.enumerated() {
            (index.isMultiple(of: 2) ? SectionedNavigationController(for: other) : section).present(modal)
        }
        var completions = 0
        section.dismissAll { completions += 1 }
        section.dismissAll { completions += 1 }
        #expect(completions == 2)
        #expect(modals.map(\.isStarted) == [true, false, false, false])
        #expect(stack.visibleLeaf === modals[0])
    }

    // MARK: The owner's end

    @Test func stopTakesTheSectionAndItsModalsAlongAndCompletesOnce() {
        section.push(Leaf("G", log: log))
        stack.show(Leaf("Other", log: log), sender: nil)
        section.push(Leaf("H", log: log))
        section.present(Leaf("M", log: log))
        _ = log.flush()
        var completions = 0
        owner.stop { completions += 1 }
        #expect(completions == 1)
        #expect(log.flush(only: "stop") == ["Owner stop", "M stop", "H stop", "G stop"])
        #expect(titles == ["List", "Other"])
        #expect(stack.visibleLeaf.identifier == "Other")
    }

    @Test func nothingOfASectionLivesOn() {
        weak var guest: Leaf?
        do {
            let leaf = Leaf("G")
            guest = leaf
            section.push(leaf)
        }
        #expect(guest != nil)
        owner.stop()
        #expect(guest == nil)
        #expect(section.isEmpty)
        section.push(Leaf("Late"))
        #expect(titles == ["List"])
    }

    enum Owner: CaseIterable { case itself, inABox, onAStack }

    /// A section is on the nearest stack above its owner, and stays on it.
    @Test(arguments: Owner.allCases)
    func aSectionEndsIfItsOwnerLeavesTheStackAndStaysIfTheStackMoves(owner: Owner) {
        let log = Log()
        let (tabs, _) = Tabs.started(log: log)
        let stacks = [Stack("First", log: log), Stack("Second", log: log)]
        let (leaf, guest) = (Leaf("Owner", log: log), Leaf("G", log: log))
        let (box, inner) = (Box("Box", log: log), Stack("Inner", log: log))
        let moved = owner == .itself ? leaf : box
        tabs.setCoordinators(stacks)
        stacks[0].show(Leaf("List", log: log), sender: nil)
        stacks[0].show(moved, sender: nil)
        if owner == .inABox { box.root(leaf) }
        if owner == .onAStack {
            box.root(inner)
            inner.show(leaf, sender: nil)
        }
        SectionedNavigationController(for: leaf).push(guest)
        tabs.select(stacks[1])
        _ = log.flush()
        stacks[1].show(moved, sender: nil)
        #expect(log.flush(only: "start", "stop") == (owner == .onAStack ? [] : ["G stop"]))
        #expect(tabs.visibleLeaf === (owner == .onAStack ? guest : leaf))
        #expect(stacks[0].rootViewController.viewControllers.map(\.title) == ["List"])
        #expect(leaf.childCoordinators.isEmpty == (owner != .onAStack))
        #expect(leaf.isStarted)
    }

    @Test func aPushOfAnOwnerThatEndedIsDropped() {
        let guest = Leaf("G", log: log)
        let next = Leaf("Next", log: log)
        next.probe.onStart = { [section] in section.push(guest) }
        stack.root(next)
        #expect(titles == ["Next"])
        #expect(!owner.isStarted)
        #expect(!guest.isStarted)
    }

    @Test func theOwnerPushedInItsOwnSectionFails() {
        #expect(failure(of: stack) { section.push(owner) } == .containsItself(coordinator: "Stack/Owner"))
    }
}
