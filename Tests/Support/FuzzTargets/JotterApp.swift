internal import Coordinate

/// An app that accepts values of every kind, for generated requests and journals.
struct JotterApp: CoordinatedApp {
    let name = "Jotter"
    let version = "1.0"
    let events = EventCatalog(JotterEvents.self)
    let routes = RouteCatalog(JotterCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode { JotterCoordinator() }
}

enum JotterEvents: CoordinateEvents, Equatable {
    case write(_ text: String)
    case measure(_ size: Double, count: Int?)
    case tick(_ boxes: [Bool])
}

extension JotterEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "jotter",
        .event("write", Self.write, "text") { if case .write(let text) = $0 { text } else { nil } },
        .event("measure", Self.measure, "size", "count") {
            if case .measure(let size, let count) = $0 { (size, count) } else { nil }
        },
        .event("tick", Self.tick, "boxes") { if case .tick(let boxes) = $0 { boxes } else { nil } })
}

final class JotterCoordinator: Coordinator<ViewController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case page(String)
        case search(String, size: Double?)

        static let declaration = RouteDeclaration<Self>(
            .route("page/{text}", Self.page) { if case .page(let text) = $0 { text } else { nil } },
            .route("search?q={query}&size={size}", Self.search) {
                if case .search(let query, let size) = $0 { (query, size) } else { nil }
            })
    }

    var activeRoute: Route = .page("")

    func goTo(_ route: Route) {
        activeRoute = route
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? JotterEvents else { return super.interceptEvent(event) }
        switch event {
        case .write(let text): goTo(.page(text))
        case .measure(let size, let count): goTo(.search("\(count ?? 0)", size: size))
        case .tick(let boxes): return boxes.allSatisfy(\.self)
        }
        return true
    }
}
