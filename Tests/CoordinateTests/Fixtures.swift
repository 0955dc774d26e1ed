import Coordinate

/// What happened, in order.
class Log {
    var lines: [String] = []
    /// The steps of a life that were out of order: a second start, or an activation of what is not started.
    var faults: [String] = []

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
    var question: (() -> Alert?)?
    /// Whether the coordinator has changes that are not saved.
    var isChanged = false
    /// Whether `stop(with:)` was called and has not returned.
    private(set) var isStopping = false
    private var life: Life = .stopped

    private enum Life { case stopped, started, active }

    init(log: Log) { self.log = log }

    func start(_ coordinator: CoordinatorNode, by start: () -> Void) {
        record("start", coordinator)
        advance(from: .stopped, to: .started, coordinator)
        start()
        onStart?()
        (coordinator as? any StartsAtItsRoute)?.goToActiveRoute()
    }

    func stop(_ coordinator: CoordinatorNode, by stop: () -> Void) {
        record("stop", coordinator)
        let wasStarted = coordinator.isStarted
        isStopping = true
        onStop?()
        stop()
        isStopping = false
        if wasStarted { advance(from: .started, to: .stopped, coordinator) }
    }

    func activate(_ coordinator: CoordinatorNode) {
        record("activate", coordinator)
        advance(from: .started, to: .active, coordinator)
        onActivate?()
    }

    func deactivate(_ coordinator: CoordinatorNode) {
        record("deactivate", coordinator)
        advance(from: .active, to: .started, coordinator)
        onDeactivate?()
    }

    func intercepts(_ event: any CoordinateEvents) -> Bool { onEvent?(event) ?? false }

    func record(_ word: String, _ coordinator: CoordinatorNode) {
        log.lines.append("\(coordinator.identifier) \(word)")
    }

    private func advance(from former: Life, to next: Life, _ coordinator: CoordinatorNode) {
        if life != former { log.faults.append("\(coordinator.id) was \(life) before it was \(next)") }
        life = next
    }
}

/// A coordinator with a probe.
protocol Probed: CoordinatorNode { var probe: Probe { get } }

/// A coordinator that goes to its active route when it starts.
protocol StartsAtItsRoute: HasRoutes {}

extension StartsAtItsRoute { fileprivate func goToActiveRoute() { goTo(activeRoute) } }

enum Ping: CoordinateEvents, Equatable {
    case ping
    case farewell
    case number(Int)
}

/// A screen that can intercept.
final class Page: ViewController {
    var onEvent: ((any CoordinateEvents) -> Bool)?
    var offers: [Action] = []

    override var actions: [Action] { offers }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { onEvent?(event) ?? false }
}

class Leaf: Coordinator<Page>, Probed {
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
    override func alertBeforeLeaving() -> Alert? { probe.question?() }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { probe.intercepts(event) }
}

class Box: ContainerCoordinator<Page>, Probed {
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
    override func alertBeforeLeaving() -> Alert? { probe.question?() }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { probe.intercepts(event) }
}

class Stack: NavigationCoordinator<NavigationController>, Probed {
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
    override func alertBeforeLeaving() -> Alert? { probe.question?() }

    override func poppedBack(to coordinator: (any Coordinating)?) {
        uncovered.append(coordinator?.identifier ?? "nil")
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool { probe.intercepts(event) }
}

class Tabs: TabBarCoordinator<TabBarController>, Probed {
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
    override func alertBeforeLeaving() -> Alert? { probe.question?() }
}

/// A leaf that stays started when it is taken off the screen.
final class RetainedLeaf: Leaf { override var isRetained: Bool { true } }

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
