import Coordinate

/// An app that is nothing but its declarations, whatever they are.
struct DeclaringApp<Options: SessionOptions>: CoordinatedApp {
    let name = "Declaring"
    let version = "1.0"
    var events = EventCatalog()
    var routes = RouteCatalog()
    var options: Options.Type

    func makeRootCoordinator(options: Options) -> CoordinatorNode { Leaf("Root") }
}

/// An app that is nothing but its root, and the routes that it lists.
struct RootedApp: CoordinatedApp {
    let name = "Rooted"
    let version = "1.0"
    let events = EventCatalog()
    var routes = RouteCatalog()
    let root: @Sendable () -> CoordinatorNode

    func makeRootCoordinator() -> CoordinatorNode { root() }
}

/// The faults of an app that only has these events.
func faults(events: EventCatalog) -> [String] { DeclaringApp(events: events, options: NoOptions.self).faults }

/// The faults of an app that only has these routes.
func faults(routes: RouteCatalog) -> [String] { DeclaringApp(routes: routes, options: NoOptions.self).faults }

func faults(events: any DeclaredEvents.Type) -> [String] {
    func catalog<Events: DeclaredEvents>(_ events: Events.Type) -> EventCatalog { EventCatalog(events) }
    return faults(events: catalog(events))
}
