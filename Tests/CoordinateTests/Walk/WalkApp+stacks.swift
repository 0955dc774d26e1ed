import Coordinate

extension WalkApp {
    /// A stack: items on a list, a stack within it, modals and flows.
    final class Shelf: Stack, Node, HasRoutes {
        enum Route: DeclaredRoutes {
            case list, checkout, pick
            case item(Int)
            case folder(Folder.Route?)
            case edit(Int)
            case sheet(Folder.Route?)

            static let declaration = RouteDeclaration<Self>(
                .route("", .list), .route("checkout", .checkout), .route("pick", .pick),
                .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } },
                .nested("folder", Self.folder) { if case .folder(let route) = $0 { route } else { nil } },
                .route("edit/{item}", Self.edit) { if case .edit(let number) = $0 { number } else { nil } },
                .nested("sheet", Self.sheet) { if case .sheet(let route) = $0 { route } else { nil } })
        }

        var activeRoute: Route = .list

        init(_ title: String, _ world: World) {
            super.init(title, log: world)
            world.add(self, title)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            clear()
            put(Note("/main/shelf", world), for: .list)
            if route != .list { push(route) }
        }

        /// Shows what a route is about on top of what is there.
        func push(_ route: Route) {
            switch route {
            case .list: put(Note("/main/shelf", world), for: route)
            case .item(let number): add(Item(number, world), for: route)
            case .folder(let child): add(Folder("/main/shelf/folder", at: child, world), for: .folder(nil))
            case .edit(let number): raise(Note("/main/shelf/edit/\(number)", world), for: route)
            case .sheet(let child): raise(Folder("/main/shelf/sheet", at: child, world), for: .sheet(nil))
            case .checkout: add(Checkout("/main/shelf/checkout", world), for: route)
            case .pick: raise(Pick("/main/shelf/pick", world), for: route)
            }
        }
    }

    /// An item. One ends as soon as it starts.
    final class Item: Note {
        private let number: Int

        init(_ number: Int, _ world: World) {
            self.number = number
            super.init("/main/shelf/item/\(number)", world)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            if number == 7 { stop() }
        }
    }

    /// A stack on a stack, or in a modal.
    final class Folder: Stack, Node, HasRoutes {
        enum Route: DeclaredRoutes {
            case cover
            case page(Int)

            static let declaration = RouteDeclaration<Self>(
                .route("", .cover),
                .route("page/{page}", Self.page) { if case .page(let number) = $0 { number } else { nil } })
        }

        var activeRoute: Route = .cover
        private let address: String

        init(_ address: String, at route: Route?, _ world: World) {
            self.address = address
            super.init("Folder", log: world)
            world.add(self, address)
            goToOnceStarted(route)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            goTo(activeRoute)
        }

        func goTo(_ route: Route) {
            clear()
            put(Note(address, world), for: .cover)
            if route != .cover { push(route) }
        }

        func push(_ route: Route) {
            guard case .page(let number) = route else { return }
            add(Note("\(address)/page/\(number)", world), for: route)
        }
    }

    /// A stack that a coordinator on it pushes more on, with a guard of its own.
    final class Desk: Stack, Node, HasRoutes, HasGuard {
        enum Route: DeclaredRoutes {
            case list, compare
            case result(Int)
            case draft(Int)

            static let declaration = RouteDeclaration<Self>(
                .route("", .list), .route("compare", .compare),
                .route("compare/{result}", Self.result) { if case .result(let number) = $0 { number } else { nil } },
                .route("draft/{draft}", Self.draft) { if case .draft(let number) = $0 { number } else { nil } })
        }

        var activeRoute: Route = .list

        init(_ title: String, _ world: World) {
            super.init(title, log: world)
            world.add(self, title)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            navigate(to: activeRoute)
        }

        func goTo(_ route: Route) {
            world.isLeaving = false
            clear()
            put(Note("/main/desk", world), for: .list)
            if route != .list { push(route) }
        }

        func push(_ route: Route) {
            switch route {
            case .list: put(Note("/main/desk", world), for: route)
            case .compare: add(Note("/main/desk/compare", world), for: route)
            case .result(let number):
                let compare = Note("/main/desk/compare", world)
                add(compare, for: .compare)
                let result = Note("/main/desk/compare/\(number)", world)
                guard compare.parentCoordinator != nil else { return }
                let section = SectionedNavigationController(for: compare)
                if world.style == .shown { return section.push(result, for: route) }
                section.push(result)
                activeRoute = route
            case .draft(let number): add(Note("/main/desk/draft/\(number)", world), for: route)
            }
        }

        func decide(on route: Route) -> RouteDecision<Route> {
            guard case .draft(let number) = route, !world.hasKey else { return .granted }
            return .redirected(to: .list, parking: number == 1 ? .untilGranted : .never)
        }
    }

    /// A screen. It offers all operations.
    class Note: Leaf, Node {
        init(_ title: String, _ world: World) {
            super.init("Note", log: world)
            world.add(self, title)
            rootViewController.offers = Self.offers
            rootViewController.onEvent = { [unowned world] event in
                world.begin(event)
                return false
            }
        }

        private static let offers =
            Operation.allCases.map { Action(title: $0.rawValue, event: Events.act($0)) }
            + (0..<12).map { Action(title: "aim \($0)", event: Events.aim($0)) }
            + Moment.allCases.map { Action(title: "wait \($0)", event: Events.wait($0)) } + [
                Action(title: "log in or out", event: Events.toggleLogin),
                Action(title: "take or lose the key", event: Events.toggleKey),
            ]
    }

    /// A choice of a number on one screen.
    final class Pick: Note, Flow { typealias ResultType = Int }

    /// A flow of several screens.
    final class Checkout: Stack, Flow {
        typealias ResultType = Int
        private let address: String

        init(_ address: String, _ world: World) {
            self.address = address
            super.init("Checkout", log: world)
            world.add(self, address)
        }

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            begin()
        }

        func begin() { root(Note(address, world)) }
    }
}

// How the app shows something for a route: by the methods with a route, or by setting its active route afterwards. In
// the second style it shows nothing twice, because the library cannot notice that a route is set once more.
extension HasRoutes where Self: WalkApp.Node {
    func raise(_ modal: any Coordinating, for route: RouteType) {
        if world.style == .shown { return present(modal, for: route) }
        guard !hasChild(like: modal) else { return }
        present(modal)
        activeRoute = route
    }

    func raise<Shown: WalkApp.Flow>(_ modal: Shown, for route: RouteType) {
        if world.style == .shown { return present(modal, for: route, world.handler(of: modal)) }
        guard !hasChild(like: modal) else { return }
        present(modal, world.handler(of: modal))
        activeRoute = route
    }

    fileprivate func hasChild(like child: any Coordinating) -> Bool {
        let title = child.getRootViewController().title
        return childCoordinators.values.contains { $0.getRootViewController().title == title }
    }
}

extension HasRoutes where Self: WalkApp.Node & ContainerCoordinating {
    func put(_ child: any Coordinating, for route: RouteType) {
        if world.style == .shown { return root(child, for: route) }
        root(child, animated: false, completion: nil)
        activeRoute = route
    }
}

extension HasRoutes where Self: WalkApp.Node & StackCoordinating {
    func add(_ child: any Coordinating, for route: RouteType) {
        if world.style == .shown { return show(child, for: route) }
        guard !hasChild(like: child) else { return }
        show(child, sender: nil)
        activeRoute = route
    }

    func add<Shown: WalkApp.Flow>(_ child: Shown, for route: RouteType) {
        if world.style == .shown { return show(child, for: route, world.handler(of: child)) }
        guard !hasChild(like: child) else { return }
        show(child, world.handler(of: child))
        activeRoute = route
    }
}
