import Coordinate
import CoordinateTesting
import Testing

@testable import CoordinateServer

/// Faulty declarations do not end the server: it does not start, the turn fails, or the faulty part is left out.
struct FaultyAppTests {
    @Test func anAppWithFaultsIsNotHosted() {
        let app = FaultyApp(events: EventCatalog(FaultyEvents.self, FaultyEvents.self))
        let error = #expect(throws: ServerError.self) { try Server(app: app, configuration: .make()) }
        #expect(error == .configuration("Faulty cannot be hosted as it is:\n- two events are called faulty.go."))
    }

    @Test func aRouteWithoutAPathFailsItsTurn() async throws {
        try await withClient(of: FaultyApp(events: EventCatalog(FaultyEvents.self))) { client in
            let before = try await client.get("/route")
            let refused = try await client.post("/events", json: ["event": "faulty.go"])
            #expect(refused.status == 500)
            #expect(!refused.text.contains("missing"))
            #expect(try await client.get("/route").text == before.text)
            #expect(try await client.post("/events", json: ["event": "navigation.back"]).status == 200)
        }
    }

    @Test func actionsThatCannotBeSentAreNotOffered() async throws {
        try await withApp(FaultyApp(events: EventCatalog(FaultyEvents.self))) { server in
            let screen = try #require(try await server.client().get("/route").json["screen"])
            #expect(screen["actions"]?.array.map { $0["title"] } == ["Go"])
            #expect(screen["rows"]?.array.map { $0["id"] } == ["row", "row-2"])
        }
    }
}

private struct FaultyApp: CoordinatedApp {
    let name = "Faulty"
    let version = "1.0"
    let events: EventCatalog
    let routes = RouteCatalog(FaultyCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode { FaultyCoordinator() }
}

private enum FaultyEvents: DeclaredEvents, Equatable {
    case go
    /// The declaration lacks this case.
    case stay

    static let declaration = EventDeclaration<Self>("faulty", .event("go", .go))
}

private enum StrangeEvents: DeclaredEvents, Equatable {
    case come

    static let declaration = EventDeclaration<Self>("strange", .event("come", .come))
}

private final class FaultyCoordinator: Coordinator<FaultyViewController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case here, there

        static let declaration = RouteDeclaration<Self>(.route("here", .here))
    }

    var activeRoute = Route.here

    func goTo(_ route: Route) { activeRoute = route }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case FaultyEvents.go = event else { return false }
        goTo(.there)
        return true
    }
}

private final class FaultyViewController: ViewController {
    override var rows: [Screen.Row] { [Screen.Row(id: "row", title: "One"), Screen.Row(id: "row", title: "Two")] }

    override var actions: [Action] {
        [
            Action(title: "Stay", event: FaultyEvents.stay), Action(title: "Go", event: FaultyEvents.go),
            Action(title: "Come", event: StrangeEvents.come),
        ]
    }
}
