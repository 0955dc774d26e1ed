import Coordinate
import Testing

/// The path that a tap on a tab opens: a link to it leads to the same screen.
struct TabLinkTests {
    private let desk = TwoShelves("Desk")
    private var links: [String?] { desk.navigationState.tabs.map(\.action.opens) }

    private func go(_ routes: TwoShelves.Route...) throws {
        for route in routes { try desk.turn { desk.goTo(route) } }
    }

    init() throws {
        try desk.turn { [desk] in desk.start() }
    }

    @Test func aTabThatIsNotStartedOpensItsRoute() {
        #expect(links == ["/left", "/right"])
    }

    @Test func theSelectedTabOpensItsFirstScreen() throws {
        try go(.left(.item(1)))
        #expect(desk.path == "/left/item/1")
        #expect(links == ["/left", "/right"])
    }

    @Test(arguments: [[], [TwoShelves.Route.right(nil)], [.left(.item(1)), .right(.item(2))]])
    func aLinkLeadsWhereTheTapLeads(routes: [TwoShelves.Route]) throws {
        for route in routes { try go(route) }
        let other = TwoShelves("Desk")
        try other.turn {
            other.start()
            for route in routes { other.goTo(route) }
        }
        let tab = try #require(desk.navigationState.tabs.first { !$0.isSelected })
        let path = try #require(tab.action.opens)
        #expect(desk.rootViewController.press(tab.action).isHandled)
        #expect(other.visibleLeaf.emitEvent(NavigationEvents.open(path)).isHandled)
        #expect(desk.navigationState.leaf == other.navigationState.leaf)
        #expect(desk.path == path && other.path == path)
    }

    /// The path of a modal need not be below that of the screen that presents it.
    @Test func aTabWithAModalOpensNothing() throws {
        try go(.left(.edit), .right(nil))
        #expect(links == [nil, "/right"])
    }

    @Test func tabsWithoutRoutesOpenNothing() {
        let (tabs, leaves) = Tabs.started("A", "B")
        #expect(tabs.navigationState.tabs.map(\.action.opens) == [nil, nil])
        tabs.select(leaves[1])
        #expect(tabs.navigationState.tabs.map(\.action.opens) == [nil, nil])
    }
}
