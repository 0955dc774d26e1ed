package import Coordinate

/// A small app that requests work, sets timers, has secrets and options, and uses its turns' time and random numbers.
///
/// It is one stack of pages. Events let a page request work, and the page notes the outcomes as its rows. Its screen is
/// `loading` while it waits for work, and `failed` with the reason if the last work failed.
package struct WorkApp: CoordinatedApp {
    package let name = "Work"
    package let version = "1.0"
    package let events = EventCatalog(WorkEvents.self)
    package let routes = RouteCatalog(WorkCoordinator.Route.self)
    private let world: World

    /// Creates an app whose work is done by a world.
    package init(_ world: World = World()) {
        self.world = world
    }

    package func makeRootCoordinator(options: WorkOptions) -> CoordinatorNode {
        WorkCoordinator(world: world, options: options)
    }
}

/// The options of ``WorkApp``: one of each type.
package struct WorkOptions: SessionOptions {
    /// The title of its pages.
    package var greeting = "Hello"
    /// Whether its first page requests the work `start` when it starts.
    package var asksAtStart = false
    /// The delay of a first timer after the start, in seconds; 0 for none.
    package var firstTimer = 0
    /// The factor for the delays of `work.setTimer`.
    package var pace = 1.0

    package init() {}

    package static let declaration = OptionDeclaration<Self>(
        .option("greeting", \.greeting),
        .option("asksAtStart", \.asksAtStart),
        .option("firstTimer", \.firstTimer),
        .option("pace", \.pace)
    )
}
