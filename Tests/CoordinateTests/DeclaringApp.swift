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
