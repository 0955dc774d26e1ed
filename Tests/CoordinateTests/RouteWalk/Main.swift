import Coordinate

extension RouteWalk {
    /// The tabs: a stack, a stack that others share, and a single screen with modals.
    final class Main: Bar, HasRoutes {
        enum Route: DeclaredRoutes {
            case shelf(Shelf.Route?)
            case desk(Desk.Route?)
            case me(Me.Route?)
            case about

            static let declaration = RouteDeclaration<Self>(
                .nested("shelf", Self.shelf) { if case .shelf(let route) = $0 { route } else { nil } },
                .nested("desk", Self.desk) { if case .desk(let route) = $0 { route } else { nil } },
                .nested("me", Self.me) { if case .me(let route) = $0 { route } else { nil } },
                .route("about", .about)
            )
        }

        var activeRoute: Route = .shelf(nil)
        private lazy var isKept = world.happens(oneIn: 2)
        override var isRetained: Bool { isKept }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            clear()
            makeTabs()
            switch route {
            case .shelf(let child):
                guard let shelf = getCached(Shelf.self) else { return }
                world.inAnyOrder({ choose(shelf, for: .shelf(nil)) }, { shelf.goToOnceStarted(child) })
            case .desk(let child):
                guard let desk = getCached(Desk.self) else { return }
                world.inAnyOrder({ choose(desk, for: .desk(nil)) }, { desk.goToOnceStarted(child) })
            case .me(let child):
                guard let me = getCached(Me.self) else { return }
                world.inAnyOrder({ choose(me, for: .me(nil)) }, { me.goToOnceStarted(child) })
            case .about:
                guard let me = getCached(Me.self) else { return }
                world.inAnyOrder({ choose(me, for: .me(nil)) }, { me.goToOnceStarted(.overview) })
                raise(Single("About", world), for: route)
            }
        }

        /// Makes the tabs that are missing. One that has stopped is a new one.
        private func makeTabs() {
            let shelf = getCached(Shelf.self)
            let desk = getCached(Desk.self)
            let me = getCached(Me.self)
            guard shelf == nil || desk == nil || me == nil else { return }
            let tabs: [(coordinator: any Coordinating, route: Route)] = [
                (shelf ?? Shelf("Shelf", world), .shelf(nil)), (desk ?? Desk("Desk", world), .desk(nil)),
                (me ?? Me("Me", world), .me(nil)),
            ]
            if saysRouteByShowing { setCoordinators(tabs) } else { setCoordinators(tabs.map(\.coordinator)) }
        }

        override func tabTapped(for coordinator: any Coordinating) {
            guard !saysRouteByShowing else { return super.tabTapped(for: coordinator) }
            switch coordinator {
            case is Shelf: goTo(.shelf(nil))
            case is Desk: goTo(.desk(nil))
            default: goTo(.me(nil))
            }
        }
    }

    /// A single screen, whose routes are modals.
    final class Me: Single, HasRoutes {
        enum Route: DeclaredRoutes {
            case overview
            case edit(Int)
            case pick
            case sheet(Sheet.Route?)

            static let declaration = RouteDeclaration<Self>(
                .route("", .overview), .route("pick", .pick),
                .route("edit/{field}", Self.edit) { if case .edit(let number) = $0 { number } else { nil } },
                .nested("sheet", Self.sheet) { if case .sheet(let route) = $0 { route } else { nil } }
            )
        }

        var activeRoute: Route = .overview

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            clear()
            // The seeds say so before they present what the route to begin with is about.
            if !saysRouteByShowing, childCoordinators.isEmpty { activeRoute = .overview }
            switch route {
            case .overview: break
            case .edit(let number): raise(Single("Edit \(number)", world), for: route)
            case .pick: raise(Pick("Pick", world), for: route)
            case .sheet(let child):
                let sheet = Sheet("Sheet", world)
                sheet.goToOnceStarted(child)
                raise(sheet, for: .sheet(nil))
            }
        }
    }

    /// A stack shown as a modal.
    final class Sheet: Folder {}
}
