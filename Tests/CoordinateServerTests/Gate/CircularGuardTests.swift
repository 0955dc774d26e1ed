import Coordinate
import CoordinateTesting
import SessionFixtures
import Testing

/// Guards that redirect in a circle fail the turn, and do nothing else.
struct CircularGuardTests {
    @Test func aLinkRedirectedInACircleChangesNothing() async throws {
        let log = LogCapture()
        try await withApp(CircleApp(), logger: log.logger) { server in
            let client = server.client()
            try await client.open("/start")
            let before = try await client.get("/route")
            let stream = try await client.follow()
            #expect(await stream.next()?.id == 1)
            for answer in try await [
                client.put("/route", json: ["path": "/here"]), client.put("/route", json: ["path": "/there"]),
                client.post("/events", json: ["event": "navigation.open", "payload": ["path": "/here"]]),
                server.client().post("/sessions", json: ["path": "/here"]),
            ] {
                #expect(answer.isProblem("internal-error", 500))
                for word in ["guard", "Guard", "circle", "Circle", "Coordinator"] {
                    #expect(!answer.text.contains(word), "\(word)")
                }
            }
            #expect(log.lines.contains { $0.contains("CircleCoordinator") })
            let after = try await client.get("/route")
            #expect(after.body == before.body)
            #expect(after.header("ETag") == before.header("ETag"))
            #expect(try await client.journal().events.count == 1)
            #expect(try await client.gauges().reduce(0, +) == 1)

            #expect(try await client.open("/end").path == "/end")
            #expect(await stream.next()?.id == 2)
        }
    }
}

private struct CircleApp: CoordinatedApp {
    let name = "Circle"
    let version = "1.0"
    let events = EventCatalog()
    let routes = RouteCatalog(CircleCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode { CircleCoordinator() }
}

private final class CircleCoordinator: ContainerCoordinator<ViewController>, HasRoutes, HasGuard {
    enum Route: DeclaredRoutes {
        case start, here, there, end

        static let declaration = RouteDeclaration<Self>(
            .route("start", .start), .route("here", .here), .route("there", .there), .route("end", .end))
    }

    var activeRoute: Route = .start

    func goTo(_ route: Route) { root(Coordinator<ViewController>(), for: route) }

    func decide(on route: Route) -> RouteDecision<Route> {
        switch route {
        case .here: .redirected(to: .there, parking: .untilGranted)
        case .there: .redirected(to: .here)
        case .start, .end: .granted
        }
    }
}
