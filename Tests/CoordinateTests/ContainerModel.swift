import Coordinate

/// What a tree has to be after each turn, as values by name: containers without screens, routes or requests.
struct ContainerModel {
    struct Node {
        let kind: CoordinatorKind
        var isStarted = false
        /// Its owner: for a modal, the coordinator that presented it.
        var parent: String?
        /// What a modal is on top of.
        var presenter: String?
        var presented: String?
        var children: [String] = []
        var selected = 0

        var index: Int? {
            if children.isEmpty { return nil }
            return kind == .tabBar ? selected : children.count - 1
        }
    }

    private(set) var nodes = ["Root": Node(kind: .container, isStarted: true)]
    private var active: Set<String> = ["Root"]
    var log: [String] = []

    // MARK: What there is

    subscript(name: String) -> Node { nodes[name]! }

    func next(_ name: String) -> String? { self[name].presented ?? self[name].index.map { self[name].children[$0] } }

    func owners(of name: String) -> some Sequence<String> { sequence(first: name) { self[$0].parent } }

    func around(_ name: String) -> [String] { Array(sequence(first: name) { self[$0].presenter ?? self[$0].parent }) }

    func id(_ name: String) -> String { owners(of: name).reversed().joined(separator: "/") }

    /// What can be seen below a node from the top-most modal on.
    func top(below name: String = "Root") -> ArraySlice<String> {
        let chain = Array(sequence(first: name, next: next))
        return chain[(chain.dropFirst().lastIndex { self[$0].presenter != nil } ?? 0)...]
    }

    /// These and all that goes when they go.
    func subtrees(of names: some Sequence<String>) -> Set<String> {
        var found: Set<String> = []
        var rest = Array(names)
        while let name = rest.popLast() {
            guard let node = nodes[name], found.insert(name).inserted else { continue }
            rest += node.children + (node.presented.map { [$0] } ?? [])
            rest += nodes.filter { $0.value.parent == name }.keys
        }
        return found
    }

    // MARK: What happens

    mutating func remove(_ names: some Sequence<String>) {
        for name in subtrees(of: names) {
            leavePlace(name)
            if active.remove(name) != nil { log.append("\(name) deactivate") }
            if self[name].isStarted { log.append("\(name) stop") }
            nodes[name] = nil
        }
    }

    private mutating func leavePlace(_ name: String) {
        if let presenter = self[name].presenter {
            nodes[presenter]?.presented = nil
            nodes[name]?.presenter = nil
        } else if let parent = self[name].parent, let node = nodes[parent] {
            setChildren(of: parent, to: node.children.filter { $0 != name })
        }
    }

    private mutating func setChildren(of name: String, to children: [String]) {
        let node = self[name]
        let selected = node.index.map { node.children[$0] }
        nodes[name]?.children = children
        nodes[name]?.selected = children.firstIndex { $0 == selected } ?? 0
    }

    private mutating func start(_ name: String) {
        guard !self[name].isStarted else { return }
        nodes[name]?.isStarted = true
        log.append("\(name) start")
        guard self[name].kind != .tabBar else { return }
        for child in nodes.keys where self[child].parent == name { start(child) }
    }

    /// Makes a new node, or one from elsewhere with all below it, a node of this parent without a place yet.
    private mutating func adopt(_ name: String, _ kind: CoordinatorKind, by parent: String, starts: Bool = true) {
        if let node = nodes[name] {
            if node.presenter != nil { remove(node.presented.map { [$0] } ?? []) }
            leavePlace(name)
            if node.isStarted, !self[parent].isStarted { remove([name]) }
        }
        nodes[name, default: Node(kind: kind)].parent = parent
        if starts, self[parent].isStarted { start(name) }
    }

    mutating func root(_ name: String, _ kind: CoordinatorKind, in parent: String) {
        if self[parent].children.first == name { return pop(to: name, in: parent) }
        adopt(name, kind, by: parent)
        let former = self[parent].children
        nodes[parent]?.children = [name]
        remove(former)
    }

    mutating func show(_ name: String, _ kind: CoordinatorKind, in stack: String) {
        if self[stack].children.contains(name) { return pop(to: name, in: stack) }
        adopt(name, kind, by: stack)
        nodes[stack]?.children.append(name)
    }

    mutating func pop(to name: String, in stack: String) {
        remove(self[stack].children.reversed().prefix { $0 != name })
    }

    mutating func setTabs(_ tabs: [(name: String, kind: CoordinatorKind)], of bar: String) {
        let former = self[bar].children
        for tab in tabs where !former.contains(tab.name) { adopt(tab.name, tab.kind, by: bar, starts: false) }
        setChildren(of: bar, to: tabs.map(\.name))
        remove(former.filter { !self[bar].children.contains($0) })
    }

    mutating func select(_ tab: String, in bar: String) {
        let index = self[bar].children.firstIndex(of: tab)!
        nodes[bar]?.selected = index
        if self[bar].isStarted { start(tab) }
    }

    mutating func present(_ name: String, _ kind: CoordinatorKind, by owner: String) {
        if let node = nodes[name], node.presenter != nil, node.parent == owner { return }
        adopt(name, kind, by: owner)
        let around = around(owner)
        let hiddenTab = zip(around, around.dropFirst()).first { tab, bar in
            self[bar].kind == .tabBar && self[tab].presenter == nil && self[bar].children[self[bar].selected] != tab
        }
        let top = top(below: hiddenTab?.0 ?? "Root")
        let presenter = around.first(where: top.contains) ?? top.first!
        nodes[name]?.presenter = presenter
        nodes[presenter]?.presented = name
    }

    mutating func settle() {
        let visible = Set(sequence(first: "Root", next: next))
        for name in visible { start(name) }
        log +=
            active.subtracting(visible).map { "\($0) deactivate" }
            + visible.subtracting(active).map { "\($0) activate" }
        active = visible
    }

    func picture(of name: String = "Root") -> String {
        let node = self[name]
        let presented = node.presented.map { picture(of: $0) } ?? "nothing"
        let children = node.children.map { picture(of: $0) }
        return "\(id(name)) \(node.kind) \(node.isStarted) \(node.index ?? -1) under \(presented) with \(children)"
    }
}

extension NavigationState.Node {
    var picture: String {
        let presented = presented.first?.picture ?? "nothing"
        return "\(id) \(kind) \(isStarted) \(index ?? -1) under \(presented) with \(children.map(\.picture))"
    }
}
