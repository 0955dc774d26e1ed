import Coordinate
import Testing

/// A coordinator that is led to another route while it is on its way to one is where it was led to.
struct RedirectedRouteTests {
    private final class Wizard: Stack, HasRoutes {
        enum Route: DeclaredRoutes {
            case list
            case item(Int)

            static let declaration = RouteDeclaration<Self>(
                .route("list", .list),
                .route("item/{item}", Self.item) { if case .item(let number) = $0 { number } else { nil } }
            )
        }

        var activeRoute: Route = .list
        let list = Leaf("List")

        func goTo(_ route: Route) {
            switch route {
            case .list: root(list)
            case .item(let number): show(Leaf("Item \(number)"), sender: self)
            }
            activeRoute = route
        }
    }

    @Test func aRedirectInsideStartLeavesItsOwnRouteActive() throws {
        let wizard = Wizard("Wizard")
        wizard.list.probe.onStart = { [unowned wizard] in wizard.goTo(.item(1)) }
        try wizard.turn {
            wizard.start()
            wizard.goTo(.list)
        }
        #expect(wizard.visibleLeaf.id == "Wizard/Item 1")
        #expect(wizard.path == "/item/1")
        #expect(wizard.navigationState.breadcrumbs.map(\.path) == ["/list", "/item/1"])
        wizard.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(wizard.path == "/list")
    }

    private final class Gate: Box, HasRoutes {
        enum Route: DeclaredRoutes {
            case home
            case login

            static let declaration = RouteDeclaration<Self>(.route("home", .home), .route("login", .login))
        }

        var activeRoute: Route = .home
        let home = Leaf("Home")

        func goTo(_ route: Route) {
            root(route == .home ? home : Leaf("Login"))
            activeRoute = route
        }
    }

    @Test func aContainerLedElsewhereIsThere() throws {
        let gate = Gate("Gate")
        gate.home.probe.onStart = { [unowned gate] in gate.goTo(.login) }
        try gate.turn {
            gate.start()
            gate.goTo(.home)
        }
        #expect(gate.visibleLeaf.id == "Gate/Login")
        #expect(gate.path == "/login")
    }
}
