import Coordinate
import Testing

private struct Services: AppDependenciesProtocol, Equatable { var name = "first" }

private struct OtherServices: AppDependenciesProtocol {}

private final class ServedBox: Box, HasDependencies { var dependencies: Services? }

private final class ServedLeaf: Leaf, HasDependencies {
    var dependencies: Services?
    var nameAtStart: String?

    override func start(with completion: @escaping () -> Void = {}) {
        nameAtStart = dependencies?.name
        super.start(with: completion)
    }
}

private final class OtherStack: Stack, HasDependencies { var dependencies: OtherServices? }

struct DependencyTests {
    private let box = ServedBox("Box")
    private let leaf = ServedLeaf("Leaf")

    init() {
        box.setDependencies(dependencies: Services())
        box.start()
    }

    @Test func aMiddleThatDoesNotConformPassesThemOn() {
        let stack = Stack("Stack")
        box.root(stack)
        stack.show(leaf, sender: nil)
        #expect(leaf.nameAtStart == "first")
        #expect(box.diagnostics.isEmpty)
    }

    @Test func aSubtreeUnderOneWithOtherDependenciesGetsThemToo() {
        let stack = OtherStack("Stack")
        stack.show(leaf, sender: nil)
        box.root(stack)
        #expect(leaf.nameAtStart == "first")
        #expect(box.diagnostics.count == 1)
    }

    @Test func theNearestAncestorWins() {
        let inner = ServedBox("Inner")
        box.root(inner)
        inner.setDependencies(dependencies: Services(name: "inner"))
        inner.root(leaf)
        #expect(leaf.dependencies == Services(name: "inner"))
        #expect(box.dependencies == Services(name: "first"))
    }

    @Test func aMismatchIsADiagnosticNamingBothTypes() {
        let stack = OtherStack("Stack")
        box.root(stack)
        #expect(
            box.diagnostics == [
                .dependenciesMismatch(coordinator: "Box/Stack", expected: "OtherServices", found: "Services")
            ])
        #expect(box.diagnostics.first?.isFailure == false)
        #expect(
            box.diagnostics.first?.description
                == "Box/Stack needs dependencies of type OtherServices, but its ancestors have Services")
        #expect(stack.isStarted)
    }

    @Test func settingTheWrongOnesIsADiagnosticToo() throws {
        try box.turn { box.setDependencies(dependencies: OtherServices()) }
        #expect(
            box.diagnostics == [
                .dependenciesMismatch(coordinator: "Box", expected: "Services", found: "OtherServices")
            ])
        #expect(box.dependencies == Services())
    }

    @Test func withoutAnyDependenciesThereIsNoDiagnostic() {
        let plain = Box.started()
        plain.root(leaf)
        #expect(leaf.dependencies == nil)
        #expect(plain.diagnostics.isEmpty)
    }

    @Test func setDependenciesPushesThemDown() {
        let stack = Stack("Stack")
        let modal = ServedLeaf("Modal")
        box.root(stack)
        stack.show(leaf, sender: nil)
        leaf.present(modal, animated: false)
        box.setDependencies(dependencies: Services(name: "second"))
        #expect(leaf.dependencies?.name == "second")
        #expect(modal.dependencies?.name == "second")
        box.setDependencies(dependencies: nil)
        #expect(leaf.dependencies?.name == "second")
    }

    private final class RetainedServedLeaf: Leaf, HasDependencies {
        var dependencies: Services?
        override var isRetained: Bool { true }
    }

    @Test func setDependenciesReachesWhatIsRetainedAndWhatIsInASection() {
        let retained = RetainedServedLeaf("Retained")
        box.root(retained)
        let stack = Stack("Stack")
        box.root(stack)
        let owner = Leaf("Owner")
        stack.show(owner, sender: nil)
        SectionedNavigationController(for: owner).push(leaf)
        box.setDependencies(dependencies: Services(name: "second"))
        #expect(leaf.dependencies?.name == "second")
        #expect(retained.dependencies?.name == "second")
    }

    @Test func tabsHaveThemBeforeTheyStart() {
        let tabs = Tabs("Tabs")
        box.root(tabs)
        let other = ServedLeaf("Other")
        tabs.setCoordinators([leaf, other])
        #expect(other.dependencies == Services())
        #expect(other.nameAtStart == nil)
        tabs.select(other)
        #expect(other.nameAtStart == "first")
    }
}
