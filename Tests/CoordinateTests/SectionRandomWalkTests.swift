import Coordinate
import SeededGenerator
import Testing

/// One entry of the model of a stack: who it belongs to, and what it is called.
private struct Entry: Equatable {
    /// Nil for what was pushed on the stack itself.
    let owner: String?
    let name: String
}

/// A stack that coordinators share, beside a plain array that says what should be on it.
private final class SharedStack {
    let stack = Stack("Stack")
    private(set) var model: [Entry] = []
    private var owners: [String: Leaf] = [:]
    private var madeCount = 0
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
        stack.start()
        pushOwner()
    }

    var real: [Entry] {
        stack.navigationState.tree.children.map { node in
            let parts = node.id.split(separator: "/").map(String.init)
            return Entry(owner: parts.count == 3 ? parts[1] : nil, name: parts[parts.count - 1])
        }
    }

    var started: Set<String> { Set(made.filter(\.isStarted).map(\.identifier)) }
    private(set) var made: [Leaf] = []

    /// One random operation, on both.
    func step() -> String {
        let names = model.filter { $0.owner == nil }.map(\.name)
        let name = names[Int.random(in: 0..<names.count, using: &generator)]
        let section = SectionedNavigationController(for: owners[name]!)
        let isFirst = name == model[0].name
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1:
            pushOwner()
            return "push an owner"
        case 2...5:
            let guest = make()
            section.push(guest)
            model.append(Entry(owner: name, name: guest.identifier))
            return "push in \(name)"
        case 6 where model.count > 1:
            section.pop()
            if isMine(model[model.count - 1], name) { model.removeLast() }
            return "pop in \(name)"
        case 7 where !isFirst:
            section.popSection()
            model.removeAll { isMine($0, name) }
            return "pop the section \(name)"
        case 8:
            section.popToSectionRoot()
            model.removeAll { $0.owner == name }
            return "pop to the root of \(name)"
        case 9 where !isFirst:
            owners[name]?.stop()
            model.removeAll { isMine($0, name) }
            return "stop \(name)"
        case 10:
            stack.visibleLeaf.emitEvent(NavigationEvents.popToRoot)
            model.removeSubrange(1...)
            return "pop to the root"
        default:
            stack.visibleLeaf.emitEvent(NavigationEvents.back)
            if model.count > 1 { model.removeLast() }
            return "Back"
        }
    }

    private func isMine(_ entry: Entry, _ name: String) -> Bool {
        entry.owner == name || entry == Entry(owner: nil, name: name)
    }

    private func pushOwner() {
        let owner = make()
        stack.show(owner, sender: nil)
        owners[owner.identifier] = owner
        model.append(Entry(owner: nil, name: owner.identifier))
    }

    private func make() -> Leaf {
        madeCount += 1
        let leaf = Leaf("N\(madeCount)")
        made.append(leaf)
        return leaf
    }
}

struct SectionRandomWalkTests {
    @Test(arguments: UInt64(1)...100) func aSharedStackIsWhatThePlainArraySays(seed: UInt64) {
        let shared = SharedStack(seed: seed)
        var history: [String] = []
        for _ in 0..<150 {
            history.append(shared.step())
            let names = shared.model.map(\.name)
            #expect(shared.real == shared.model, "after \(history.suffix(4))")
            #expect(shared.stack.rootViewController.viewControllers.map(\.title) == names)
            #expect(shared.started == Set(names), "after \(history.suffix(4))")
            #expect(shared.stack.visibleLeaf.identifier == names.last)
            let top = shared.model[shared.model.count - 1]
            let chain = [top.name, top.owner, "Stack"].compactMap { $0 }
            #expect(shared.stack.visibleLeaf.emitEvent(Ping.ping).trace.count == chain.count)
            let sections = shared.stack.navigationState.tree.children.map(\.section)
            for (entry, section) in zip(shared.model, sections) where entry.owner != nil {
                #expect(section == entry.owner)
            }
            guard shared.real == shared.model else { break }
        }
        shared.stack.stop()
        #expect(shared.started.isEmpty)
    }
}
