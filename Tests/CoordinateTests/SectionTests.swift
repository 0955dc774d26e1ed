import Coordinate
import Testing

/// A stack whose route says what was last pushed on it, so that each entry remembers one.
private final class RoutedStack: Stack, HasRoutes {
    enum Route: DeclaredRoutes {
        case none
        case at(String)

        static let declaration = RouteDeclaration<Self>(
            .route("", .none),
            .route("at/{name}", Self.at) { if case .at(let name) = $0 { name } else { nil } }
        )
    }

    var activeRoute: Route = .none

    func goTo(_ route: Route) {
        if case .at(let name) = route { show(Leaf(name), sender: self) }
        activeRoute = route
    }
}

struct SectionTests {
    private let log = Log()
    private let stack: Stack
    private let list: Leaf
    private let owner: Leaf
    private let section: SectionedNavigationController

    init() {
        let (stack, leaves) = Stack.started("List", "Owner", log: log)
        self.stack = stack
        list = leaves[0]
        owner = leaves[1]
        section = SectionedNavigationController(for: owner)
    }

    private var titles: [String?] { stack.rootViewController.viewControllers.map(\.title) }
    private var sections: [String?] { stack.navigationState.tree.children.map(\.section) }

    private func back() {
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
    }

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

    @Test func theSectionBeginsWithTheOwnersScreen() {
        #expect(section.viewControllers.map(\.title) == ["Owner"])
        section.push(Leaf("G"))
        #expect(section.viewControllers.map(\.title) == ["Owner", "G"])
        #expect(!section.isEmpty)
        #expect(SectionedNavigationController(for: owner).viewControllers.map(\.title) == ["Owner", "G"])
        #expect(SectionedNavigationController(for: Leaf("Elsewhere")).isEmpty)
    }

    @Test func aPushOfWhatIsOnTheStackPopsToIt() {
        let guests = [Leaf("G"), Leaf("H"), Leaf("I")]
        for guest in guests { section.push(guest) }
        section.push(guests[0])
        #expect(titles == ["List", "Owner", "G"])
        #expect(guests.map(\.isStarted) == [true, false, false])
    }

    @Test func popTakesTheTopOnlyIfItIsMine() {
        section.push(Leaf("G", log: log))
        stack.show(Leaf("Other", log: log), sender: nil)
        section.pop()
        #expect(titles == ["List", "Owner", "G", "Other"])
        back()
        _ = log.flush()
        section.pop()
        #expect(titles == ["List", "Owner"])
        #expect(log.flush() == ["G deactivate", "G stop", "Owner activate"])
    }

    @Test func popOfTheOwnersOwnScreenStopsIt() {
        section.pop()
        #expect(titles == ["List"])
        #expect(!owner.isStarted)
        #expect(log.flush() == ["Owner deactivate", "Owner stop", "List activate"])
        section.pop()
        #expect(titles == ["List"])
    }

    @Test func popSectionKeepsTheOthersInTheirOrder() {
        section.push(Leaf("G", log: log))
        stack.show(Leaf("Other", log: log), sender: nil)
        section.push(Leaf("H", log: log))
        stack.show(Leaf("Another", log: log), sender: nil)
        _ = log.flush()
        section.popSection()
        #expect(titles == ["List", "Other", "Another"])
        #expect(stack.visibleLeaf.identifier == "Another")
        #expect(log.flush(only: "stop").sorted() == ["G stop", "H stop", "Owner stop"])
        #expect(section.isEmpty)
        section.popSection()
        #expect(titles == ["List", "Other", "Another"])
    }

    @Test func popToSectionRootKeepsMyFirstInPlace() {
        section.push(Leaf("G"))
        stack.show(Leaf("Other"), sender: nil)
        section.push(Leaf("H"))
        section.popToSectionRoot()
        #expect(titles == ["List", "Owner", "Other"])
        #expect(owner.isStarted)
        section.popToSectionRoot()
        #expect(titles == ["List", "Owner", "Other"])
    }

    // MARK: Back

    @Test func backInTheMiddleOfASectionUpdatesIt() {
        section.push(Leaf("G", log: log))
        section.push(Leaf("H", log: log))
        _ = log.flush()
        back()
        #expect(section.viewControllers.map(\.title) == ["Owner", "G"])
        #expect(log.flush() == ["H deactivate", "H stop", "G activate"])
        section.push(Leaf("I"))
        section.popToSectionRoot()
        #expect(titles == ["List", "Owner"])
    }

    @Test func popToRootEndsASectionWithItsOwner() {
        section.push(Leaf("G", log: log))
        stack.visibleLeaf.emitEvent(NavigationEvents.popToRoot)
        #expect(titles == ["List"])
        #expect(log.flush(only: "stop") == ["G stop", "Owner stop"])
    }

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

    @Test func aGuestMayFinishTheSectionFromWithin() {
        let guest = Leaf("G", log: log)
        section.push(guest)
        owner.probe.onEvent = { [section] event in
            guard event as? Ping == .farewell else { return false }
            section.popSection()
            return true
        }
        #expect(guest.emitEvent(Ping.farewell).handledBy == "Stack/Owner")
        #expect(titles == ["List"])
        #expect(log.flush(only: "stop") == ["G stop", "Owner stop"])
        #expect(stack.visibleLeaf === list)
    }

    // MARK: Sections side by side

    @Test func twoSectionsInterleavedAreKeptApart() {
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        let otherSection = SectionedNavigationController(for: other)
        section.push(Leaf("G"))
        otherSection.push(Leaf("X"))
        section.push(Leaf("H"))
        otherSection.push(Leaf("Y"))
        #expect(titles == ["List", "Owner", "Other", "G", "X", "H", "Y"])
        #expect(sections == [nil, "Owner", "Other", "Owner", "Other", "Owner", "Other"])
        section.pop()
        section.popToSectionRoot()
        #expect(titles == ["List", "Owner", "Other", "X", "Y"])
        otherSection.pop()
        section.popSection()
        #expect(titles == ["List", "Other", "X"])
        #expect(otherSection.viewControllers.map(\.title) == ["Other", "X"])
    }

    @Test func aSectionWithinASectionEndsWithIt() {
        let guest = Leaf("G", log: log)
        section.push(guest)
        SectionedNavigationController(for: guest).push(Leaf("Inner", log: log))
        #expect(stack.visibleLeaf.id == "Stack/Owner/G/Inner")
        #expect(sections == [nil, "Owner", "G", "G"])
        section.popSection()
        #expect(titles == ["List"])
        #expect(log.flush(only: "stop") == ["Inner stop", "G stop", "Owner stop"])
    }

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

    @Test func presentGoesToTheTopMostAndBelongsToTheOwner() {
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        let modal = Leaf("M")
        section.present(modal)
        #expect(stack.visibleLeaf === modal)
        #expect(modal.id == "Stack/Owner/M")
        #expect(modal.emitEvent(Ping.ping).trace.map(\.coordinator) == ["Stack/Owner/M", "Stack/Owner", "Stack"])
    }

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

    @Test func theStacksEndStopsEachOfASectionOnce() {
        section.push(Leaf("G", log: log))
        section.push(Leaf("H", log: log))
        _ = log.flush()
        stack.stop()
        #expect(log.flush(only: "stop").sorted() == ["G stop", "H stop", "List stop", "Owner stop", "Stack stop"])
    }

    @Test func aNewRootOfTheStackEndsTheSection() {
        section.push(Leaf("G", log: log))
        stack.root(Leaf("New", log: log))
        #expect(titles == ["New"])
        #expect(log.flush(only: "stop") == ["G stop", "Owner stop", "List stop"])
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

    @Test func aSectionEndsWhereItsOwnerMovesToAnotherStack() {
        let log = Log()
        let (tabs, _) = Tabs.started(log: log)
        let stacks = [Stack("First", log: log), Stack("Second", log: log)]
        let owner = Leaf("Owner", log: log)
        tabs.setCoordinators(stacks)
        stacks[0].show(Leaf("List", log: log), sender: nil)
        stacks[0].show(owner, sender: nil)
        SectionedNavigationController(for: owner).push(Leaf("G", log: log))
        tabs.select(stacks[1])
        _ = log.flush()
        stacks[1].show(owner, sender: nil)
        #expect(log.flush(only: "stop") == ["G stop"])
        #expect(stacks[0].rootViewController.viewControllers.map(\.title) == ["List"])
        #expect(owner.childCoordinators.isEmpty)
        #expect(owner.isStarted)
    }

    @Test func aSectionEndsWhereItsOwnerBecomesAModal() {
        section.push(Leaf("G", log: log))
        _ = log.flush()
        stack.present(owner, animated: false)
        #expect(titles == ["List", "G"])
        #expect(stack.visibleLeaf === owner)
        owner.dismiss()
        #expect(titles == ["List"])
        #expect(log.flush(only: "stop") == ["G stop", "Owner stop"])
    }

    @Test func aGuestThatMovesElsewhereLeavesTheSection() {
        let guest = Leaf("G", log: log)
        section.push(guest)
        _ = log.flush()
        stack.show(guest, sender: nil)
        #expect(guest.id == "Stack/G")
        #expect(titles == ["List", "Owner", "G"])
        section.popSection()
        #expect(titles == ["List", "G"])
        #expect(guest.isStarted)
        #expect(log.flush(only: "start", "stop") == ["Owner stop"])
    }

    @Test func aGuestShownInItsOwnersOwnScreenLeavesTheSharedStack() {
        let box = Box("Box", log: log)
        let guest = Leaf("G", log: log)
        stack.show(box, sender: nil)
        let section = SectionedNavigationController(for: box)
        section.push(guest)
        box.root(guest)
        #expect(titles == ["List", "Owner", "Box"])
        #expect(box.currentViewController === guest.rootViewController)
        section.push(guest)
        #expect(titles == ["List", "Owner", "Box", "G"])
        #expect(box.currentViewController == nil)
        #expect(log.flush(only: "start", "stop") == ["Box start", "G start"])
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

    @Test func anOwnerPushedAgainPopsItsGuests() {
        section.push(Leaf("G"))
        stack.show(owner, sender: nil)
        #expect(titles == ["List", "Owner"])
        section.push(Leaf("H"))
        stack.popToCoordinator(owner, animated: true)
        #expect(titles == ["List", "Owner"])
    }

    @Test func theOwnerPushedInItsOwnSectionFails() {
        #expect(failure(of: stack) { section.push(owner) } == .containsItself(coordinator: "Stack/Owner"))
    }

    @Test func aRetainedGuestIsKeptByItsOwner() {
        let guest = RetainedLeaf("G", log: log)
        section.push(guest)
        back()
        #expect(guest.isStarted)
        #expect(owner.childCoordinators["G"] === guest)
        section.push(guest)
        #expect(titles == ["List", "Owner", "G"])
        #expect(log.flush(only: "start") == ["G start"])
        owner.stop()
        #expect(!guest.isStarted)
    }

    @Test func aPushFromTheStartOfAGuestWaits() {
        let guest = Leaf("G", log: log)
        let next = Leaf("H", log: log)
        guest.probe.onStart = { [section] in section.push(next) }
        section.push(guest)
        #expect(titles == ["List", "Owner", "G", "H"])
        #expect(log.flush(only: "activate") == ["H activate"])
    }

    // MARK: Routes

    @Test func aRouteOutlivesWhatLeavesTheMiddle() {
        let stack = RoutedStack("Stack")
        stack.start()
        for name in ["A", "B", "C", "D"] { stack.goTo(.at(name)) }
        stack.getCached(Leaf.self, identifier: "B")?.stop()
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/C", "/at/D"])
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(stack.activeRoute == .at("C"))
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(stack.activeRoute == .at("A"))
    }

    @Test func aRouteIsRestoredWhenASectionLeavesTheTopAndTheMiddle() throws {
        let stack = RoutedStack("Stack")
        stack.start()
        for name in ["A", "B"] { stack.goTo(.at(name)) }
        let section = SectionedNavigationController(for: try #require(stack.getCached(Leaf.self, identifier: "B")))
        section.push(Leaf("B2"))
        stack.activeRoute = .at("B2")
        stack.goTo(.at("C"))
        section.push(Leaf("B3"))
        stack.activeRoute = .at("B3")
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/B", "/at/B2", "/at/C", "/at/B3"])
        section.popToSectionRoot()
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/B", "/at/C"])
        #expect(stack.activeRoute == .at("C"))
        section.popSection()
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/C"])
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(stack.activeRoute == .at("A"))
    }
}
