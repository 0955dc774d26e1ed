import Coordinate
import Testing

/// A route belongs to what is shown.
struct ShownRouteTests {
    private let shop = TwoShelves.Shelf("Shop")

    init() throws {
        try shop.turn { [shop] in shop.start() }
    }

    private var crumbs: [String] { shop.navigationState.breadcrumbs.map(\.path) }

    @Test func aStackThatChangesUnderAModalLeavesThePathThatOfTheModal() {
        shop.goTo(.edit)
        #expect(shop.path == "/edit")
        shop.show(Leaf("Item 1"), for: .item(1))
        #expect(shop.path == "/edit")
        #expect(crumbs == ["/", "/item/1", "/edit"])
        shop.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(shop.path == "/item/1")
        #expect(crumbs == ["/", "/item/1"])
    }

    @Test func somethingShownWithoutARouteHasTheOneBelow() {
        shop.show(Leaf("Item 1"), for: .item(1))
        shop.show(Leaf("Help"), sender: nil)
        #expect(crumbs == ["/", "/item/1", "/item/1"])
        shop.getCached(Leaf.self, identifier: "Item 1")?.stop()
        #expect(shop.path == "/")
        #expect(crumbs == ["/", "/"])
    }

    @Test func aModalOnTopOfAnothersModalIsWhereItsOwnerSays() throws {
        let house = TwoShelves("House")
        try house.turn { house.start() }
        house.goTo(.left(.edit))
        house.goTo(.help)
        #expect(house.path == "/help")
        #expect(house.navigationState.breadcrumbs.map(\.path) == ["/left", "/left/edit", "/help"])
        house.left.present(Leaf("Edit"), for: .edit)
        #expect(house.path == "/left/edit")
        #expect(house.activeRoute == .left(nil))
        house.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(house.activeRoute == .help)
    }

    @Test func aRouteSetBeforeSomethingIsShownBelongsToWhatWasThere() throws {
        try shop.turn {
            shop.activeRoute = .item(9)
            shop.show(Leaf("Item 8"), sender: nil)
        }
        shop.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(shop.path == "/item/9")
    }

    @Test func aRequestThatWaitsKeepsItsOwnRoute() throws {
        let first = Leaf("First")
        first.probe.onStart = { [unowned shop] in
            shop.show(Leaf("Item 7"), for: .item(7))
            shop.activeRoute = .item(8)
        }
        try shop.turn { shop.show(first, sender: nil) }
        #expect(shop.path == "/item/7")
    }

    @Test func anEntryOfASectionIsShownForARouteOfTheStack() {
        let section = SectionedNavigationController(for: shop.list)
        section.push(Leaf("Item 6"), for: TwoShelves.Shelf.Route.item(6))
        #expect(shop.activeRoute == .item(6))
        section.push(Leaf("Other"), for: TwoShelves.Route.help)
        #expect(shop.visibleLeaf.identifier == "Other")
        #expect(shop.path == "/item/6")
        #expect(crumbs == ["/", "/item/6", "/item/6"])
    }
}
