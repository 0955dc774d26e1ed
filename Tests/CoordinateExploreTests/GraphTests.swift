import Coordinate
import CoordinateExplore
import Synchronization
import Testing

/// The states of an app and the events between them.
struct GraphTests {
    private func events(_ journal: [Step]) -> [String] {
        journal.map { "\($0.event) \($0.payload[field: "bed"].map { "\($0)" } ?? "")" }
    }

    @Test func statesAreInTheOrderInWhichTheyAreFound() {
        let graph = GardenApp().explore(key: .path)
        #expect(graph.states.map(\.key) == ["/beds", "/bed/1", "/bed/2", "/bed/3", "/shed"])
        #expect(graph.states.map(\.id) == [0, 1, 2, 3, 4])
        #expect(graph.states.map(\.depth) == [0, 1, 1, 1, 1])
        #expect(graph.states.map(\.screen) == ["Beds", "Bed", "Bed", "Bed", "Shed"])
        #expect(!graph.isTruncated)
        #expect(graph.frontier == 0)
    }

    @Test func transitionsAreInTheOrderOfTheScreen() {
        let graph = GardenApp().explore(key: .path)
        let first = graph.transitions.filter { $0.from == 0 }
        #expect(
            first.map(\.step.event) == Array(repeating: "garden.open", count: 3) + ["garden.shed"]
                + Array(repeating: "navigation.open", count: 2))
        #expect(first.map(\.to) == [1, 2, 3, 4, 0, 4])
        let second = graph.transitions.filter { $0.from == 1 }
        #expect(second.map(\.step.event) == ["garden.water", "garden.rest", "garden.dig", "navigation.back"])
        #expect(second.map(\.to) == [1, 1, 1, 0])
        #expect(second.allSatisfy { $0.handledBy == "GardenCoordinator" })
        #expect(second.map(\.title) == ["Water", "Rest", "Dig", "Beds"])
    }

    @Test(arguments: StateKey.allCases)
    func everyRunReturnsTheSameBytesOnAnyNumberOfThreads(key: StateKey) {
        let graphs = [nil, 1, 2, 7].map { GardenApp().explore(key: key, maxStates: 200, threads: $0).json }
        #expect(Set(graphs).count == 1)
    }

    @Test(arguments: StateKey.allCases)
    func everyJournalLeadsToItsState(key: StateKey) throws {
        let app = GardenApp()
        let graph = app.explore(key: key, maxStates: 200)
        for state in graph.states {
            let tree = try app.tree(after: state.journal)
            #expect(tree.path == state.path)
            #expect(tree.navigationState.screen.name == state.screen)
            #expect(tree.navigationState.screen.title == state.title)
        }
    }

    @Test func theKeyDeterminesTheStates() {
        let screens = GardenApp().explore(key: .screen)
        #expect(screens.states.map(\.key) == ["Beds", "Bed", "Shed"])
        let documents = GardenApp().explore(key: .document, depth: 2)
        #expect(Set(documents.states.map(\.key)).count == documents.states.count)
        // The shed with the values of its forms, and with seeds on their way.
        #expect(documents.states.count { $0.path == "/shed" } > 2)
    }

    @Test func everyOfferIsAState() throws {
        let graph = GardenApp().explore()
        let sheds = graph.states.filter { $0.screen == "Shed" }
        // Nothing pending, and each subset of what an order leaves pending.
        #expect(
            Set(sheds.map(\.offer.pending)) == [
                [], ["early", "late", "seeds"], ["early", "late"], ["late", "seeds"], ["late"], ["seeds"],
            ])
        let first = try #require(sheds.first)
        #expect(
            first.key == "/shed Shed ready ShedCoordinator: garden.order garden.sow(name,count,key) navigation.back")
        #expect(first.offer.events == ["garden.order", "garden.sow(name,count,key)", "navigation.back"])
        #expect(first.offer.status == .ready)
        #expect(first.offer.parked == nil)
    }

    /// Each state is replayed once for comparison, and then once for each transition except the first.
    @Test func theWalkReusesItsTrees() {
        let graph = GardenApp().explore(key: .path)
        #expect(graph.replays == graph.transitions.count - graph.states.count)
    }

    @Test func linksWithValuesAreOpened() throws {
        let graph = GardenApp(samples: GardenApp.defaultSamples + [.link("/bed/2")]).explore(key: .path)
        let opened = graph.transitions.filter { $0.from == 0 && $0.step.event == "navigation.open" }
        #expect(opened.map { $0.step.payload[field: "path"]?.string } == ["/beds", "/shed", "/bed/2"])
        #expect(graph.states[try #require(opened.last).to].path == "/bed/2")
    }

    // MARK: Limits

    @Test(arguments: [1, 2, 4]) func theNumberOfStatesIsLimited(limit: Int) {
        let graph = GardenApp().explore(key: .path, maxStates: limit)
        #expect(graph.states.count == limit)
        #expect(graph.isTruncated)
        // The list is not fully expanded. A transition from the beds leads back to it, and to no other state.
        #expect(graph.frontier == 1)
        #expect(graph.transitions.allSatisfy { $0.to < limit && $0.from < limit })
    }

    @Test func theDepthIsLimited() {
        let graph = GardenApp().explore(key: .document, depth: 1)
        #expect(graph.states.map(\.depth).max() == 1)
        #expect(graph.frontier == graph.states.count { $0.depth == 1 })
        #expect(graph.transitions.allSatisfy { $0.from == 0 })
    }

    @Test(arguments: [0, 1, 5, 20]) func aStoppedWalkReturnsItsStates(moves: Int) {
        let left = Atomic(moves)
        let graph = GardenApp().explore(key: .document, maxStates: 1_000) {
            left.wrappingSubtract(1, ordering: .relaxed).newValue >= 0
        }
        #expect(graph.isTruncated)
        #expect(!graph.states.isEmpty)
        #expect(graph.transitions.count <= moves)
        #expect(graph.frontier > 0)
    }

    @Test func aWalkThatIsNotStoppedIsComplete() {
        let graph = GardenApp().explore(key: .screen, maxStates: 1_000) { true }
        #expect(graph.json == GardenApp().explore(key: .screen).json)
    }

    // MARK: Forms, work, timers

    @Test func formsAreTriedAsShownAndWithSamples() throws {
        let app = GardenApp(samples: [.input("name", of: "garden.sow", "beans", "peas")])
        let graph = app.explore(key: .path)
        let sown = graph.transitions.filter { $0.step.event == "garden.sow" }
        let names = sown.map { $0.step.payload[field: "name"]?.string }
        let counts = sown.map { $0.step.payload[field: "count"] }
        #expect(names == ["", "beans", "peas"])
        // Without a sample, the value that is shown.
        #expect(counts == [.null, .null, .null])
        #expect(sown.allSatisfy { $0.isForm })
        // Secrets are never written.
        #expect(sown.allSatisfy { $0.step.payload[field: "key"] == nil })
        #expect(!String(decoding: graph.json, as: UTF8.self).contains("secret"))
    }

    @Test func everyOutcomeOfWorkIsATransition() throws {
        let app = GardenApp(samples: [.work("seeds", "beans", 7, "peas")])
        let graph = app.explore(key: .document, depth: 3)
        let ordered = try #require(
            graph.states.first { $0.journal.map(\.event) == ["garden.shed", "garden.order"] })
        let outcomes = graph.transitions.filter { $0.from == ordered.id && $0.step.origin != .client }
        #expect(
            outcomes.map(\.step.event) == [
                "garden.didDeliver", "garden.didDeliver", "garden.didFail", "garden.bell",
            ])
        #expect(outcomes.map { $0.step.payload[field: "seeds"]?.string } == ["beans", "peas", nil, nil])
        #expect(outcomes.map(\.step.origin) == [.work, .work, .work, .timer])
        #expect(outcomes.map(\.step.pending) == ["2-1", "2-1", "2-1", "2-3"])
        #expect(outcomes.allSatisfy { $0.step.at == "GardenCoordinator/ShedCoordinator" })
    }

    @Test func timersFireInTheirOrderAndAtTheirTime() throws {
        let graph = GardenApp().explore(key: .document, depth: 4)
        let rung = graph.states.first {
            $0.journal.map(\.event) == ["garden.shed", "garden.order", "garden.bell", "garden.bell"]
        }
        #expect(try #require(rung).journal.map(\.pending) == [nil, nil, "2-3", "2-2"])
        let tree = try GardenApp().tree(after: try #require(rung).journal)
        #expect(tree.navigationState.screen.message == "it rang at \(1_767_225_600 + 90)")
    }

    @Test func aLimitedWalkSaysWhatMultipliedItsStates() throws {
        #expect(GardenApp().explore(key: .screen).growth == nil)
        let growth = try #require(GardenApp().explore(key: .document, maxStates: 200).growth)
        #expect(growth.contains("multiplied the states by"), "\(growth)")
    }

    @Test func aScreenMayHaveANameOfItsOwn() {
        final class Step: ViewController {
            override var name: String { "Step-\(title ?? "")" }
        }
        final class Wizard: NavigationCoordinator<NavigationController> {
            override func start(with completion: @escaping () -> Void = {}) {
                super.start(with: completion)
                for number in 1...2 { show(Coordinator<Step> { $0.title = "\(number)" }, sender: nil) }
            }
        }
        struct Claims: CoordinatedApp {
            let name = "Claims"
            let version = "1.0"
            let events = EventCatalog()
            let routes = RouteCatalog()
            func makeRootCoordinator() -> CoordinatorNode { Wizard() }
        }
        #expect(Claims().explore(key: .screen).states.map(\.screen) == ["Step-2", "Step-1"])
    }
}
