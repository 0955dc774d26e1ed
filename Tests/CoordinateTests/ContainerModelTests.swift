import Coordinate
import SeededGenerator
import Testing

/// A tree and its model, which are always asked for the same.
private final class Walk {
    let log = Log()
    let root: Box
    private(set) var made: [String: CoordinatorNode] = [:]
    private(set) var model = ContainerModel()
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
        root = Box("Root", log: log)
        made["Root"] = root
        root.start()
        _ = log.flush()
    }

    /// Who acted, `nil` if the dice chose what cannot be done.
    func step() -> String? {
        model.log = []
        defer { model.settle() }
        let name = pick(model.nodes.keys)
        let children = model[name].children
        switch (Int.random(in: 0..<16, using: &generator), made[name]!) {
        case (0, _): return emit(Bool.random(using: &generator) ? .back : .popToRoot)
        case (1, _): return emit(.dismiss)
        case (2, _):
            return emit(
                .selectTab(pick(model.nodes.filter { $0.value.kind == .tabBar }.flatMap(\.value.children) + ["none"])))
        case (3...4, let stack as Stack) where !children.isEmpty:
            let target = pick(children)
            stack.popToCoordinator(made[target]!, animated: true)
            model.pop(to: target, in: name)
        case (3...5, let tabs as Tabs) where !children.isEmpty:
            let tab = pick(children)
            tabs.select(made[tab]!)
            model.select(tab, in: name)
        case (5, let node) where node !== root && node.isStarted:
            node.stop()
            model.remove([name])
        case (6...10, let tabs as Tabs):
            var tabNames = children.filter { _ in Bool.random(using: &generator) } + [candidate()]
            if Bool.random(using: &generator) { tabNames.append(candidate()) }
            tabNames = Set(tabNames).sorted().shuffled(using: &generator)
            guard fits(tabNames, in: name) else { return nil }
            tabs.setCoordinators(tabNames.map { made[$0]! })
            model.setTabs(tabNames.map { ($0, kind(of: $0)) }, of: name)
        case (6...13, let container as any Container):
            let shows = container is Tabs || Bool.random(using: &generator)
            let stack = shows ? model.owners(of: name).first { model[$0].kind == .navigation } : nil
            let child = candidate()
            guard fits([child], in: stack ?? name) else { return nil }
            if shows { container.show(made[child]!, sender: nil) } else { container.root(made[child]!) }
            switch (shows, stack) {
            case (false, _): model.root(child, kind(of: child), in: name)
            case (true, let stack?): model.show(child, kind(of: child), in: stack)
            case (true, nil): model.present(child, kind(of: child), by: name)
            }
        case (14..., let node):
            let child = candidate()
            guard fits([child], in: name) else { return nil }
            node.present(made[child]!, animated: true)
            model.present(child, kind(of: child), by: name)
        default: return nil
        }
        return name
    }

    private func emit(_ event: NavigationEvents) -> String {
        let top = model.top()
        let handler: String? =
            switch event {
            case .selectTab(let tab):
                model.owners(of: top.last!).first { kind(of: $0) == .tabBar && model[$0].children.contains(tab) }
            case .dismiss: top.startIndex > 0 ? model[top.first!].parent : nil
            default: top.last { model[$0].kind == .navigation && model[$0].children.count > 1 }
            }
        let id = handler.map(model.id)
        #expect(root.visibleLeaf.getRootViewController().emitEvent(event).handledBy == id, "\(event)")
        if let handler {
            switch event {
            case .selectTab(let tab): model.select(tab, in: handler)
            case .dismiss: model.remove([top.first!])
            default:
                let children = model[handler].children
                model.pop(to: event == .back ? children[children.count - 2] : children[0], in: handler)
            }
        }
        return "\(event)"
    }

    /// Whether none of these is around the parent, nor goes when another is taken out from below its modals, nor is
    /// a modal of this parent, presented before the parent was started.
    private func fits(_ children: [String], in parent: String) -> Bool {
        let modals = children.compactMap { model.nodes[$0] }.filter { $0.presenter != nil }
        return !model.subtrees(of: children).contains(parent)
            && model.subtrees(of: modals.compactMap(\.presented)).isDisjoint(with: children)
            && (model[parent].isStarted || modals.allSatisfy { $0.parent != parent })
    }

    /// Mostly a new coordinator, sometimes one that is, or was, somewhere else.
    private func candidate() -> String {
        if Int.random(in: 0..<4, using: &generator) == 0 { return pick(made.keys) }
        let name = "N\(made.count)"
        made[name] =
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: Box(name, log: log)
            case 1, 2: Stack(name, log: log)
            case 3, 4: Tabs(name, log: log)
            default: Leaf(name, log: log)
            }
        return name
    }

    private func kind(of name: String) -> CoordinatorKind { made[name]!.navigationState.tree.kind }

    private func pick(_ names: some Collection<String>) -> String { names.sorted().randomElement(using: &generator)! }
}

private protocol Container {
    func show(_ coordinator: any Coordinating, sender: Any?)
    func root(_ coordinator: any Coordinating, animated: Bool, completion: (() -> Void)?)
}

extension Container {
    fileprivate func root(_ coordinator: any Coordinating) { root(coordinator, animated: true, completion: nil) }
}

extension ContainerCoordinator: Container {}

struct ContainerModelTests {
    @Test(arguments: UInt64(1)...50) func theTreeIsThatOfTheModelAfterEveryTurn(seed: UInt64) {
        let walk = Walk(seed: seed)
        var history: [String] = []
        for _ in 0..<100 {
            let failure = failure(of: walk.root) { walk.step().map { history.append($0) } }
            let state = walk.root.navigationState
            let isAsExpected =
                failure == nil && state.tree.picture == walk.model.picture()
                && state.leaf == walk.model.top().last.map(walk.model.id)
                && walk.log.flush().sorted() == walk.model.log.sorted()
                && walk.made.allSatisfy { $1.isStarted == (walk.model.nodes[$0]?.isStarted ?? false) }
            #expect(isAsExpected, "\(history)\n\(state.tree.picture)\n\(walk.model.picture())\n\(walk.model.log)")
            guard isAsExpected else { return }
        }
    }
}
