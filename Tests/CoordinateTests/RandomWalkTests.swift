import Coordinate
import SeededGenerator
import Testing

/// A random tree and every coordinator that was ever made for it, so that those that left it are watched too.
private final class Walk {
    let log = Log()
    let root: Box
    private(set) var made: [CoordinatorNode] = []
    private var generator: SeededGenerator
    private var violations: [String] = []
    private(set) var activeNames: Set<String> = []
    private var startedNames: Set<String> = []
    private var surprises = 2
    /// The coordinator told to stop from outside: removed before its `super.stop`, it would be told so again.
    private var stopping: CoordinatorNode?

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
        root = Box("Root", log: log)
        made.append(root)
        root.start()
    }

    /// One random operation on a random coordinator of the tree.
    func step() {
        surprises = 2
        act(on: pick(made.filter(isInTree)))
    }

    private func act(on node: CoordinatorNode) {
        switch (Int.random(in: 0..<12, using: &generator), node) {
        case (0, _): node.present(candidate(for: node), animated: false)
        case (1, _): node.dismiss()
        case (2, _) where node !== root && hasNotStopped(node): stop(node)
        case (3, _): root.visibleLeaf.emitEvent(NavigationEvents.back)
        case (4, _): root.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        case (5, _): useSection(of: node)
        case (6, let stack as Stack): stack.emitEvent(NavigationEvents.popToRoot)
        case (_, let stack as Stack):
            Bool.random(using: &generator)
                ? stack.show(candidate(for: node), sender: nil) : stack.root(candidate(for: node))
        case (6...7, let tabs as Tabs): tabs.setCoordinators((0..<3).map { _ in candidate(for: node) })
        case (_, let tabs as Tabs): select(in: tabs)
        case (_, let box as Box): box.root(candidate(for: node))
        case (6...10, _): useSection(of: node)
        default: node.emitEvent(Ping.ping)
        }
    }

    private func useSection(of node: CoordinatorNode) {
        let section = SectionedNavigationController(for: node)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: section.pop()
        case 1: section.popToSectionRoot()
        case 2 where stopping == nil && hasNotStopped(node): section.popSection()
        case 3: section.dismissTop()
        case 4: section.present(candidate(for: node))
        default: section.push(candidate(for: node))
        }
    }

    private func stop(_ node: CoordinatorNode) {
        let outer = stopping
        stopping = node
        node.stop()
        stopping = outer
    }

    private func select(in tabs: Tabs) {
        let names = tabs.childCoordinators.keys.sorted()
        guard !names.isEmpty else { return tabs.setCoordinators([candidate(for: tabs), candidate(for: tabs)]) }
        tabs.emitEvent(NavigationEvents.selectTab(pick(names)))
    }

    /// Mostly a new coordinator, sometimes one that is, or was, somewhere else.
    private func candidate(for node: CoordinatorNode) -> any Coordinating {
        if Int.random(in: 0..<4, using: &generator) == 0 {
            let known = pick(made)
            let ancestors = sequence(first: node as any Coordinating, next: \.parentCoordinator)
            if !ancestors.contains(where: { $0 === known }) { return known }
        }
        let name = "N\(made.count)"
        let kind = Int.random(in: 0..<6, using: &generator)
        let node: CoordinatorNode =
            switch kind {
            case 0: Box(name, log: log)
            case 1: Stack(name, log: log)
            case 2: Tabs(name, log: log)
            case 3: RetainedLeaf(name, log: log)
            default: Leaf(name, log: log)
            }
        if let leaf = node as? Leaf { addSurprises(to: leaf) }
        made.append(node)
        return node
    }

    /// A leaf that asks for something in the midst of its life, now and then.
    private func addSurprises(to leaf: Leaf) {
        let surprise: () -> Void = { [unowned self, unowned leaf] in
            guard surprises > 0, stopping !== leaf, Int.random(in: 0..<8, using: &generator) == 0 else { return }
            surprises -= 1
            act(on: pick(made.filter(isInTree)))
        }
        leaf.probe.onStart = surprise
        leaf.probe.onStop = surprise
        leaf.probe.onActivate = surprise
        leaf.probe.onDeactivate = surprise
        leaf.probe.onEvent = { _ in
            surprise()
            return false
        }
    }

    private func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    /// Whether the root leads to this node, whether or not it can be seen.
    func isInTree(_ node: CoordinatorNode) -> Bool {
        var current: CoordinatorNode = node
        while current !== root {
            guard let parent = current.parentCoordinator as? CoordinatorNode else { return false }
            let isOwned = parent.childCoordinators.values.contains { $0 === current }
            guard isOwned else { return false }
            current = parent
        }
        return true
    }

    /// Whether its last stop, if any, was before its last start.
    private func hasNotStopped(_ node: CoordinatorNode) -> Bool {
        followLog()
        return startedNames.contains(node.identifier)
    }

    /// What the log says that should not have happened, since the last call.
    func violationsInLog() -> [String] {
        followLog()
        defer { violations = [] }
        return violations
    }

    /// Start and stop, and activate and deactivate, have to alternate for each coordinator.
    private func followLog() {
        for line in log.flush() {
            let parts = line.split(separator: " ").map(String.init)
            let isRepeated =
                switch parts[1] {
                case "start": !startedNames.insert(parts[0]).inserted
                case "activate": !activeNames.insert(parts[0]).inserted || !startedNames.contains(parts[0])
                case "deactivate": activeNames.remove(parts[0]) == nil
                default: startedNames.remove(parts[0]) == nil
                }
            if isRepeated { violations.append(line) }
        }
    }
}

extension NavigationState.Node {
    fileprivate var all: [NavigationState.Node] {
        [self] + (children + presented).flatMap(\.all)
    }

    fileprivate var visible: [NavigationState.Node] {
        let next = presented.first ?? index.map { children[$0] }
        return [self] + (next?.visible ?? [])
    }
}

struct RandomWalkTests {
    @Test(arguments: UInt64(1)...100)
    func theInvariantsHoldAfterEveryTurn(seed: UInt64) {
        let walk = Walk(seed: seed)
        let root = walk.root
        for step in 0..<120 {
            var idsBefore = Set(walk.made.map(\.id))
            let failure = failure(of: root) { walk.step() }
            guard failure == nil else { break }
            let violations = walk.violationsInLog()
            #expect(violations.isEmpty, "step \(step)")
            let tree = root.navigationState.tree
            let ids = tree.all.map(\.id)
            #expect(Set(ids).count == ids.count, "step \(step)")
            #expect(tree.visible.allSatisfy { $0.isStarted }, "step \(step)")
            let visibleNames = Set(tree.visible.compactMap { $0.id.split(separator: "/").last.map(String.init) })
            #expect(walk.activeNames == visibleNames, "step \(step)")
            for node in walk.made where !node.isStarted {
                #expect(!walk.activeNames.contains(node.identifier), "step \(step)")
            }
            for node in walk.made where node.isStarted {
                #expect(walk.isInTree(node), "\(node.identifier) is started outside the tree, step \(step)")
            }
            for id in ids { #expect(root.coordinator(withID: id)?.id == id, "step \(step)") }
            idsBefore.formUnion(ids)
            let trace = root.visibleLeaf.emitEvent(Ping.number(step)).trace.map(\.coordinator)
            #expect(idsBefore.isSuperset(of: trace.prefix(1)), "step \(step)")
            _ = walk.violationsInLog().map { Issue.record("\($0), step \(step)") }
            if !violations.isEmpty { break }
        }
        root.stop()
        #expect(walk.made.filter { $0.isStarted }.isEmpty)
    }
}
