package import Coordinate

/// An app whose payloads have lists, objects, choices, and optional values.
package struct ParcelApp: CoordinatedApp {
    package let name = "Parcels"
    package let version = "1.0"
    package let events = EventCatalog(ParcelEvents.self)
    package let routes = RouteCatalog(ParcelCoordinator.Route.self)

    package init() {}

    package func makeRootCoordinator(options: ParcelOptions) -> CoordinatorNode {
        let root = ParcelCoordinator()
        root.setDependencies(dependencies: ParcelDependencies())
        return root
    }
}

package struct ParcelOptions: SessionOptions {
    var speed = ParcelEvents.Speed.standard
    var labels: [String] = []
    var limit: Int?

    package init() {}

    package static let declaration = OptionDeclaration<Self>(
        .option("speed", \.speed), .option("labels", \.labels), .option("limit", \.limit))
}

package struct ParcelDependencies: AppDependenciesProtocol {
    let customers = ["ada", "grace", "katherine"].map(ParcelEvents.Customer.init)
}

/// Shows the parcel that was sent.
package final class ParcelCoordinator: Coordinator<ParcelViewController>, HasRoutes, HasDependencies {
    package enum Route: DeclaredRoutes {
        case start
        case customer(ParcelEvents.Customer)
        case search(String, ParcelEvents.Speed?, page: Int?)

        package static let declaration = RouteDeclaration<Self>(
            .route("start", .start),
            .route("customer/{customer}", Self.customer) {
                if case .customer(let customer) = $0 { customer } else { nil }
            },
            .route("search?q={query}&speed={speed}&page={page}", Self.search) {
                if case .search(let query, let speed, let page) = $0 { (query, speed, page) } else { nil }
            }
        )
    }

    package var dependencies: ParcelDependencies?
    package var activeRoute = Route.start

    package func goTo(_ route: Route) {
        activeRoute = route
    }

    package override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? ParcelEvents else { return false }
        rootViewController.append(event)
        return true
    }
}

package final class ParcelViewController: ViewController {
    private var sent: [ParcelEvents] = []

    func append(_ event: ParcelEvents) {
        sent.append(event)
    }

    /// The parcel that was sent, and the action to send it again.
    package override var rows: [Screen.Row] {
        sent.enumerated().map { index, event in
            Screen.Row(id: "\(index)", title: "Parcel", action: Action(title: "Again", event: event))
        }
    }
}
