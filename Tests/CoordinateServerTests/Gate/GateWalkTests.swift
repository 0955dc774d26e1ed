import CoordinateSessions
import CoordinateTesting
import SeededGenerator
import SessionFixtures
import Testing

/// A walk that performs offered actions and opens links, with parked links, alerts and results on the way.
struct GateWalkTests {
    private static let steps = 200
    private static let links = ["/home", "/login", "/form", "/orders", "/orders/17", "/orders/18", "/checkout"]

    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyActionIsHandledAndCanBeReplayed(seed: UInt64) async throws {
        try await withApp(GateApp()) { server in
            let client = server.client()
            var generator = SeededGenerator(state: seed)
            var routes = [try await client.route()]
            for step in 1...Self.steps {
                let route = routes[step - 1]
                let link = Self.links.randomElement(using: &generator)
                let action = try #require(route.offeredActions.randomElement(using: &generator))
                let outcome =
                    if let link, step.isMultiple(of: 4) {
                        try await client.open(link)
                    } else if action.event == "form.change" {
                        try await client.emit(action.event, ["text": "Note \(step)"])
                    } else {
                        try await client.emit(action)
                    }
                #expect(outcome.handled, "\(outcome.event) at \(route.path)")
                let next = try #require(outcome.route)
                check(next)
                routes.append(next)
            }
            #expect(Set(routes.compactMap(\.parked?.path)).count > 1)
            #expect(routes.contains { $0.screen.name == "Alert" })
            #expect(Set(routes.map(\.path)).isSuperset(of: Self.links))

            for version in stride(from: 0, through: Self.steps, by: 20) {
                #expect(try await client.route(at: version) == routes[version])
                let fork = try await client.fork(at: version)
                let path = routes[version].path
                #expect(try await fork.open(path).path == path)
                #expect(try await fork.route().tree == routes[version].tree)
            }
            let journal = try await client.exportedJournal()
            #expect(try GateApp().replay(journal) == routes[Self.steps].path)
            let copy = try await server.client(replaying: journal).route()
            #expect(copy.tree == routes[Self.steps].tree)
            #expect(copy.parked == routes[Self.steps].parked)
        }
    }

    /// Checks what must hold in every state.
    private func check(_ route: Document.Route) {
        #expect(route.breadcrumbs.last?.path == route.path)
        #expect(route.breadcrumbs.last?.title == route.screen.title)
        #expect(route.tree.route.map { "/\($0)" } == route.path)
        #expect(Self.links.contains(route.path) || route.path.hasPrefix("/orders/"))
        #expect((route.screen.name == "Alert") == route.leaf.hasSuffix("/AlertCoordinator"))
        if let parked = route.parked {
            #expect(parked.path != route.path)
            #expect(!route.path.hasPrefix("/orders") && route.path != "/checkout")
        }
    }
}
