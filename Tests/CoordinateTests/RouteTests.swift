import Coordinate
import Testing

struct RouteTests {
    private let library = Library()

    init() throws {
        let library = library
        try library.turn { library.start() }
    }

    @Test func thePathIsTheActiveRoutesFromTheRootToTheLeaf() {
        #expect(library.navigationState.path == "/left")
        library.left.push(.item(3))
        #expect(library.navigationState.path == "/left/item/3")
        #expect(library.navigationState.leaf == "Library/Left/Item 3")
        #expect(library.navigationState.tree.route?.description == "left")
        #expect(library.navigationState.tree.children.map(\.route?.description) == ["item/3", nil, nil])
    }

    @Test func backRestoresTheRouteOfTheScreenGoneBackTo() {
        library.left.push(.item(1))
        library.left.push(.item(2))
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.left.activeRoute == .item(1))
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.left.activeRoute == .list)
        #expect(library.navigationState.path == "/left")
    }

    @Test func breadcrumbsAreTheVisibleStackAndItsModals() {
        library.left.push(.item(1))
        library.left.push(.item(2))
        library.left.present(Leaf("Settings"), animated: false)
        let state = library.navigationState
        #expect(state.breadcrumbs.map(\.title) == ["List", "Item 1", "Item 2", "Settings"])
        #expect(
            state.breadcrumbs.map(\.path) == ["/left", "/left/item/1", "/left/item/2", "/left/item/2"])
        #expect(state.path == "/left/item/2")
        #expect(state.dismiss?.event == "navigation.dismiss")
        #expect(state.dismiss?.title == "Close")
        #expect(state.back == nil)
        #expect(state.tabs.isEmpty)
    }

    @Test func aRouteIsRestoredWhenASectionLeavesTheTopAndTheMiddle() throws {
        let shelf = library.left
        for number in 1...2 { shelf.push(.item(number)) }
        let owner = try #require(shelf.getCached(Leaf.self, identifier: "Item 2"))
        let section = SectionedNavigationController(for: owner)
        section.push(Leaf("Item 20"))
        shelf.activeRoute = .item(20)
        shelf.push(.item(3))
        section.push(Leaf("Item 30"))
        shelf.activeRoute = .item(30)
        #expect(items == ["1", "2", "20", "3", "30"])
        section.popToSectionRoot()
        #expect(items == ["1", "2", "3"])
        #expect(shelf.activeRoute == .item(3))
        section.popSection()
        #expect(items == ["1", "3"])
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(shelf.activeRoute == .item(1))
    }

    private var items: [String] {
        library.navigationState.breadcrumbs.dropFirst().map { String($0.path.trimmingPrefix("/left/item/")) }
    }

    // MARK: Redirects on the way

    @Test func aRedirectInsideStartLeavesItsOwnRouteActive() throws {
        let shelf = library.left
        let list = Leaf("Redirecting")
        list.probe.onStart = { [unowned shelf] in shelf.push(.item(1)) }
        try library.turn {
            shelf.root(list)
            shelf.activeRoute = .list
        }
        #expect(library.navigationState.breadcrumbs.map(\.path) == ["/left", "/left/item/1"])
        library.visibleLeaf.emitEvent(NavigationEvents.back)
        #expect(library.path == "/left")
    }
}
