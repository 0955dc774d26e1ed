import Coordinate
import CoordinateExplore
import JSON
import Testing

/// A graph compared with recorded sessions, and with an older graph.
struct ComparisonTests {
    private let graph = GardenApp().explore(key: .path)

    private func footprints(_ steps: [(String, PlainValue)], key: StateKey = .path) throws -> Coverage {
        let app = GardenApp()
        let root = app.makeRootCoordinator()
        try root.turn { root.start() }
        let footprints = Footprints(on: app.explore(key: key, depth: 3), of: app)
        footprints.begin("a walk", at: root)
        for (name, payload) in steps {
            let event = try #require(app.events.entry(named: name)).event(from: payload, in: nil)
            root.visibleLeaf.getRootViewController().emitEvent(event)
            footprints.record(name, payload, to: root)
        }
        return footprints.coverage
    }

    private let first = PlainValue.object([PlainField("bed", .int(1))])

    @Test(arguments: [StateKey.path, .screen])
    func visitedStatesAndTransitionsAreCounted(key: StateKey) throws {
        let coverage = try footprints(
            [("garden.open", first), ("garden.water", .object([])), ("navigation.back", .object([]))], key: key)
        #expect(coverage.states.seen == 2)
        #expect(coverage.states.of == (key == .path ? 5 : 3))
        #expect(coverage.transitions.seen == 3)
        #expect(coverage.missedStates.count == coverage.states.of - 2)
        #expect(coverage.missedTransitions.count == coverage.transitions.of - 3)
        #expect(coverage.outside.isEmpty)
        // The beds at the start and after Back; the first bed when it was opened, and watered.
        #expect(coverage.stateUses.filter { $0 > 0 } == [2, 2])
        #expect(coverage.transitionUses.reduce(0, +) == 3)
    }

    @Test func drawingsShowTheNumbersOfUses() throws {
        let coverage = try footprints([("garden.open", first), ("navigation.back", .object([]))])
        let drawn = GardenApp().explore(key: .path, depth: 3)
        #expect(drawn.mermaid(with: coverage).contains(#"s0["/beds<br>2 times"]"#))
        #expect(drawn.mermaid(with: coverage).contains(#"s1 -->|"garden.water<br>garden.rest<br>garden.dig"| s1"#))
        #expect(drawn.mermaid(with: coverage).contains(#"s1 -->|"navigation.back<br>1 time"| s0"#))
        #expect(drawn.dot(with: coverage).contains(#"s4 [label="/shed\nnever"]"#))
    }

    @Test func anEventUnknownToTheGraphIsReportedOnce() throws {
        let third = PlainValue.object([PlainField("path", .string("/bed/3"))])
        let coverage = try footprints([
            ("navigation.open", third), ("navigation.popToRoot", .object([])), ("navigation.open", third),
        ])
        #expect(coverage.outside.map(\.event) == ["navigation.open", "navigation.popToRoot"])
        #expect(coverage.outside.map(\.version) == [1, 2])
        #expect(coverage.outside.map(\.to) == ["/bed/3", "/beds"])
        #expect(coverage.states.seen == 2)
    }

    @Test func enteredValuesDoNotMatter() throws {
        let sown = PlainValue.object([
            PlainField("name", .string("kale")), PlainField("count", .int(12)), PlainField("key", .string("k")),
        ])
        let coverage = try footprints([("garden.shed", .object([])), ("garden.sow", sown)])
        #expect(coverage.outside.isEmpty)
        #expect(coverage.transitions.seen == 2)
    }

    @Test func aGraphEqualsItself() throws {
        let difference = try GraphDifference(from: graph.json, to: graph)
        #expect(!difference.hasLost)
        #expect(difference.states.gained.isEmpty)
        #expect(difference.transitions.gained.isEmpty)
    }

    @Test func lostAndGainedStatesAreReported() throws {
        let other = GardenApp(.lockedShed).explore(key: .path)
        let difference = try GraphDifference(from: graph.json, to: other)
        #expect(difference.hasLost)
        #expect(difference.states.lost.isEmpty)
        #expect(Set(difference.transitions.lost.map(\.event)) == ["garden.order", "garden.sow", "navigation.back"])
        let back = try GraphDifference(from: other.json, to: graph)
        #expect(!back.hasLost)
        #expect(back.transitions.gained == difference.transitions.lost)
        let less = try GraphDifference(from: graph.json, to: GardenApp().explore(key: .path, depth: 0))
        #expect(less.states.lost == ["/bed/1", "/bed/2", "/bed/3", "/shed"])
    }

    @Test(arguments: [
        "", "[]", "{\"explore\": 2}", "{\"explore\": 1, \"key\": \"path\", \"states\": [{}], \"transitions\": []}",
    ])
    func aDocumentThatIsNotAGraphIsRefused(document: String) {
        #expect(throws: UnreadableGraph.self) { try GraphDifference(from: Array(document.utf8), to: graph) }
    }

    @Test func graphsWithDifferentKeysAreNotCompared() {
        #expect(throws: UnreadableGraph.self) {
            try GraphDifference(from: GardenApp().explore(key: .screen).json, to: graph)
        }
    }

    // MARK: Documents

    @Test func theDocumentContainsTheWholeGraph() throws {
        let graph = GardenApp(.unhandledDig).explore(key: .path)
        let document = try JSONParser.parse(graph.json)
        #expect(document[field: "explore"] == .int(1))
        #expect(document[field: "truncated"] == .bool(false))
        #expect(document[field: "frontier"] == .int(0))
        guard case .array(let states) = document[field: "states"],
            case .array(let steps) = document[field: "transitions"],
            case .array(let findings) = document[field: "findings"]
        else { return #expect(Bool(false), "There are no states, transitions or findings.") }
        #expect(states.map { $0[field: "key"]?.string } == graph.states.map(\.key))
        #expect(steps.map { $0[field: "event"]?.string } == graph.transitions.map(\.step.event))
        #expect(findings.map { $0[field: "kind"]?.string } == ["unhandled-action"])
        #expect(findings.first?[field: "class"]?.string == "wrong")
        #expect(findings.first?[field: "state"] == .int(1))
        let shed = try #require(states.last)
        #expect(shed[field: "status"]?.string == "ready")
        #expect(
            shed[field: "offers"]
                == .array(["garden.order", "garden.sow(name,count,key)", "navigation.back"].map(PlainValue.string)))
        #expect(shed[field: "pending"] == .array([]))
        #expect(shed[field: "parked"] == .null)
    }

    @Test func drawingsHaveEachStateAndAnArrowForEachPairOfThem() {
        let arrows = Set(graph.transitions.map { [$0.from, $0.to] }).count
        let mermaid = graph.mermaid.split(separator: "\n")
        #expect(mermaid.first == "flowchart LR")
        #expect(mermaid.count { $0.contains("->") } == arrows)
        #expect(mermaid.contains { $0 == #"    s1["/bed/1"]"# })
        let dot = graph.dot.split(separator: "\n")
        #expect(dot.first == "digraph \"Garden\" {")
        #expect(dot.count { $0.contains("->") } == arrows)
        #expect(dot.contains { $0 == #"    s1 [label="/bed/1"]"# })
        #expect(dot.contains { $0.contains(#"[label="garden.water\ngarden.rest\ngarden.dig"]"#) })
        #expect(GardenApp(.unhandledDig).explore(key: .path).mermaid.contains("class s1 finding"))
    }

    @Test func withOffersAsKeysABoxIsAScreen() {
        let mermaid = GardenApp().explore().mermaid.split(separator: "\n")
        #expect(mermaid[1...3] == ["    s0[\"Beds\"]", "    s1[\"Bed\"]", "    s2[\"Shed\"]"])
        #expect(
            mermaid[4...] == [
                "    s0 -->|\"garden.open\"| s1", "    s0 -->|\"garden.shed\"| s2",
                "    s1 -->|\"navigation.back\"| s0",
                "    s2 -->|\"navigation.back\"| s0",
            ])
    }
}
