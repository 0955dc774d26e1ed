import Coordinate

/// What happened, in order.
final class Log {
    var lines: [String] = []

    /// The lines since the last call.
    func flush() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// The lines that end in one of these words, since the last call.
    func flush(only words: String...) -> [String] {
        flush().filter { line in words.contains { line.hasSuffix(" \($0)") } }
    }
}

/// What a coordinator of the tests writes down, and does, at each step of its life.
///
/// Each kind of container overrides the same methods, as their base classes have nothing between them to be overridden
/// once, and calls this.
final class Probe {
    let log: Log
    var onStart: (() -> Void)?
    var onStop: (() -> Void)?
    var onActivate: (() -> Void)?
    var onDeactivate: (() -> Void)?
    var onEvent: ((any CoordinateEvents) -> Bool)?

    init(log: Log) {
        self.log = log
    }

    func start(_ coordinator: CoordinatorNode, by start: () -> Void) {
        note("start", coordinator)
        start()
        onStart?()
    }

    func stop(_ coordinator: CoordinatorNode, by stop: () -> Void) {
        note("stop", coordinator)
        onStop?()
        stop()
    }

    func activate(_ coordinator: CoordinatorNode) {
        note("activate", coordinator)
        onActivate?()
    }

    func deactivate(_ coordinator: CoordinatorNode) {
        note("deactivate", coordinator)
        onDeactivate?()
    }

    func intercepts(_ event: any CoordinateEvents) -> Bool { onEvent?(event) ?? false }

    func note(_ word: String, _ coordinator: CoordinatorNode) {
        log.lines.append("\(coordinator.identifier) \(word)")
    }
}

enum Ping: CoordinateEvents, Equatable {
    case ping
    case farewell
    case number(Int)
}

/// A screen that can intercept.
final class Page: ViewController {
    var onEvent: ((any CoordinateEvents) -> Bool)?

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        onEvent?(event) ?? false
    }
}

class Leaf: Coordinator<Page> {
    let probe: Probe

    init(_ name: String? = nil, log: Log = Log()) {
        probe = Probe(log: log)
        super.init()
        if let name { identifier = name }
        rootViewController.title = name
    }

    override func start(with completion: @escaping () -> Void = {}) {
        probe.start(self) { super.start(with: completion) }
    }

    override func stop(with completion: @escaping () -> Void = {}) {
        probe.stop(self) { super.stop(with: completion) }
    }

    override func activate() { probe.activate(self) }
    override func deactivate() { probe.deactivate(self) }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { probe.intercepts(event) }
}

class Box: ContainerCoordinator<Page> {
    let probe: Probe

    init(_ name: String? = nil, log: Log = Log()) {
        probe = Probe(log: log)
        super.init()
        if let name { identifier = name }
        rootViewController.title = name
    }

    override func start(with completion: @escaping () -> Void = {}) {
        probe.start(self) { super.start(with: completion) }
    }

    override func stop(with completion: @escaping () -> Void = {}) {
        probe.stop(self) { super.stop(with: completion) }
    }

    override func activate() { probe.activate(self) }
    override func deactivate() { probe.deactivate(self) }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { probe.intercepts(event) }
}

class Stack: NavigationCoordinator<NavigationController> {
    let probe: Probe
    var uncovered: [String] = []

    init(_ name: String? = nil, log: Log = Log()) {
        probe = Probe(log: log)
        super.init()
        if let name { identifier = name }
        rootViewController.title = name
    }

    override func start(with completion: @escaping () -> Void = {}) {
        probe.start(self) { super.start(with: completion) }
    }

    override func stop(with completion: @escaping () -> Void = {}) {
        probe.stop(self) { super.stop(with: completion) }
    }

    override func activate() { probe.activate(self) }
    override func deactivate() { probe.deactivate(self) }

    override func poppedBack(to coordinator: (any Coordinating)?) {
        uncovered.append(coordinator?.identifier ?? "nil")
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { probe.intercepts(event) }
}

class Tabs: TabBarCoordinator<TabBarController> {
    let probe: Probe

    init(_ name: String? = nil, log: Log = Log()) {
        probe = Probe(log: log)
        super.init()
        if let name { identifier = name }
        rootViewController.title = name
    }

    override func start(with completion: @escaping () -> Void = {}) {
        probe.start(self) { super.start(with: completion) }
    }

    override func stop(with completion: @escaping () -> Void = {}) {
        probe.stop(self) { super.stop(with: completion) }
    }

    override func activate() { probe.activate(self) }
    override func deactivate() { probe.deactivate(self) }
}

/// A leaf that stays started when it is taken off the screen.
final class RetainedLeaf: Leaf {
    override var isRetained: Bool { true }
}

extension Stack {
    /// A started root with these leaves on its stack, bottom first.
    static func started(_ names: String..., log: Log = Log()) -> (stack: Stack, leaves: [Leaf]) {
        let stack = Stack("Stack", log: log)
        let leaves = names.map { Leaf($0, log: log) }
        stack.start()
        for leaf in leaves { stack.show(leaf, sender: nil) }
        _ = log.flush()
        return (stack, leaves)
    }
}

extension Tabs {
    /// A started root with these leaves as its tabs.
    static func started(_ names: String..., log: Log = Log()) -> (tabs: Tabs, leaves: [Leaf]) {
        let tabs = Tabs("Tabs", log: log)
        let leaves = names.map { Leaf($0, log: log) }
        tabs.start()
        tabs.setCoordinators(leaves)
        _ = log.flush()
        return (tabs, leaves)
    }
}

extension Box {
    static func started(log: Log = Log()) -> Box {
        let box = Box("Box", log: log)
        box.start()
        _ = log.flush()
        return box
    }
}

/// The diagnostic a turn fails with, `nil` if it does not fail.
func failure(of root: CoordinatorNode, in body: () -> Void) -> Diagnostic? {
    do {
        try root.turn(body)
        return nil
    } catch {
        return error as? Diagnostic
    }
}
