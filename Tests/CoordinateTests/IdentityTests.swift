import Coordinate
import Testing

struct IdentityTests {
    @Test func anIDIsThePathOfIdentifiersFromTheRoot() {
        let box = Box()
        let stack = Stack()
        let leaf = Leaf()
        box.start()
        box.root(stack)
        stack.show(leaf, sender: nil)
        #expect(box.id == "Box")
        #expect(leaf.id == "Box/Stack/Leaf")
        #expect(box.coordinator(withID: "Box/Stack/Leaf") === leaf)
        #expect(box.coordinator(withID: "Box/Stack/Leaf-2") == nil)
        #expect(box.coordinator(withID: "") == nil)
    }

    @Test func aSecondInstanceOfAClassHasItsOwnID() {
        let stack = Stack()
        stack.start()
        let leaves = [Leaf(), Leaf(), Leaf()]
        for leaf in leaves { stack.show(leaf, sender: nil) }
        #expect(leaves.map(\.id) == ["Stack/Leaf", "Stack/Leaf-2", "Stack/Leaf-3"])
        #expect(leaves[2].emitEvent(Ping.ping).trace.map(\.coordinator) == ["Stack/Leaf-3", "Stack"])
        #expect(Set(stack.childCoordinators.keys) == ["Leaf", "Leaf-2", "Leaf-3"])
        #expect(stack.childCoordinators["Leaf-2"] === leaves[1])
    }

    @Test func tabsOfOneClassHaveTheirOwnIDs() {
        let tabs = Tabs()
        let leaves = [Leaf(), Leaf(), Leaf()]
        tabs.start()
        tabs.setCoordinators(leaves)
        #expect(leaves.map(\.id) == ["Tabs/Leaf", "Tabs/Leaf-2", "Tabs/Leaf-3"])
        tabs.visibleLeaf.emitEvent(NavigationEvents.selectTab("Leaf-3"))
        #expect(tabs.selectedCoordinator === leaves[2])
    }

    @Test func aFreedIDIsGivenAgain() {
        let (stack, leaves) = Stack.started("A", "A", "A")
        stack.popToCoordinator(leaves[0], animated: false)
        let next = Leaf("A")
        stack.show(next, sender: nil)
        #expect(next.id == "Stack/A-2")
        #expect(leaves[2].id == "A")
    }

    @Test func anIDStaysWhenASiblingGoes() {
        let (stack, leaves) = Stack.started("A", "A", "A")
        leaves[0].stop()
        #expect(leaves[1].id == "Stack/A-2")
        #expect(leaves[2].id == "Stack/A-3")
        #expect(stack.coordinator(withID: "Stack/A-3") === leaves[2])
    }

    @Test func aSlashInAnIdentifierIsWrittenAsADash() {
        let (stack, leaves) = Stack.started("a/b", "a-b")
        #expect(leaves.map(\.id) == ["Stack/a-b", "Stack/a-b-2"])
        #expect(stack.coordinator(withID: "Stack/a-b-2") === leaves[1])
    }

    @Test func identifiersNeedNotBeASCII() {
        let box = Box("Équipe")
        box.start()
        let inner = Stack("選手")
        inner.show(Leaf("名"), sender: nil)
        box.root(inner)
        #expect(box.visibleLeaf.id == "Équipe/選手/名")
        #expect(box.childCoordinators["選手"] === inner)
        #expect(inner.childCoordinators.keys.sorted() == ["名"])
    }

    @Test func aCoordinatorThatMovesTakesItsSubtreeAlong() {
        let (tabs, _) = Tabs.started()
        let first = Stack("First")
        let second = Stack("Second")
        tabs.setCoordinators([first, second])
        let moving = Box("Moving")
        let below = Leaf("Below")
        first.show(Leaf("Bottom"), sender: nil)
        first.show(moving, sender: nil)
        moving.root(below)
        tabs.select(second)
        second.show(moving, sender: nil)
        #expect(below.id == "Tabs/Second/Moving/Below")
        #expect(tabs.visibleLeaf === below)
        #expect(first.rootViewController.viewControllers.map(\.title) == ["Bottom"])
        #expect(moving.probe.log.lines == ["Moving start", "Moving activate", "Moving deactivate", "Moving activate"])
        first.show(Leaf("Next"), sender: nil)
        first.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(first.topCoordinator?.identifier == "Bottom")
    }

    @Test func aTabThatMovesLeavesAValidSelection() {
        let (tabs, leaves) = Tabs.started("A", "B")
        tabs.select(leaves[1])
        let modal = Stack("Modal")
        tabs.present(modal, animated: false)
        modal.show(leaves[1], sender: nil)
        #expect(tabs.selectedCoordinator === leaves[0])
        #expect(tabs.rootViewController.viewControllers?.count == 1)
        #expect(leaves[1].id == "Tabs/Modal/B")
        #expect(tabs.navigationState.tree.children.map(\.id) == ["Tabs/A"])
    }

    @Test func getCachedGivesTheNewestOfAClass() {
        let (stack, leaves) = Stack.started("A", "B", "A")
        stack.show(Box("C"), sender: nil)
        #expect(stack.getCached(Leaf.self) === leaves[2])
        #expect(stack.getCached(Box.self)?.identifier == "C")
        #expect(stack.getCached(Tabs.self) == nil)
    }

    @Test func getCachedFindsByIdentifier() {
        let (stack, leaves) = Stack.started("A", "B", "A")
        #expect(stack.getCached(Leaf.self, identifier: "B") === leaves[1])
        #expect(stack.getCached(Leaf.self, identifier: "A") === leaves[2])
        #expect(stack.getCached(Leaf.self, identifier: "C") == nil)
    }

    @Test func setByTheAppTheParentStillGivesAnID() {
        let box = Box.started()
        let leaf = Leaf("A")
        leaf.parentCoordinator = box
        box.root(leaf)
        #expect(leaf.id == "Box/A")
        #expect(box.coordinator(withID: "Box/A") === leaf)
    }
}
