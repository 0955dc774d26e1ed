import Coordinate
import Testing

private struct Services: AppDependenciesProtocol { var name = "first" }

private final class Home: ContainerCoordinator<ViewController>, HasDependencies { var dependencies: Services? }

private final class GreetingViewController: ViewController, NeedsDependencies {
    var dependencies: Services!
    var greeting = "Hello"

    override var currentTitle: String? { "\(greeting), \(dependencies.name)" }
}

private final class GreetingCoordinator: Coordinator<GreetingViewController> {}

private final class NeedyCoordinator: Coordinator<ViewController>, NeedsDependencies {
    var dependencies: Services!

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.title = dependencies.name
    }
}

private final class OrderViewController: ViewController, HasArgument {
    var argument: Int!

    override var currentTitle: String? { "Order \(argument!)" }
}

private final class OrderCoordinator: ArgumentCoordinator<OrderViewController> {}

/// A stack without an override of its start.
private final class Shelf: NavigationCoordinator<NavigationController>, HasGuard {
    enum Route: Equatable {
        case list
        case item(Int)
        case locked
    }

    var activeRoute = Route.list
    private(set) var routes: [Route] = []
    private let list = NoteCoordinator()

    func goTo(_ route: Route) {
        routes.append(route)
        root(list, for: .list)
        if route != .list { show(NoteCoordinator(), for: route) }
    }

    func decide(on route: Route) -> RouteDecision<Route> { route == .locked ? .redirected(to: .item(7)) : .granted }
}

private final class NoteCoordinator: Coordinator<ViewController> {}

private final class Pile: NavigationCoordinator<NavigationController> {}

/// A tab bar whose second tab lacks something.
private final class NeedyTabs: TabBarCoordinator<TabBarController> {
    var second: @Sendable () -> CoordinatorNode = { NeedyCoordinator() }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([Home(), second()])
    }
}

/// What an app does not have to write itself: dependencies of screens, computed titles, screens of one thing.
struct LessToWriteTests {
    private let home = Home()

    init() throws {
        home.setDependencies(dependencies: Services())
        try home.turn { home.start() }
    }

    @Test func aScreenGetsDependenciesThatChangeLater() throws {
        try home.turn { home.root(GreetingCoordinator()) }
        home.setDependencies(dependencies: Services(name: "second"))
        #expect(home.navigationState.screen.title == "Hello, second")
    }

    @Test func aContainerWithRoutesStartsAtItsActiveRoute() throws {
        let shelf = Shelf()
        try shelf.turn { shelf.start() }
        #expect(shelf.routes == [.list])
        #expect(shelf.topCoordinator is NoteCoordinator)
    }

    @Test(arguments: [(Shelf.Route.item(3), Shelf.Route.item(3)), (.locked, .item(7))])
    fileprivate func itStartsAtTheRouteThatItsParentChose(_ route: Shelf.Route, _ shown: Shelf.Route) throws {
        let shelf = Shelf()
        shelf.goToOnceStarted(route)
        try home.turn { home.root(shelf) }
        #expect(shelf.routes == [shown])
        #expect(shelf.activeRoute == shown)
        #expect(shelf.rootViewController.viewControllers.count == 2)
        #expect(shelf.diagnostics.isEmpty)
    }

    @Test func itStaysWhereItsStartOrItsParentLed() throws {
        let shelf = Shelf()
        try home.turn {
            home.root(shelf)
            shelf.goTo(.item(5))
        }
        #expect(shelf.routes == [.item(5)])
    }

    @Test func aComputedTitleIsOnTheBackButtonAndTheTab() throws {
        let stack = Pile()
        let tabs = TabBarCoordinator<TabBarController>()
        try home.turn {
            home.root(tabs)
            tabs.setCoordinators([GreetingCoordinator(), stack])
            tabs.select(stack)
            stack.root(GreetingCoordinator { $0.greeting = "Below" })
            stack.show(GreetingCoordinator(), sender: nil)
        }
        #expect(home.navigationState.back?.title == "Below, first")
        #expect(home.navigationState.tabs.first?.title == "Hello, first")
    }

    @Test func aScreenWithoutItsArgumentFailsTheTurn() {
        final class Careless: Coordinator<OrderViewController> {}
        let missing = Diagnostic.argumentMissing(screen: "Order", coordinator: "Home/Careless")
        #expect(throws: missing) { try home.turn { home.root(Careless()) } }
    }

    @Test func aCoordinatorHasWhatItNeedsWhenItStarts() throws {
        try home.turn { home.root(NeedyCoordinator()) }
        #expect(home.navigationState.screen.title == "first")
    }

    @Test(arguments: [{ NeedyCoordinator() }, { GreetingCoordinator() }] as [@Sendable () -> CoordinatorNode])
    func aCoordinatorWithoutWhatItNeedsFailsTheTurn(_ needy: @Sendable () -> CoordinatorNode) throws {
        let stack = Pile()
        try stack.turn { stack.start() }
        let error = #expect(throws: Diagnostic.self) { try stack.turn { stack.root(needy()) } }
        #expect(error?.description.contains("needs dependencies of type Services") == true)
    }

    private static let needy: [(make: @Sendable () -> CoordinatorNode, fault: String)] = [
        ({ NeedyCoordinator() }, "needs dependencies of type Services"),
        ({ GreetingCoordinator() }, "needs dependencies of type Services"),
        ({ Coordinator<OrderViewController>() }, "without an argument"),
    ]

    @Test(arguments: needy.indices) func aTabWithoutWhatItNeedsIsAFaultAndIsShownByItsName(index: Int) throws {
        let (makeTab, fault) = Self.needy[index]
        let app = RootedApp {
            let tabs = NeedyTabs()
            tabs.second = makeTab
            return tabs
        }
        #expect(app.faults.count == 1)
        #expect(app.faults.first?.contains(fault) == true)

        let tabs = app.makeRootCoordinator()
        try tabs.turn { tabs.start() }
        let shown = tabs.navigationState.tabs
        #expect(shown.map(\.title) == ["ViewController", makeTab().getRootViewController().name])
        let name = try #require(shown[1].action.payload[field: "tab"]?.string)
        #expect(throws: Diagnostic.self) {
            try tabs.turn { tabs.visibleLeaf.getRootViewController().emitEvent(NavigationEvents.selectTab(name)) }
        }
        #expect(tabs.navigationState.tabs.count == 2)
    }

    @Test func aRootWithoutWhatItNeedsIsAFault() {
        let missing = Diagnostic.dependenciesMissing(of: "NeedyCoordinator", expected: "Services")
        #expect(RootedApp { NeedyCoordinator() }.faults == ["\(missing)"])
        let argument = RootedApp { Coordinator<OrderViewController>() }.faults
        #expect(argument.count == 1)
        #expect(argument.first?.contains("was created without an argument for its screen Order") == true)
    }
}

private enum DoorEvents: CoordinateEvents, DeclaredEvents, Equatable {
    case open(_ code: String, times: Int)
    case ring
    case look

    static let declaration = EventDeclaration<Self>(
        "door",
        .event("open", Self.open, "code", "times") {
            if case .open(let code, let times) = $0 { (code, times) } else { nil }
        },
        .event("ring", .ring), .event("look", .look))
}

private final class DoorViewController: ViewController {
    override var rows: [Screen.Row] {
        ["Front", "Back"].map { door in
            Screen.Row(
                id: door.lowercased(), title: door,
                actions: [Action(title: "Knock", event: DoorEvents.open(door, times: 1))])
        } + [Screen.Row(id: "bell", title: "Bell", action: Action(title: "Ring", event: DoorEvents.ring))]
    }

    override var actions: [Action] {
        [
            Action(title: "Open", event: DoorEvents.open("", times: 1), inputs: [.init("code", title: "Code")]),
            Action(title: "Look", event: DoorEvents.look),
        ]
    }
}

private final class DoorCoordinator: Coordinator<DoorViewController> {
    var opened: [String] = []

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case DoorEvents.open(let code, let times): opened.append("\(code) \(times)")
        case DoorEvents.ring: opened.append("ring")
        default: return false
        }
        return true
    }
}

/// Buttons that a test presses by their titles.
struct PressTests {
    private let door = DoorCoordinator()

    init() throws { try door.turn { door.start() } }

    @Test func aButtonIsPressedByItsTitle() throws {
        #expect(try door.press("Ring").handledBy == "DoorCoordinator")
        #expect(door.opened == ["ring"])
    }

    @Test(arguments: ["front", "Front"]) func aButtonOfARowIsPressed(_ row: String) throws {
        try door.press("Knock", inRow: row)
        #expect(door.opened == ["Front 1"])
    }

    @Test func aFormIsFilledIn() throws {
        try door.press("Open", entering: ["code": "1234"])
        #expect(door.opened == ["1234 1"])
    }

    @Test func aPressThatIsNotPossibleSaysWhatIs() {
        let titles = ["Knock", "Knock", "Ring", "Open", "Look"]
        #expect(throws: PressFailure.notOffered("Close", path: "/", offered: titles)) { try door.press("Close") }
        #expect(throws: PressFailure.notOffered("Ring", path: "/", offered: ["Knock"])) {
            try door.press("Ring", inRow: "Back")
        }
        #expect(throws: PressFailure.noSuchRow("Roof", path: "/", rows: ["Front", "Back", "Bell"])) {
            try door.press("Ring", inRow: "Roof")
        }
        #expect(throws: PressFailure.ambiguous("Knock", path: "/", events: ["door.open", "door.open"])) {
            try door.press("Knock")
        }
        #expect(throws: PressFailure.noSuchInput("zip", event: "door.open", known: ["code"])) {
            try door.press("Open", entering: ["zip": "8001"])
        }
        #expect(throws: PressFailure.invalidValue(event: "door.open", problem: "code must be a string")) {
            try door.press("Open", entering: ["code": 1])
        }
        #expect(throws: PressFailure.notHandled("Look", event: "door.look", path: "/")) { try door.press("Look") }
        #expect(door.opened.isEmpty)
    }

    @Test func backAndATabWithItsTitleAreToldApartByTheirEvents() throws {
        final class Entry: Coordinator<ViewController> {}
        let stack = Pile()
        let tabs = TabBarCoordinator<TabBarController>()
        try tabs.turn {
            tabs.start()
            stack.rootViewController.tabBarItem.title = "Notes"
            tabs.setCoordinators([stack])
            stack.root(Entry { $0.title = "Notes" })
            stack.show(Entry { $0.title = "Buy milk" }, sender: nil)
        }
        let error = #expect(throws: PressFailure.self) { try tabs.press("Notes") }
        #expect(
            error?.description == "2 actions at / have the title \"Notes\": navigation.back, navigation.selectTab. "
                + "Name the event, too.")
        try tabs.press("Notes", event: "navigation.back")
        #expect(tabs.navigationState.screen.title == "Notes")
    }
}
