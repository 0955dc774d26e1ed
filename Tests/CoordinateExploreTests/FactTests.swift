import Coordinate
import CoordinateExplore
import JSON
import Testing

/// What no screen shows, and facts that an app declares about it.
struct FactTests {
    private let facts: Set<DeskApp.Fact> = [.account, .percent]

    @Test(arguments: StateKey.allCases)
    func pathsBehindWhatDistinguishesNoStatesAreReportedWithTheFactToDeclare(key: StateKey) {
        let findings = DeskApp([]).explore(key: key).findings
        #expect(findings.map(\.kind) == [.path, .path])
        for finding in findings {
            #expect(finding.detail.contains("declare that in facts(of:)"), "\(finding.detail)")
            #expect(
                finding.detail.contains("Events that led to no new state: desk.choose, desk.send, desk."),
                "\(finding.detail)")
        }
        let account = DeskApp([.account]).explore(key: key).findings.map(\.detail)
        #expect(account.count == 1 && account[0].hasPrefix("/done/{parts} is declared"), "\(account)")
    }

    @Test(arguments: StateKey.allCases)
    func pathsBehindADeclaredFactAreReached(key: StateKey) {
        let graph = DeskApp(facts).explore(key: key)
        #expect(graph.findings.isEmpty, "\(graph.findings)")
        #expect(!graph.isTruncated)
    }

    @Test func factsDistinguishStates() throws {
        let graph = DeskApp(facts).explore()
        let all = Set(graph.states.map(\.offer.facts))
        #expect(all.contains(["account": "savings", "percent": "50"]) && all.count == 10)
        #expect(graph.states[0].key.hasSuffix(" desk.choose desk.send desk.upload facts: percent=0"))
        #expect(Set(graph.states.map(\.path)) == ["/desk", "/receipt/savings", "/done/4"])
        let receipt = try #require(graph.states.first { $0.path == "/receipt/savings" })
        #expect(receipt.journal.map(\.event) == ["desk.choose", "desk.send"])
        let states = try JSONParser.parse(graph.json)[field: "states"]
        guard case .array(let states) = states else { return #expect(Bool(false), "There are no states.") }
        #expect(states[0][field: "facts"] == .object([PlainField("percent", .string("0"))]))
    }

    @Test func pathsAndScreensAreDistinguishedByNothingElse() {
        for key in [StateKey.path, .screen] {
            #expect(
                DeskApp(facts).explore(key: key).states.map(\.key) == DeskApp([]).explore(key: key).states.map(\.key))
        }
    }

    @Test func offersWithDifferentFactsHaveDifferentTexts() throws {
        let state = try DeskApp([]).tree(after: []).navigationState
        let texts = [["a": "1 b=2"], ["a": "1", "b": "2"], ["a=1 b": "2"], ["a": ""], ["a": "\""], [:]].map {
            StateOffer(of: state, facts: $0).text
        }
        #expect(Set(texts).count == texts.count && texts.allSatisfy { !$0.contains("\n") })
        #expect(texts[1].hasSuffix(" facts: a=1 b=2"))
    }

    @Test(arguments: [StateKey.offer, .document])
    func aFactWithoutLimitIsNamed(key: StateKey) throws {
        let graph = DeskApp(facts, step: 1).explore(key: key, maxStates: 150)
        #expect(graph.isTruncated)
        let growth = try #require(graph.growth)
        #expect(growth.hasPrefix("The values of facts multiplied the states by"), "\(growth)")
        #expect(growth.contains("most often percent") && growth.contains("facts(of:)"), "\(growth)")
    }

    @Test func aFactThatDiffersWhenEventsAreReplayedIsReported() {
        let app = DeskApp([.chance])
        #expect(app.explore(maxStates: 3).findings.contains { $0.kind == .notDeterministic })
        #expect(app.walkAtRandom(1).failures.map(\.promise) == ["the same events make the same state"])
    }

    @Test(arguments: [StateKey.offer, .document])
    func recordedSessionsAreComparedWithTheirFacts(key: StateKey) throws {
        let app = DeskApp(facts)
        let root = app.makeRootCoordinator()
        try root.turn { root.start() }
        let footprints = Footprints(on: app.explore(key: key), of: app)
        footprints.begin("a transfer", at: root)
        for event in [DeskEvents.choose, .send] {
            root.visibleLeaf.getRootViewController().emitEvent(event)
            footprints.record("desk.\(event)", .object([]), to: root)
        }
        #expect(footprints.coverage.states.seen == 3)
        #expect(footprints.coverage.transitions.seen == 2)
        #expect(footprints.coverage.outside.isEmpty)
    }

    @Test func aLostFactIsALostState() throws {
        let difference = try GraphDifference(from: DeskApp(facts).explore().json, to: DeskApp([.percent]).explore())
        #expect(!difference.states.lost.isEmpty)
        #expect(difference.states.lost.allSatisfy { $0.contains("account=savings") })
    }
}

/// A desk that shows neither the chosen account nor the progress of the upload, and screens behind each of them.
struct DeskApp: CoordinatedApp {
    enum Fact {
        case account, percent
        /// Another value each time, which a fact should not be.
        case chance
    }

    let name = "Desk"
    let version = "1"
    let events = EventCatalog(DeskEvents.self)
    let routes = RouteCatalog(DeskCoordinator.Route.self)
    let declared: Set<Fact>
    let step: Int
    private let calls = Moles()

    /// - Parameter step: The percents of a part of the upload.
    init(_ declared: Set<Fact>, step: Int = 25) {
        self.declared = declared
        self.step = step
    }

    func makeRootCoordinator() -> CoordinatorNode { DeskCoordinator(step: step) }

    func facts(of root: CoordinatorNode) -> [String: String] {
        guard let desk = root as? DeskCoordinator else { return [:] }
        var facts: [String: String] = [:]
        if declared.contains(.account) { facts["account"] = desk.account }
        if declared.contains(.percent) { facts["percent"] = "\(desk.percent)" }
        if declared.contains(.chance) { facts["chance"] = "\(calls.next())" }
        return facts
    }
}

enum DeskEvents: CoordinateEvents, Equatable {
    case choose, send, upload, part
}

extension DeskEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "desk", .event("choose", .choose), .event("send", .send), .event("upload", .upload),
        .event("part", DeskEvents.part).appOnly)
}

final class DeskCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case desk
        case receipt(_ account: String)
        case done(_ parts: Int)

        static let declaration = RouteDeclaration<Self>(
            .route("desk", .desk),
            .route("receipt/{account}", Self.receipt) { if case .receipt(let account) = $0 { account } else { nil } },
            .route("done/{parts}", Self.done) { if case .done(let parts) = $0 { parts } else { nil } })
    }

    var activeRoute = Route.desk
    private(set) var account: String?
    private(set) var percent = 0
    private let step: Int

    init(step: Int) {
        self.step = step
        super.init()
    }

    func goTo(_ route: Route) {
        root(Coordinator<DeskViewController>(), for: .desk)
        switch route {
        case .desk: break
        case .receipt, .done: show(Coordinator<ResultViewController>(), for: route)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? DeskEvents else { return false }
        switch event {
        case .choose: account = "savings"
        case .send: if let account { goTo(.receipt(account)) }
        case .upload where work.isEmpty:
            percent = 0
            perform("part", after: .seconds(1), DeskEvents.part)
        case .upload: break
        case .part:
            percent = min(100, percent + step)
            if percent == 100 { goTo(.done(100 / step)) } else { perform("part", after: .seconds(1), DeskEvents.part) }
        }
        return true
    }
}

final class DeskViewController: ViewController {
    override var name: String { "Desk" }
    override var actions: [Action] {
        [
            Action(title: "Choose an account", event: DeskEvents.choose), Action(title: "Send", event: DeskEvents.send),
            Action(title: "Upload", event: DeskEvents.upload),
        ]
    }
}

final class ResultViewController: ViewController {
    override var name: String { "Result" }
}
