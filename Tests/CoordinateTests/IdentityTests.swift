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

    @Test func getCachedGivesTheNewestOfAClassOrWithAnIdentifier() {
        let (stack, leaves) = Stack.started("A", "B", "A")
        stack.show(Box("C"), sender: nil)
        #expect(stack.getCached(Leaf.self) === leaves[2])
        #expect(stack.getCached(Box.self)?.identifier == "C")
        #expect(stack.getCached(Tabs.self) == nil)
        #expect(stack.getCached(Leaf.self, identifier: "B") === leaves[1])
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
