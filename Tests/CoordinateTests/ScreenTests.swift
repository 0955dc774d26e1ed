import Coordinate
import Testing

/// What a screen shows besides its title, and what it leaves out, with a diagnostic.
struct ScreenTests {
    private func state(_ change: (ShelfViewController) -> Void) -> NavigationState {
        let shelf = Coordinator<ShelfViewController>()
        change(shelf.rootViewController)
        shelf.start()
        return shelf.navigationState
    }

    // MARK: Sections

    private static let sections = ["fiction", "maps"].map { Screen.Section(id: $0, title: $0, footer: "All \($0).") }

    @Test(
        arguments: [
            ([], []),
            (["maps"], [0]),
            ([nil, "fiction", "maps"], [0, 1, 2]),
            (["maps", "fiction", nil], [2, 1, 0]),
            (["maps", "fiction", "maps", nil, "fiction", nil], [3, 5, 1, 4, 0, 2]),
        ] as [([String?], [Int])])
    func rowsAreInTheOrderOfTheSections(of rows: [String?], order: [Int]) {
        let state = state {
            $0.shownSections = Self.sections
            $0.shownRows = rows.enumerated().map { Screen.Row(id: "\($0)", title: "Book", section: $1) }
        }
        #expect(state.screen.sections == Self.sections)
        #expect(state.screen.rows.map(\.id) == order.map(String.init))
        #expect(state.screen.rows.map(\.section) == order.map { rows[$0] })
        #expect(state.diagnostics.isEmpty)
    }

    @Test func ofSectionsWithOneIDTheFirstIsShown() {
        let state = state {
            $0.shownSections = [.init(id: "a", title: "One"), .init(id: "b"), .init(id: "a", title: "Two")]
            $0.shownRows = [.init(id: "1", title: "Book", section: "b"), .init(id: "2", title: "Map", section: "a")]
        }
        #expect(state.screen.sections == [.init(id: "a", title: "One"), .init(id: "b")])
        #expect(state.screen.rows.map(\.id) == ["2", "1"])
        #expect(state.diagnostics == [.sectionsAlike(screen: "Shelf", id: "a")])
        #expect(state.diagnostics.first?.isFailure == false)
    }

    @Test func aRowOfNoKnownSectionIsShownAboveTheSections() {
        let state = state {
            $0.shownSections = Self.sections
            $0.shownRows = [
                .init(id: "1", title: "Book", section: "fiction"), .init(id: "2", title: "Map", section: "mpas"),
            ]
        }
        #expect(state.screen.rows.map(\.id) == ["2", "1"])
        #expect(state.screen.rows.map(\.section) == [nil, "fiction"])
        #expect(state.diagnostics == [.noSuchSection("mpas", screen: "Shelf", row: "2")])
        #expect(state.diagnostics.first?.isFailure == false)
    }

    // MARK: Addresses

    static let addresses: [(address: String, isOfHost: Bool)] = [
        ("/images/map.svg", true), ("/", true), ("/a?b=c", true), ("/%20", true), ("", false),
        ("images/map.svg", false),
        ("//host/map.svg", false), ("/\\host/map.svg", false), ("\\\\host", false), ("https://host/map.svg", false),
        ("javascript:alert(1)", false), ("/a b", false), ("/a\nb", false), ("/\t/host", false), ("/\u{7F}", false),
    ]

    @Test(arguments: addresses) func anImageIsAFileOfTheHost(address: String, isOfHost: Bool) {
        let image = Image(file: address, alt: "A map")
        let tabs = TabBarCoordinator<TabBarController>()
        tabs.start()
        let shelf = Coordinator<ShelfViewController>()
        shelf.rootViewController.shownRows = [.init(id: "1", title: "Map", image: image)]
        shelf.rootViewController.tabBarItem = TabBarItem(title: "Maps", image: image, tag: 0)
        tabs.setCoordinators([shelf])
        let state = tabs.navigationState
        #expect(state.screen.rows.map(\.image) == [isOfHost ? image : nil])
        #expect(state.tabs.map(\.image) == [isOfHost ? image : nil])
        let expected = ["Maps", "Map"].map { Diagnostic.invalidAddress(address, screen: "Shelf", of: $0) }
        #expect(state.diagnostics == (isOfHost ? [] : expected))
    }

    @Test func anImageHasOneOfThreeSources() {
        let images = [
            Image(file: "/map.svg", alt: "A map"), Image(symbol: "map", color: 0xE8002D),
            Image(letters: "LHAM", alt: "L"),
        ]
        #expect(images.map(\.file) == ["/map.svg", nil, nil])
        #expect(images.map(\.symbol) == [nil, "map", nil])
        #expect(images.map(\.letters) == [nil, nil, "LHA"])
        #expect(images.map(\.color) == [nil, 0xE8002D, nil])
        #expect(images.map(\.alt) == ["A map", "", "L"])
        #expect(Set(images + images).count == 3)
        #expect(Image(symbol: "map", color: 0xFF_E8002D) == images[1])
        #expect(Image(named: "map") == Image(symbol: "map"))
    }

    // MARK: Actions

    @Test(arguments: addresses) func anActionOpensAPathOfTheApp(address: String, isOfHost: Bool) {
        let action = Action(title: "Map", event: ShelfEvents.open("map"), role: .primary, opens: address)
        let state = state {
            $0.shownActions = [action]
            $0.shownRows = [.init(id: "1", title: "Map", action: action, delete: action, actions: [action])]
        }
        let shown = Action(
            title: "Map", event: ShelfEvents.open("map"), role: .primary, opens: isOfHost ? address : nil)
        #expect(state.screen.actions == [shown])
        #expect(state.screen.rows == [.init(id: "1", title: "Map", action: shown, delete: shown, actions: [shown])])
        let expected = Diagnostic.invalidAddress(address, screen: "Shelf", of: "Map")
        #expect(state.diagnostics == (isOfHost ? [] : Array(repeating: expected, count: 4)))
    }

    @Test func theChoicesOfAnAlertHaveRoles() {
        let shelf = Coordinator<ShelfViewController>()
        shelf.start()
        let save = Alert.Choice("save", title: "Save", leaves: true, role: .primary)
        shelf.present(
            Alert(title: "Leave?", choices: [.discard("Discard"), .stay("Stay"), save, .init("help", title: "Help")]))
        let actions = shelf.navigationState.screen.actions
        #expect(actions.map(\.title) == ["Discard", "Stay", "Save", "Help"])
        #expect(actions.map(\.role) == [.destructive, .cancel, .primary, nil])
        #expect(actions.map(\.opens) == [nil, nil, nil, nil])
    }

    // MARK: Content

    @Test func theContentOfAScreenIsAPlainValue() {
        let chart = Coordinator<ChartViewController>()
        chart.start()
        #expect(chart.navigationState.screen.content == .null)
        chart.rootViewController.content = Chart(name: "Price", points: [1, 2])
        #expect(
            chart.navigationState.screen.content
                == .object([
                    PlainField("name", .string("Price")), PlainField("points", .array([.int(1), .int(2)])),
                ]))
        #expect(state { _ in }.screen.content == .null)
        let dial = Coordinator<SmallDialViewController>()
        dial.start()
        #expect(dial.navigationState.screen.content == .int(7))
    }
}

private enum ShelfEvents: CoordinateEvents, DeclaredEvents, Equatable {
    case open(_ book: String)

    static let declaration = EventDeclaration<Self>(
        "shelf", .event("open", Self.open, "book") { if case .open(let book) = $0 { book } else { nil } })
}

private final class ShelfViewController: ViewController {
    var shownSections: [Screen.Section] = []
    var shownRows: [Screen.Row] = []
    var shownActions: [Action] = []
    var shownText: String?

    override var sections: [Screen.Section] { shownSections }
    override var rows: [Screen.Row] { shownRows }
    override var actions: [Action] { shownActions }
    override var emptyText: String? { shownText }
}

private struct Chart: PlainObject, Equatable {
    var name = ""
    var points: [Int] = []

    static let declaration = ObjectDeclaration(Chart.init, .field("name", \.name), .field("points", \.points))
}

private final class ChartViewController: ViewController, HasContent {
    var content: Chart?
}

private class DialViewController: ViewController, HasContent {
    var content: Int { 7 }
}

private final class SmallDialViewController: DialViewController {}
