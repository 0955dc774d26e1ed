package import Coordinate

/// A small app that asks for work, sets timers, has secrets and options, and uses its turns' time and random numbers.
///
/// It is one stack of pages. A page asks for what an event tells it to, and notes what comes of that: its notes are its
/// rows. Its screen is `loading` while it waits for work, and `failed` with the reason where the last of it failed.
package struct WorkApp: CoordinatedApp {
    package let name = "Work"
    package let version = "1.0"
    package let events = EventCatalog(WorkEvents.self)
    package let routes = RouteCatalog(WorkCoordinator.Route.self)
    private let world: World

    /// Makes an app whose work is done by a world.
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
    /// Whether its first page asks for the work `start` when it starts.
    package var asksAtStart = false
    /// How long after its start a first timer is due, in seconds; 0 for none.
    package var firstTimer = 0
    /// What the delays of `work.setTimer` are multiplied by.
    package var pace = 1.0

    package init() {}

    package static let declaration = OptionDeclaration<Self>(
        .option("greeting", \.greeting),
        .option("asksAtStart", \.asksAtStart),
        .option("firstTimer", \.firstTimer),
        .option("pace", \.pace)
    )
}
