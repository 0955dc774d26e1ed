import Coordinate

extension RouteWalk {
    /// A stack: items on a list, a stack within it, modals and flows.
    final class Shelf: Pile, HasRoutes {
        enum Route: DeclaredRoutes {
            case list, checkout, pick
            case item(Int)
            case folder(Folder.Route?)
            case edit(Int)
            case sheet(Sheet.Route?)

            static let declaration = RouteDeclaration<Self>(
                .route("", .list), .route("checkout", .checkout), .route("pick", .pick),
                .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } },
                .nested("folder", Self.folder) { if case .folder(let route) = $0 { route } else { nil } },
                .route("edit/{item}", Self.edit) { if case .edit(let number) = $0 { number } else { nil } },
                .nested("sheet", Self.sheet) { if case .sheet(let route) = $0 { route } else { nil } }
            )
        }

        var activeRoute: Route = .list

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            clear()
            getCached(List.self)?.clear()
            switch route {
            case .list: bottom()
            case .item, .folder, .checkout:
                bottom()
                push(route)
            case .edit, .sheet, .pick:
                if topCoordinator is List { return world.inAnyOrder({ bottom() }, { push(route) }) }
                bottom()
                push(route)
            }
        }

        private func bottom() {
            let list = world.happens(oneIn: 2) ? getCached(List.self) : nil
            base(list ?? List("List", world), for: .list)
        }

        /// Puts what a route is about on top of what is there.
        func push(_ route: Route) {
            switch route {
            case .list: bottom()
            case .item(let number):
                let item = world.happens(oneIn: 3) ? cachedItem(number) : nil
                item?.clear()
                put(item ?? Item(number, world), for: route)
            case .folder(let child):
                let folder = getCached(Folder.self) ?? Folder("Folder", world)
                folder.clear()
                world.inAnyOrder({ put(folder, for: .folder(nil)) }, { folder.goToOnceStarted(child) })
            case .edit(let number): raise(Single("Edit \(number)", world), for: route)
            case .sheet(let child):
                let sheet = Sheet("Sheet", world)
                sheet.goToOnceStarted(child)
                raise(sheet, for: .sheet(nil))
            case .checkout: put(Checkout("Checkout", world), for: route)
            case .pick: raise(Pick("Pick", world), for: route)
            }
        }

        private func cachedItem(_ number: Int) -> Item? {
            childCoordinators.sorted { $0.key < $1.key }.compactMap { $0.value as? Item }.first { $0.number == number }
        }
    }

    final class List: Single {}

    final class Item: Single {
        let number: Int
        private var hasLed = false
        override var isRetained: Bool { number == 4 }

        init(_ number: Int, _ world: World) {
            self.number = number
            super.init("Item \(number)", world)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            switch number {
            case 7: (parentCoordinator as? Shelf)?.goTo(.item(1))
            case 9: stop()
            default: break
            }
        }

        override func activate() {
            super.activate()
            guard let shelf = parentCoordinator as? Shelf else { return }
            switch number {
            case 6 where !hasLed:
                hasLed = true
                shelf.push(.item(0))
            case 8:
                stop()
                shelf.push(.item(2))
            default: break
            }
        }
    }

    /// A stack on a stack.
    class Folder: Pile, HasRoutes {
        enum Route: DeclaredRoutes {
            case cover
            case page(Int)

            static let declaration = RouteDeclaration<Self>(
                .route("", .cover),
                .route("page/{page}", Self.page) { if case .page(let number) = $0 { number } else { nil } }
            )
        }

        var activeRoute: Route = .cover

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            clear()
            base(Single("Cover", world), for: .cover)
            if case .page(let number) = route { put(Single("Page \(number)", world), for: route) }
        }
    }

    /// A stack that a coordinator on it pushes more on, with a guard of its own.
    final class Desk: Pile, HasGuard {
        enum Route: DeclaredRoutes {
            case list, compare
            case result(Int)
            case draft(Int)

            static let declaration = RouteDeclaration<Self>(
                .route("", .list), .route("compare", .compare),
                .route("compare/{result}", Self.result) { if case .result(let number) = $0 { number } else { nil } },
                .route("draft/{draft}", Self.draft) { if case .draft(let number) = $0 { number } else { nil } }
            )
        }

        var activeRoute: Route = .list

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            navigate(to: activeRoute)
        }

        func goTo(_ route: Route) {
            world.guardedCount += 1
            clear()
            base(List("List", world), for: .list)
            if route != .list { push(route) }
        }

        func push(_ route: Route) {
            switch route {
            case .list: break
            case .compare: put(Compare("Compare", world), for: route)
            case .result(let number):
                let compare = Compare("Compare", world)
                put(compare, for: .compare)
                if compare.parentCoordinator != nil { compare.show(number) }
            case .draft(let number): put(Single("Draft \(number)", world), for: route)
            }
        }

        func decide(on route: Route) -> RouteDecision<Route> {
            guard case .draft(let number) = route, world.hasGuards, !world.hasKey else { return .granted }
            return .redirected(to: .list, parking: number == 1 ? .untilGranted : .never)
        }
    }

    /// A coordinator with a section of the stack it is on.
    final class Compare: Single {
        func show(_ number: Int) {
            let section = SectionedNavigationController(for: self)
            let result = Single("Result \(number)", world)
            guard let desk = parentCoordinator as? Desk else { return }
            if desk.saysRouteByShowing { return section.push(result, for: Desk.Route.result(number)) }
            guard desk.activeRoute != .result(number) else { return }
            section.push(result)
            desk.activeRoute = .result(number)
        }
    }
}
