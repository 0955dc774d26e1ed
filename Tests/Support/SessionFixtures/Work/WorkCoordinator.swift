package import Coordinate

/// The stack of pages.
package final class WorkCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    package enum Route: DeclaredRoutes {
        case first
        case page(_ number: Int)

        package static let declaration = RouteDeclaration<Self>(
            .route("work", .first),
            .route("work/page/{number}", Self.page) { if case .page(let number) = $0 { number } else { nil } }
        )
    }

    package var activeRoute = Route.first
    private let world: World
    private let options: WorkOptions

    init(world: World, options: WorkOptions) {
        self.world = world
        self.options = options
        super.init()
    }

    package override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.first)
    }

    package func goTo(_ route: Route) {
        switch route {
        case .first: root(page(asksAtStart: true))
        case .page: show(page(asksAtStart: false), sender: self)
        }
        activeRoute = route
    }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case WorkEvents.push = event else { return false }
        goTo(.page(rootViewController.viewControllers.count))
        return true
    }

    private func page(asksAtStart: Bool) -> WorkPageCoordinator {
        WorkPageCoordinator(world: world, options: options, asksAtStart: asksAtStart)
    }
}

/// A page that requests work, and notes the outcomes.
package final class WorkPageCoordinator: Coordinator<WorkPageViewController> {
    private let world: World
    private let options: WorkOptions
    private let asksAtStart: Bool

    init(world: World, options: WorkOptions, asksAtStart: Bool) {
        self.world = world
        self.options = options
        self.asksAtStart = asksAtStart
        super.init()
        rootViewController.title = options.greeting
    }

    package override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        guard asksAtStart else { return }
        if options.asksAtStart { ask("start") }
        if options.firstTimer > 0 { perform("timer", after: .seconds(options.firstTimer), WorkEvents.didFire) }
    }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? WorkEvents else { return false }
        switch event {
        case .ask(let name): ask(name)
        case .insist(let name): ask(name, retry: .backoff(attempts: 3, first: .milliseconds(1)))
        case .hurry(let name): ask(name, timeLimit: .milliseconds(50))
        case .askAndFail(let name):
            ask(name)
            fail(with: SecretError())
        case .login(let password): login(password)
        case .setTimer(let seconds):
            perform("timer", after: .seconds(seconds) * options.pace, WorkEvents.didFire)
        case .cancel(let name):
            cancel(name)
            rootViewController.awaited.removeAll { $0 == name }
        case .look: rootViewController.notes.append("now \(now.seconds)")
        case .draw: rootViewController.notes.append("drawn \(Int.random(in: 0..<1_000_000, using: &random))")
        case .didFinish(let outcome): rootViewController.record(outcome)
        case .didFail(let outcome): rootViewController.record(outcome, isFailure: true)
        case .didFire: rootViewController.notes.append("fired")
        case .didHear(let text): rootViewController.notes.append("heard \(text)")
        case .push: return false
        }
        return true
    }

    private func ask(_ name: String, retry: RetryPolicy = .never, timeLimit: Duration = .seconds(30)) {
        rootViewController.awaited.append(name)
        perform(
            name, retry: retry, timeLimit: timeLimit, { [world] context in try await world.run(name, context) },
            done: { WorkEvents.didFinish(WorkOutcome(name, $0)) },
            failed: { WorkEvents.didFail(WorkOutcome(name, $0.reason)) })
    }

    private func login(_ password: Secret) {
        rootViewController.awaited.append("login")
        perform(
            "login", with: password,
            { [world] context, password in try await world.run("login", context, secret: password) },
            done: { WorkEvents.didFinish(WorkOutcome("login", $0)) },
            failed: { WorkEvents.didFail(WorkOutcome("login", $0.reason)) })
    }
}

package final class WorkPageViewController: ViewController {
    /// The names of the work that it waits for.
    fileprivate(set) var awaited: [String] = []
    /// The notes, in order.
    fileprivate(set) var notes: [String] = []
    /// The reason why the last work failed; `nil` if it did not.
    private var failure: String?

    fileprivate func record(_ outcome: WorkOutcome, isFailure: Bool = false) {
        if let index = awaited.firstIndex(of: outcome.name) { awaited.remove(at: index) }
        failure = isFailure ? outcome.text : nil
        notes.append(isFailure ? "\(outcome.name) failed: \(outcome.text)" : "\(outcome.name): \(outcome.text)")
    }

    package override var status: Screen.Status {
        awaited.isEmpty ? failure == nil ? .ready : .failed : .loading
    }

    package override var message: String? { awaited.isEmpty ? failure : nil }

    package override var rows: [Screen.Row] {
        notes.enumerated().map { index, note in Screen.Row(id: "\(index)", title: note) }
    }
}
