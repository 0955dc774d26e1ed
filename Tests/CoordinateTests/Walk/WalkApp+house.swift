import Coordinate

extension WalkApp.Node {
    var world: WalkApp.World { probe.log as! WalkApp.World }

    /// Dismisses what is on top of this coordinator.
    func clear() {
        for _ in 0..<4 where presentedCoordinator != nil { dismiss() }
    }
}

extension WalkApp {
    /// A coordinator of the app.
    protocol Node: Probed {}

    /// The root: a switch between the parts of the app, with the login before some of them.
    final class House: Box, Node, HasRoutes, HasGuard {
        enum Route: DeclaredRoutes {
            case splash, login, help
            case main(Main.Route?)

            static let declaration = RouteDeclaration<Self>(
                .route("splash", .splash), .route("login", .login), .route("help", .help),
                .nested("main", Self.main) { if case .main(let route) = $0 { route } else { nil } })
        }

        var activeRoute: Route = .splash

        init(_ world: World) {
            super.init("House", log: world)
            world.add(self, "House")
            world.carryOut = { [unowned self] in carryOut($0) }
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            world.isLeaving = false
            clear()
            switch route {
            case .splash: put(Note("/splash", world), for: route)
            case .login: put(Note("/login", world), for: route)
            case .help:
                put(Note("/splash", world), for: .splash)
                raise(Note("/help", world), for: route)
            case .main(let child):
                let main = getCached(Main.self) ?? Main("Main", world)
                main.goToOnceStarted(child)
                put(main, for: .main(nil))
            }
        }

        func decide(on route: Route) -> RouteDecision<Route> {
            switch route {
            case .main(.desk) where !world.isLoggedIn: .redirected(to: .login, parking: .untilGranted)
            case .help where !world.isLoggedIn: .redirected(to: .splash)
            case .login where world.isLoggedIn: .redirected(to: .main(.shelf(.list)))
            default: .granted
            }
        }

        override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
            switch event {
            case Events.aim(let target): world.target = target
            case Events.act(let operation): act(operation)
            case Events.wait(let moment): world.moment = moment
            case Events.toggleLogin: world.isLoggedIn.toggle()
            case Events.toggleKey: world.hasKey.toggle()
            default: return false
            }
            return true
        }
    }

    /// The tabs: a stack, a stack that others share, and a single screen with modals.
    final class Main: Tabs, Node, HasRoutes {
        enum Route: DeclaredRoutes {
            case shelf(Shelf.Route?)
            case desk(Desk.Route?)
            case me(Me.Route?)
            case about

            static let declaration = RouteDeclaration<Self>(
                .nested("shelf", Self.shelf) { if case .shelf(let route) = $0 { route } else { nil } },
                .nested("desk", Self.desk) { if case .desk(let route) = $0 { route } else { nil } },
                .nested("me", Self.me) { if case .me(let route) = $0 { route } else { nil } },
                .route("about", .about))
        }

        var activeRoute: Route = .shelf(nil)
        private var tabs: (shelf: Shelf, desk: Desk, me: Me)?

        /// In one style the app keeps its tabs while other parts are visible.
        override var isRetained: Bool { world.style == .shown }

        init(_ title: String, _ world: World) {
            super.init(title, log: world)
            world.add(self, title)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            let first = activeRoute
            let (shelf, desk, me) = (Shelf("Shelf", world), Desk("Desk", world), Me("/main/me", world))
            me.identifier = "Me"
            tabs = (shelf, desk, me)
            if world.style == .shown {
                setCoordinators([(shelf, .shelf(nil)), (desk, .desk(nil)), (me, .me(nil))])
            } else {
                setCoordinators([shelf, desk, me])
            }
            goTo(first)
        }

        func goTo(_ route: Route) {
            guard let tabs else { return }
            clear()
            switch route {
            case .shelf(let child): choose(tabs.shelf, at: child, for: .shelf(nil))
            case .desk(let child): choose(tabs.desk, at: child, for: .desk(nil))
            case .me(let child): choose(tabs.me, at: child, for: .me(nil))
            case .about:
                choose(tabs.me, at: .overview, for: .me(nil))
                raise(Note("/main/about", world), for: route)
            }
        }

        private func choose<Tab: CoordinatorNode & HasRoutes>(_ tab: Tab, at route: Tab.RouteType?, for own: Route) {
            tab.goToOnceStarted(route)
            // What the tab did may have ended it.
            guard tab.parentCoordinator === self else { return }
            if world.style == .shown { return select(tab, for: own) }
            select(tab)
            activeRoute = own
        }

        override func tabTapped(for coordinator: any Coordinating) {
            switch coordinator {
            case _ where world.style == .shown: super.tabTapped(for: coordinator)
            case is Shelf: goTo(.shelf(nil))
            case is Desk: goTo(.desk(nil))
            default: goTo(.me(nil))
            }
        }
    }

    /// A single screen, whose routes are modals.
    final class Me: Note, HasRoutes {
        enum Route: DeclaredRoutes {
            case overview
            case edit(Int)
            case sheet(Folder.Route?)

            static let declaration = RouteDeclaration<Self>(
                .route("", .overview),
                .route("edit/{field}", Self.edit) { if case .edit(let number) = $0 { number } else { nil } },
                .nested("sheet", Self.sheet) { if case .sheet(let route) = $0 { route } else { nil } })
        }

        var activeRoute: Route = .overview

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            let first = activeRoute
            if world.style == .set { activeRoute = .overview }
            goTo(first)
        }

        func goTo(_ route: Route) {
            clear()
            switch route {
            case .overview: break
            case .edit(let number): raise(Note("/main/me/edit/\(number)", world), for: route)
            case .sheet(let child): raise(Folder("/main/me/sheet", at: child, world), for: .sheet(nil))
            }
        }
    }
}
