import Coordinate

public struct NotesApp: CoordinatedApp {
    public let name = "Notes"
    public let version = "1.0"
    public let events = EventCatalog(NoteEvents.self, FormEvents.self, ProEvents.self, LoginEvents.self)
    public let routes = RouteCatalog(AppCoordinator.Route.self)

    public init() {}

    public func makeRootCoordinator() -> CoordinatorNode {
        let root = AppCoordinator()
        root.setDependencies(dependencies: AppDependencies())
        return root
    }

    public var samples: [Sample] {
        [.input("text", of: "form.save", "Buy bread"), .work("pay", "1001"), .link("/notes/1")]
    }
}
