import Coordinate
import Testing

struct SectionTests {
    let log = Log()
    let stack: Stack
    let list: Leaf
    let owner: Leaf
    let section: SectionedNavigationController

    init() {
        let (stack, leaves) = Stack.started("List", "Owner", log: log)
        self.stack = stack
        list = leaves[0]
        owner = leaves[1]
        section = SectionedNavigationController(for: owner)
    }

    var titles: [String?] { stack.rootViewController.viewControllers.map(\.title) }
    private var sections: [String?] { stack.navigationState.tree.children.map(\.section) }

    func back() { stack.visibleLeaf.emitEvent(NavigationEvents.back) }

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
}
