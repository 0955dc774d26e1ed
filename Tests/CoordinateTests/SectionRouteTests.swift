import Coordinate
import Testing

/// A stack whose route says what was last pushed on it, so that each entry remembers one.
private final class RoutedStack: Stack, HasRoutes {
    enum Route: DeclaredRoutes {
        case none
        case at(String)

        static let declaration = RouteDeclaration<Self>(
            .route("", .none),
            .route("at/{name}", Self.at) { if case .at(let name) = $0 { name } else { nil } }
        )
    }

    var activeRoute: Route = .none

    func goTo(_ route: Route) {
        if case .at(let name) = route { show(Leaf(name), sender: self) }
        activeRoute = route
    }
}

/// The routes that entries of a shared stack remember.
struct SectionRouteTests {
    @Test func aRouteOutlivesWhatLeavesTheMiddle() {
        let stack = RoutedStack("Stack")
        stack.start()
        for name in ["A", "B", "C", "D"] { stack.goTo(.at(name)) }
        stack.getCached(Leaf.self, identifier: "B")?.stop()
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/C", "/at/D"])
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(stack.activeRoute == .at("C"))
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(stack.activeRoute == .at("A"))
    }

    @Test func aRouteIsRestoredWhenASectionLeavesTheTopAndTheMiddle() throws {
        let stack = RoutedStack("Stack")
        stack.start()
        for name in ["A", "B"] { stack.goTo(.at(name)) }
        let section = SectionedNavigationController(for: try #require(stack.getCached(Leaf.self, identifier: "B")))
        section.push(Leaf("B2"))
        stack.activeRoute = .at("B2")
        stack.goTo(.at("C"))
        section.push(Leaf("B3"))
        stack.activeRoute = .at("B3")
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/B", "/at/B2", "/at/C", "/at/B3"])
        section.popToSectionRoot()
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/B", "/at/C"])
        #expect(stack.activeRoute == .at("C"))
        section.popSection()
        #expect(stack.navigationState.breadcrumbs.map(\.path) == ["/at/A", "/at/C"])
        stack.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(stack.activeRoute == .at("A"))
    }
}
