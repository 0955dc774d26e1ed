import Coordinate
import SeededGenerator

/// A small app that does all that an app may do, and the walks through it.
enum RouteWalk {}

extension RouteWalk {
    /// The ways in which an app says the routes of what it shows.
    enum Style: CaseIterable {
        /// By `show(_:for:)` and its like, in any order.
        case shown
        /// By `activeRoute`, after something was shown.
        case set
        /// Each coordinator by one of the two.
        case mixed
    }

    /// The data of a walk, and the notes of its coordinators.
    final class World {
        let style: Style
        /// Whether the app changes by itself while others ask: on in walks, off where a path is opened afresh.
        var hasGuards = true
        /// Whether coordinators may have changes, and whether those that have ask before they are left.
        var hasQuestions = false
        var asks = true
        var isLoggedIn = false
        var hasKey = true
        private var dice: SeededGenerator
        private var made: [Made] = []
        private var madeCount = 0
        /// The faults that coordinators noted, and results that were told wrongly.
        var faults: [String] = []
        var activeCount = 0
        /// How often the coordinators with guards went to a route.
        var guardedCount = 0
        var livingCount = 0
        var flows: [FlowNote] = []

        init(seed: UInt64, style: Style) {
            dice = SeededGenerator(state: seed)
            self.style = style
        }

        struct Made {
            weak var node: (any WalkedNode)?
        }

        /// The coordinators that are started, the oldest first.
        var started: [any WalkedNode] {
            made.removeAll { $0.node == nil }
            return made.compactMap(\.node).filter(\.isStarted)
        }

        /// - Returns: the number of a new coordinator.
        func add(_ node: any WalkedNode) -> Int {
            madeCount += 1
            made.append(Made(node: node))
            return madeCount
        }

        // MARK: Dice

        func number(below count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }

        func happens(oneIn count: Int) -> Bool { number(below: count) == 0 }

        func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

        /// Whether the next coordinator says its routes by `show(_:for:)`.
        func choosesShowing() -> Bool {
            switch style {
            case .shown: true
            case .set: false
            case .mixed: happens(oneIn: 2)
            }
        }

        /// Does two things in any order.
        func inAnyOrder(_ one: () -> Void, _ other: () -> Void) {
            let isTurned = happens(oneIn: 2)
            if isTurned { other() }
            one()
            if !isTurned { other() }
        }
    }

    /// The data, as what is injected.
    struct Dependencies: AppDependenciesProtocol {
        let world: World
    }

    /// A coordinator of the app.
    protocol Walker: AnyObject {
        var steps: Steps { get }
    }

    /// The state of one coordinator of the app, freed with it.
    final class Steps {
        let world: World
        var life = Life.new
        var isDirty = false
        let saysRouteByShowing: Bool
        /// Given once the coordinator is made.
        var serial = 0

        init(in world: World) {
            self.world = world
            saysRouteByShowing = world.choosesShowing()
            world.livingCount += 1
        }

        deinit { world.livingCount -= 1 }
    }

    /// How far a coordinator has come.
    enum Life {
        case new, started, active
    }

    typealias WalkedNode = CoordinatorNode & Walker

    final class Page: ViewController {}
}

extension RouteWalk.Walker {
    var world: RouteWalk.World { steps.world }
    var life: RouteWalk.Life { steps.life }
    /// Whether it has changes, and asks before it is left.
    var isDirty: Bool {
        get { steps.isDirty }
        set { steps.isDirty = newValue }
    }
    /// Its number among all that were made.
    var serial: Int { steps.serial }
    /// Whether it says its routes by `show(_:for:)`.
    var saysRouteByShowing: Bool { steps.saysRouteByShowing }
}

extension RouteWalk.Walker where Self: CoordinatorNode {
    func begin(_ title: String) {
        getRootViewController().title = title
        steps.serial = world.add(self)
    }

    func started(by start: () -> Void) {
        note(.started, after: .new, "start")
        start()
    }

    func stopped(by stop: () -> Void) {
        guard isStarted else { return stop() }
        stop()
        note(.new, after: .started, "stop")
    }

    func activated() { note(.active, after: .started, "activate") }

    func deactivated() { note(.started, after: .active, "deactivate") }

    private func note(_ next: RouteWalk.Life, after allowed: RouteWalk.Life, _ word: String) {
        if life != allowed { world.faults.append("\(id) is told \(word) and is \(life)") }
        if life == .active { world.activeCount -= 1 }
        if next == .active { world.activeCount += 1 }
        steps.life = next
    }

    /// Dismisses what is on top of this coordinator.
    func clear() {
        for _ in 0..<4 where presentedCoordinator != nil { dismiss() }
    }

    var question: Alert? {
        guard isDirty, world.asks else { return nil }
        return Alert(title: "Leave \(id)?", choices: [.discard("Discard"), .stay("Stay")])
    }
}

extension CoordinatorNode {
    var walkTitle: String { getRootViewController().title ?? "" }
}
