import Coordinate

extension RouteWalk {
    /// The root: a switch between the parts of the app, with the gate before some of them.
    final class Home: Switch, HasDependencies, HasGuard {
        enum Route: DeclaredRoutes {
            case splash, login, help
            case main(Main.Route?)
            case wizard(Wizard.Route?)
            case panel(Panel.Route?)

            static let declaration = RouteDeclaration<Self>(
                .route("splash", .splash), .route("login", .login), .route("help", .help),
                .nested("main", Self.main) { if case .main(let route) = $0 { route } else { nil } },
                .nested("wizard", Self.wizard) { if case .wizard(let route) = $0 { route } else { nil } },
                .nested("panel", Self.panel) { if case .panel(let route) = $0 { route } else { nil } }
            )
        }

        var activeRoute: Route = .splash
        var dependencies: Dependencies?

        init(_ world: World) {
            super.init("Home", world)
            dependencies = Dependencies(world: world)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            world.guardedCount += 1
            clear()
            switch route {
            case .splash: base(Single("Splash", world), for: route)
            case .login: base(Single("Login", world), for: route)
            case .main(let child):
                let main = getCached(Main.self) ?? Main("Main", world)
                world.inAnyOrder({ base(main, for: .main(nil)) }, { main.goToOnceStarted(child) })
            case .wizard(let child):
                let wizard = getCached(Wizard.self) ?? Wizard("Wizard", world)
                world.inAnyOrder({ base(wizard, for: .wizard(nil)) }, { wizard.goToOnceStarted(child) })
            case .help:
                base(Single("Splash", world), for: .splash)
                raise(Single("Help", world), for: route)
            case .panel(let child):
                let panel = Panel("Panel", world)
                world.inAnyOrder({ base(Single("Splash", world), for: .splash) }, { panel.goToOnceStarted(child) })
                raise(panel, for: .panel(nil))
            }
        }

        func decide(on route: Route) -> RouteDecision<Route> {
            guard let world = dependencies?.world, world.hasGuards else { return .granted }
            return switch route {
            case .main(.desk), .wizard: world.isLoggedIn ? .granted : .redirected(to: .login, parking: .untilGranted)
            case .panel: world.isLoggedIn ? .granted : .redirected(to: .splash)
            case .login: world.isLoggedIn ? .redirected(to: .main(.shelf(.list))) : .granted
            default: .granted
            }
        }
    }

    /// A switch between steps, some of which lead on to another one before they are seen, or once they are.
    final class Wizard: Switch, HasRoutes {
        enum Route: DeclaredRoutes {
            case step(Int)

            static let declaration = RouteDeclaration<Self>(
                .route("step/{step}", Self.step) { if case .step(let number) = $0 { number } else { nil } })
        }

        var activeRoute: Route = .step(0)

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            clear()
            guard case .step(let number) = route else { return }
            base(Step(number, world), for: route)
        }
    }

    final class Step: Single {
        private let number: Int

        init(_ number: Int, _ world: World) {
            self.number = number
            super.init("Step \(number)", world)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            if number == 3 { (parentCoordinator as? Wizard)?.goTo(.step(1)) }
        }

        override func activate() {
            super.activate()
            if number == 2 { (parentCoordinator as? Wizard)?.goTo(.step(0)) }
        }
    }

    /// A bar with tabs that have no routes below their own; shown as a modal.
    final class Panel: Bar, HasRoutes {
        enum Route: DeclaredRoutes {
            case left, right

            static let declaration = RouteDeclaration<Self>(.route("left", .left), .route("right", .right))
        }

        var activeRoute: Route = .left

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            let first = activeRoute
            let tabs = [Single("Left", world), Single("Right", world)]
            setCoordinators([(tabs[0], .left), (tabs[1], .right)])
            goTo(first)
        }

        func goTo(_ route: Route) {
            clear()
            let title = route == .left ? "Left" : "Right"
            let tabs = rootViewController.viewControllers ?? []
            guard let index = tabs.firstIndex(where: { $0.title == title }) else { return }
            let named = childCoordinators.values.first { $0.getRootViewController() === tabs[index] }
            if let named { choose(named, for: route) }
        }
    }
}
