package import Coordinate

/// A desk with forms that lead elsewhere at once, or when some work is done.
package struct DeskApp: CoordinatedApp {
    package let name = "Desk"
    package let version = "1.0"
    package let events = EventCatalog(DeskEvents.self)
    package let routes = RouteCatalog(DeskCoordinator.Route.self)
    private let world: World

    /// Creates an app whose work is done by a world.
    package init(_ world: World = World()) {
        self.world = world
    }

    package func makeRootCoordinator() -> CoordinatorNode { DeskCoordinator(world) }
}

package enum DeskEvents: CoordinateEvents, Equatable {
    case search(_ words: String)
    case save(_ name: String)
    /// Shows another screen, where it waits for the work `send`.
    case send(_ name: String)
    /// Waits for the work `book`, and then shows another screen.
    case book(_ name: String)
    case didSend
    case didBook
}

extension DeskEvents: DeclaredEvents {
    package static let declaration = EventDeclaration<Self>(
        "desk",
        .event("search", Self.search, "words") { if case .search(let words) = $0 { words } else { nil } },
        .event("save", Self.save, "name") { if case .save(let name) = $0 { name } else { nil } },
        .event("send", Self.send, "name") { if case .send(let name) = $0 { name } else { nil } },
        .event("book", Self.book, "name") { if case .book(let name) = $0 { name } else { nil } },
        .event("didSend", .didSend).appOnly,
        .event("didBook", .didBook).appOnly
    )
}

/// The desk, and the screens that its forms lead to.
package final class DeskCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    package enum Route: String, DeclaredRoutes {
        case desk, results, saved, sent, booked

        package static let declaration = RouteDeclaration<Self>(
            .route("desk", .desk), .route("results", .results), .route("saved", .saved), .route("sent", .sent),
            .route("booked", .booked)
        )
    }

    package var activeRoute = Route.desk
    private let world: World

    init(_ world: World) {
        self.world = world
        super.init()
    }

    package override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(.desk)
    }

    package func goTo(_ route: Route) {
        let page = DeskPageCoordinator(titled: route.rawValue.prefix(1).uppercased() + route.rawValue.dropFirst())
        if case .desk = route { root(page, for: route) } else { show(page, for: route) }
    }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? DeskEvents else { return false }
        switch event {
        case .search: goTo(.results)
        case .save: goTo(.saved)
        case .send:
            goTo(.sent)
            perform("send", then: .didSend)
        case .book: perform("book", then: .didBook)
        case .didSend: break
        case .didBook: goTo(.booked)
        }
        return true
    }

    private func perform(_ name: String, then event: DeskEvents) {
        perform(
            name, { [world] context in try await world.run(name, context) }, done: { _ in event },
            failed: { _ in event })
    }
}

package final class DeskPageCoordinator: Coordinator<DeskViewController> {
    init(titled title: String) {
        super.init()
        rootViewController.title = title
    }
}

package final class DeskViewController: ViewController {
    package override var actions: [Action] {
        guard title == "Desk" else { return [] }
        return [
            Action(
                title: "Search", event: DeskEvents.search(""),
                inputs: [.init("words", title: "Words", kind: .search)]),
            Action(title: "Save", event: DeskEvents.save(""), inputs: [.init("name", title: "Name")]),
            Action(title: "Send", event: DeskEvents.send(""), inputs: [.init("name", title: "Recipient")]),
            Action(title: "Book", event: DeskEvents.book(""), inputs: [.init("name", title: "Guest")]),
        ]
    }
}
