package import Coordinate
internal import Synchronization

/// A small app that, on request, does what no app should do, and that knows which of its coordinators are still alive.
package struct TestApp: CoordinatedApp {
    package let name = "Test"
    package let version: String
    package let events = EventCatalog(TestEvents.self)
    package let routes = RouteCatalog(StackCoordinator.Route.self)
    package let lives = LifeRegistry()
    /// The number of trees that were created.
    package let trees = CallCount()
    /// The faults of its trees, while a test wants them.
    package var fault: AppFault { lives.fault }

    package init(version: String = "0.1") {
        self.version = version
    }

    package func makeRootCoordinator() -> CoordinatorNode {
        trees.add()
        return StageCoordinator(lives: lives, failsAtStart: false)
    }
}

package enum TestEvents: CoordinateEvents, Equatable {
    case push(_ number: Int)
    case scale(_ factor: Double)
    case toggle(_ isOn: Bool)
    case say(_ text: String)
    /// Fills the stack until the tree reaches its limit.
    case fill
    case fail
    case selectStranger
    case circle
    case echo
}

extension TestEvents: DeclaredEvents {
    package static let declaration = EventDeclaration<Self>(
        "test",
        .event("push", Self.push, "number") { if case .push(let number) = $0 { number } else { nil } },
        .event("scale", Self.scale, "factor") { if case .scale(let factor) = $0 { factor } else { nil } },
        .event("toggle", Self.toggle, "isOn") { if case .toggle(let isOn) = $0 { isOn } else { nil } },
        .event("say", Self.say, "a/b~c") { if case .say(let text) = $0 { text } else { nil } },
        .event("fill", .fill),
        .event("fail", .fail),
        .event("selectStranger", .selectStranger),
        .event("circle", .circle),
        .event("echo", .echo)
    )
}

/// An error with a text that clients must not see.
package struct SecretError: Error {
    package let secret = "the database password is swordfish"

    package init() {}
}

// MARK: Living coordinators

/// An object that one coordinator owns.
package final class Life: Sendable {}

package final class LifeRegistry: Sendable {
    package let fault = AppFault()
    /// The number of calls that stopped or deactivated a page.
    package let stops = CallCount()
    private struct Entry: Sendable {
        weak let life: Life?
    }

    private let entries = Mutex<[Entry]>([])

    package init() {}

    package func begin() -> Life {
        let life = Life()
        entries.withLock { $0.append(Entry(life: life)) }
        return life
    }

    /// The number of coordinators created so far.
    package var born: Int { entries.withLock { $0.count } }
    /// The number of coordinators that are still alive.
    package var living: Int { entries.withLock { entries in entries.count { $0.life != nil } } }
}

/// The faults of all trees of an app.
package final class AppFault: Sendable {
    package enum Kind {
        case failsToStart, failsToStop, failsWhenSeen, failsToPush
        /// Whether the same events lead to another state than before.
        case goesElsewhere
    }

    private let current = Mutex<Kind?>(nil)

    package func begin(_ kind: Kind) { current.withLock { $0 = kind } }
    package func end() { current.withLock { $0 = nil } }
    package func `is`(_ kind: Kind) -> Bool { current.withLock { $0 == kind } }
}

package final class CallCount: Sendable {
    private let count = Atomic(0)

    package func add() { count.wrappingAdd(1, ordering: .relaxed) }
    package var value: Int { count.load(ordering: .relaxed) }
}

// MARK: The tree

package final class StageCoordinator: TabBarCoordinator<TabBarController> {
    private let life: Life
    private let lives: LifeRegistry
    private let failsAtStart: Bool

    package init(lives: LifeRegistry, failsAtStart: Bool) {
        self.lives = lives
        self.failsAtStart = failsAtStart
        life = lives.begin()
        super.init()
    }

    package override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([StackCoordinator(lives: lives), OtherCoordinator(lives: lives)])
        if failsAtStart || lives.fault.is(.failsToStart) { fail(with: SecretError()) }
    }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? TestEvents else { return false }
        switch event {
        case .fail:
            // Too late: changes before the failure must be undone as well.
            getCached(StackCoordinator.self)?.push(99)
            fail(with: SecretError())
        case .selectStranger: select(OtherCoordinator(lives: lives))
        case .echo: emitEvent(event)
        default: return false
        }
        return true
    }
}

package final class StackCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    package enum Route: DeclaredRoutes {
        case bottom
        case page(_ number: Int)

        package static let declaration = RouteDeclaration<Self>(
            .route("stack", .bottom),
            .route("stack/page/{number}", Self.page) { if case .page(let number) = $0 { number } else { nil } }
        )
    }

    package var activeRoute = Route.bottom
    private let life: Life
    private let lives: LifeRegistry

    package init(lives: LifeRegistry) {
        self.lives = lives
        life = lives.begin()
        super.init()
    }

    package override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.bottom)
    }

    package func goTo(_ route: Route) {
        switch route {
        case .bottom: root(PageCoordinator(number: 0, lives: lives))
        case .page(let number): show(PageCoordinator(number: number, lives: lives), sender: self)
        }
        activeRoute = route
    }

    package func push(_ number: Int) {
        if lives.fault.is(.failsToPush) { fail(with: SecretError()) }
        goTo(.page(lives.fault.is(.goesElsewhere) ? number + 100 : number))
    }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? TestEvents else { return false }
        switch event {
        case .push(let number): push(number)
        case .fill: for number in 0..<1_100 { push(number) }
        case .circle: show(CircularCoordinator(lives: lives), sender: self)
        case .scale, .toggle, .say: break
        default: return false
        }
        return true
    }
}

package final class PageCoordinator: Coordinator<ViewController> {
    private let life: Life
    private let lives: LifeRegistry

    package init(number: Int, lives: LifeRegistry) {
        life = lives.begin()
        self.lives = lives
        super.init()
        rootViewController.title = "Page \(number)"
    }

    package override func activate() {
        super.activate()
        if lives.fault.is(.failsWhenSeen) { fail(with: SecretError()) }
    }

    package override func deactivate() {
        super.deactivate()
        lives.stops.add()
    }

    package override func stop(with completion: @escaping () -> Void = {}) {
        super.stop(with: completion)
        lives.stops.add()
        if lives.fault.is(.failsToStop) { fail(with: SecretError()) }
    }
}

/// Opens another coordinator of its kind as soon as it is visible, without end.
package final class CircularCoordinator: Coordinator<ViewController> {
    private let life: Life
    private let lives: LifeRegistry

    package init(lives: LifeRegistry) {
        self.lives = lives
        life = lives.begin()
        super.init()
    }

    package override func activate() {
        super.activate()
        (parentCoordinator as? StackCoordinator)?.root(CircularCoordinator(lives: lives))
    }
}

package final class OtherCoordinator: Coordinator<ViewController> {
    private let life: Life

    package init(lives: LifeRegistry) {
        life = lives.begin()
        super.init()
        rootViewController.title = "Other"
    }
}
