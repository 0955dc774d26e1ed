import Coordinate
import CoordinateExplore
import Testing

/// Whether actions and tabs lead to what they say they open.
struct LinkFindingTests {
    private func findings(_ fault: SignpostApp.Fault?, key: StateKey = .path) -> [Finding] {
        SignpostApp(fault: fault).explore(key: key).findings
    }

    /// A guard redirects the action and the link alike, and the selected tab is not a link to what it shows.
    @Test(arguments: StateKey.allCases) func linksThatLeadWhereTheySayAreNotFound(key: StateKey) {
        #expect(findings(nil, key: key).isEmpty)
    }

    static let faults: [(fault: SignpostApp.Fault, words: String, journal: [String])] = [
        (
            .otherAnimal,
            #""Lions" (zoo.go), which says that it opens /zoo/animal/bears, but leads to /zoo/animal/lions."#
                + " A link there leads to /zoo/animal/bears.",
            ["zoo.go"]
        ),
        (
            .unknownPath,
            #""Lions" (zoo.go), which says that it opens /aquarium, but leads to /zoo/animal/lions."#
                + " A link there leads to nowhere.",
            ["zoo.go"]
        ),
        (
            .guardedTwice,
            #""Tigers" (zoo.go), which says that it opens /zoo/animal/tigers, but leads to /zoo/animal/lions."#
                + " A link there leads to /gate.",
            ["zoo.go"]
        ),
        (
            .otherTab,
            #""Gate" (navigation.selectTab), which says that it opens /gate, but leads to /zoo."#
                + " A link there leads to /gate.",
            ["navigation.selectTab"]
        ),
        (
            .brokenLink,
            #""Lions" (zoo.go), which says that it opens /zoo/animal/sharks, but leads to /zoo/animal/lions."#
                + " A link there leads to a turn that fails (",
            ["zoo.go"]
        ),
        (
            .secondSignpost,
            #""Cats" (zoo.go), which says that it opens /zoo/animal/bears, but leads to /zoo/animal/lions."#
                + " A link there leads to /zoo/animal/bears.",
            ["zoo.go"]
        ),
    ]

    @Test(arguments: faults.indices) func aLinkThatLeadsElsewhereIsWrong(index: Int) throws {
        let (fault, words, journal) = Self.faults[index]
        let wrong = findings(fault).filter { $0.kind == .linkDiffers }
        let finding = try #require(wrong.first)
        #expect(finding.isWrong)
        #expect(finding.detail.contains("offers \(words)"), "\(finding.detail)")
        #expect(finding.detail.contains("Correct what the action opens, or change goTo(_:)."))
        #expect(finding.journal.map(\.event) == journal)
        #expect(finding.state == 0)
    }

    @Test func drawingsShowLinksAndDestructiveActions() {
        let graph = SignpostApp().explore(key: .path)
        #expect(graph.transitions.contains { $0.role == .destructive && $0.opens == nil })
        let mermaid = graph.mermaid.split(separator: "\n")
        #expect(mermaid.contains { $0.hasPrefix(#"    s0 -.->|"zoo.go<br>navigation.open"| s"#) })
        let arrows = mermaid.filter { $0.contains("->") }
        let red = arrows.firstIndex { $0.contains("zoo.close") }
        #expect(red != nil && mermaid.contains("    linkStyle \(red.map(String.init) ?? "") stroke:#c00"))
        let dot = graph.dot.split(separator: "\n")
        #expect(dot.contains { $0.contains(#"[label="zoo.go\nnavigation.open", style=dashed]"#) })
        #expect(dot.contains { $0.contains("zoo.close") && $0.hasSuffix(", color=red]") })
        #expect(dot.count { $0.contains("color=red") } == 1)
    }
}

/// Three tabs: a park with signposts, the zoo, and its gate, where those end who want to see the tigers.
struct SignpostApp: CoordinatedApp {
    enum Fault {
        /// The signpost to the lions opens the bears.
        case otherAnimal
        /// The signpost to the lions opens a path that the app does not have.
        case unknownPath
        /// The signpost to the tigers leads to the lions, though a guard refuses the tigers.
        case guardedTwice
        /// A tap on the gate's tab leads to the zoo.
        case otherTab
        /// The signpost to the lions opens a path at which the turn fails.
        case brokenLink
        /// A second signpost to the lions opens the bears.
        case secondSignpost
    }

    let name = "Signposts"
    let version = "1.0"
    let events = EventCatalog(ZooEvents.self)
    let routes = RouteCatalog(ParkCoordinator.Route.self)
    var fault: Fault?
    let samples = ["lions", "bears"].map { Sample.link("/zoo/animal/\($0)") }

    func makeRootCoordinator() -> CoordinatorNode { ParkCoordinator(fault) }
}

private enum ZooEvents: CoordinateEvents, DeclaredEvents, Equatable {
    case go(_ animal: String)
    case close

    static let declaration = EventDeclaration<Self>(
        "zoo", .event("go", Self.go, "animal") { if case .go(let animal) = $0 { animal } else { nil } },
        .event("close", .close))
}

private final class ParkCoordinator: TabBarCoordinator<TabBarController>, HasRoutes, HasGuard {
    enum Route: DeclaredRoutes {
        case park
        case zoo(ZooCoordinator.Route?)
        case gate

        static let declaration = RouteDeclaration<Self>(
            .route("park", .park),
            .nested("zoo", Self.zoo) { if case .zoo(let route) = $0 { route } else { nil } },
            .route("gate", .gate))
    }

    var activeRoute = Route.park
    private let fault: SignpostApp.Fault?
    private let park = Coordinator<SignpostViewController>()
    private let zoo = ZooCoordinator()
    private let gate = Coordinator<ViewController>()

    init(_ fault: SignpostApp.Fault?) {
        self.fault = fault
        super.init()
        park.rootViewController.fault = fault
        (park.rootViewController.title, gate.rootViewController.title) = ("Park", "Gate")
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([(park, .park), (zoo, .zoo(nil)), (gate, .gate)])
    }

    func decide(on route: Route) -> RouteDecision<Route> {
        if case .zoo(.animal("tigers")) = route { .redirected(to: .gate) } else { .granted }
    }

    func goTo(_ route: Route) {
        switch route {
        case .park: select(park)
        case .zoo(let route):
            if case .animal("sharks") = route { return fail(with: NoSharks()) }
            select(zoo, at: route)
        case .gate: select(gate)
        }
    }

    override func tabTapped(for coordinator: any Coordinating) {
        select(fault == .otherTab && coordinator === gate ? zoo : coordinator)
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case ZooEvents.go(let animal):
            navigate(to: .zoo(.animal(animal == "tigers" && fault == .guardedTwice ? "lions" : animal)))
        case ZooEvents.close: select(gate)
        default: return false
        }
        return true
    }
}

private struct NoSharks: Error {}

private final class SignpostViewController: ViewController {
    var fault: SignpostApp.Fault?

    override var actions: [Action] {
        let lions =
            switch fault {
            case .otherAnimal: "/zoo/animal/bears"
            case .unknownPath: "/aquarium"
            case .brokenLink: "/zoo/animal/sharks"
            default: "/zoo/animal/lions"
            }
        return [
            Action(title: "Lions", event: ZooEvents.go("lions"), opens: lions),
            Action(title: "Tigers", event: ZooEvents.go("tigers"), opens: "/zoo/animal/tigers"),
        ]
            + (fault == .secondSignpost
                ? [Action(title: "Cats", event: ZooEvents.go("lions"), opens: "/zoo/animal/bears")] : [])
    }
}

private final class ZooCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case list
        case animal(_ name: String)

        static let declaration = RouteDeclaration<Self>(
            .route("", .list),
            .route("animal/{animal}", Self.animal) { if case .animal(let name) = $0 { name } else { nil } })
    }

    var activeRoute = Route.list
    private let list = Coordinator<ZooViewController>()

    func goTo(_ route: Route) {
        root(list, for: .list)
        guard case .animal(let name) = route else { return }
        let animal = Coordinator<ViewController>()
        animal.rootViewController.title = name
        show(animal, for: route)
    }
}

private final class ZooViewController: ViewController {
    override var actions: [Action] { [Action(title: "Close", event: ZooEvents.close, role: .destructive)] }
}
