import Coordinate
import CoordinateSessions
import CoordinateTesting
import Testing

/// A guard that grants a route until a time: its timer is in the journal, like any other.
struct GuardTimerTests {
    @Test func aGrantEndsInTimeAndInEveryReplay() async throws {
        let clock = TestClock()
        try await withServer(app: OfferApp(), clock: clock) { server in
            let client = server.client()
            #expect(try await client.open("/offer").path == "/offer")
            let pending = try await client.route().pending
            #expect(pending.map(\.name) == ["guard"])
            let forged = try await client.post("/events", json: ["event": "navigation.askGuards"])
            #expect(forged.isProblem("event-not-allowed", 422))

            let beginning = try await client.exportedJournal().prefix { $0 != UInt8(ascii: "\n") }
            let withheld = try await server.client(replaying: Array(beginning), work: .withheld)
            try await withheld.open("/offer")

            clock.advance(by: .seconds(60))
            let route = try await client.wait { $0.path == "/home" }
            #expect(route.pending.isEmpty)
            let last = try #require(try await client.journal().events.last)
            #expect(last.event == "navigation.askGuards")
            #expect(last.at == "OfferCoordinator")
            #expect(last.handledBy == "OfferCoordinator")
            let journal = try await client.exportedJournal()
            #expect(try OfferApp().replay(journal) == "/home")
            #expect(try await server.client(replaying: journal).route().path == "/home")

            // Where work is withheld, a client lets it end.
            #expect(try await withheld.route().path == "/offer")
            #expect(try await withheld.emit("navigation.askGuards", pending: "1-1").path == "/home")
        }
    }
}

private struct OfferApp: CoordinatedApp {
    let name = "Offer"
    let version = "1.0"
    let events = EventCatalog()
    let routes = RouteCatalog(OfferCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode { OfferCoordinator() }
}

private final class OfferCoordinator: ContainerCoordinator<ViewController>, HasRoutes, HasGuard {
    enum Route: DeclaredRoutes {
        case home
        case offer

        static let declaration = RouteDeclaration<Self>(.route("home", .home), .route("offer", .offer))
    }

    var activeRoute: Route = .home
    private var end = Timestamp(seconds: 0)

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        end = now + .seconds(60)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) { root(Coordinator<ViewController>(), for: route) }

    func decide(on route: Route) -> RouteDecision<Route> {
        switch route {
        case .offer where now < end: .granted(until: end)
        case .offer: .redirected(to: .home)
        case .home: .granted
        }
    }
}
