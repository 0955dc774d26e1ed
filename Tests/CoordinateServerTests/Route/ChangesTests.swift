import Coordinate
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `GET /sessions/{id}/changes`: the difference between two versions.
@Suite(.racing) struct ChangesTests {
    @Test func aFavoriteChangesABadgeAndAButton() async throws {
        try await client.showTeam()
        try await client.emit("teams.setFavorite", ["team": "ferrari"])
        let answer = try await client.get("\(client.base)/changes?from=2&to=3")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("Cache-Control") == "private, no-cache")
        #expect(
            answer.text == """
                {"from":2,"to":3,"changes":[\
                {"pointer":"/screen/actions/0/title","from":"Add to favorites","to":"Remove from favorites"},\
                {"pointer":"/screen/actions/0/event","from":"teams.setFavorite","to":"teams.unsetFavorite"},\
                {"pointer":"/navigation/tabs/2/badge","from":null,"to":"1"},\
                {"pointer":"/tree/children/0/children/2/badge","from":null,"to":"1"}]}
                """)
    }

    @Test func theReverseDifferenceSwapsTheValues() async throws {
        try await client.walk(steps: 20, seed: 5)
        for (first, second) in [(0, 1), (3, 4), (7, 19), (0, 20)] {
            let there = try await client.changes(from: first, to: second)
            let back = try await client.changes(from: second, to: first)
            #expect((there.from, there.to) == (first, second))
            #expect((back.from, back.to) == (second, first))
            #expect(!there.changes.isEmpty)
            #expect(there.changes.map(\.pointer) == back.changes.map(\.pointer))
            #expect(there.changes.map(\.from) == back.changes.map(\.to))
            #expect(there.changes.map(\.to) == back.changes.map(\.from))
        }
    }

    @Test func aVersionDoesNotDifferFromItself() async throws {
        try await client.showTeam()
        // No coordinator handles it.
        try await client.emit("navigation.dismiss")
        for (first, second) in [(0, 0), (3, 3), (2, 3), (3, 2)] {
            #expect(try await client.changes(from: first, to: second).changes.isEmpty)
        }
    }

    @Test func anAddedOrRemovedValueIsOneChange() async throws {
        try await client.showTeam()
        let shown = try await client.changes(from: 1, to: 2)
        let pointer = "/tree/children/0/children/0/children/1"
        #expect(shown[pointer]?.from == .null)
        #expect(shown[pointer]?.to["coordinator"] == "TeamsDetailsCoordinator")
        #expect(shown.changes.count { $0.pointer.hasPrefix(pointer) } == 1)
        #expect(shown["/navigation/back"]?.to["event"] == "navigation.back")
        try await client.emit("navigation.back")
        let gone = try await client.changes(from: 2, to: 3)
        #expect(gone[pointer]?.to == .null)
        #expect(gone[pointer]?.from == shown[pointer]?.to)
        #expect(try await client.changes(from: 1, to: 3).changes.isEmpty)
    }

    @Test func forksAndImportsHaveTheSameChanges() async throws {
        try await withRacing { here in
            try await withRacing { there in
                let original = here.client()
                try await original.walk(steps: 25, seed: 8)
                let fork = try await original.fork(at: 20)
                let copy = try await there.client(replaying: try await original.exportedJournal())
                for (first, second) in [(0, 20), (19, 20), (20, 3)] {
                    let changes = try await original.changes(from: first, to: second)
                    #expect(try await fork.changes(from: first, to: second) == changes)
                    #expect(try await copy.changes(from: first, to: second) == changes)
                }
                #expect(try await copy.changes(from: 0, to: 25) == original.changes(from: 0, to: 25))
                #expect(try await fork.get("\(fork.base)/changes?from=0&to=25").isProblem("version-not-found", 404))
            }
        }
    }

    @Test func readingEarlierVersionsChangesNothing() async throws {
        let app = TestApp()
        try await withClient(of: app) { client in
            for number in 1...5 { try await client.emit("test.push", ["number": .int(number)]) }
            let before = try await client.get("/route")
            let journal = try await client.exportedJournal()
            let living = app.lives.living
            for version in 0...5 {
                _ = try await client.changes(from: version, to: 3)
                #expect(try await client.route(at: version).version == version)
            }
            #expect(try await client.get("/route?version=6").status == 404)
            #expect(app.lives.living == living)
            #expect(try await client.get("/route").body == before.body)
            #expect(try await client.exportedJournal() == journal)
            #expect(try await client.metric("coordinate_events_total") == 5)
            #expect(try await client.gauges() == [1, 0])
        }
    }

    /// Each level of coordinators is two levels of the document.
    @Test(.serving(DeepApp())) func theDeepestTreeCanBeCompared() async throws {
        try await client.emit("deep.rename", ["title": "Bottom"])
        let changes = try await client.changes(from: 0, to: 1)
        let title = "/tree" + String(repeating: "/children/0", count: DeepApp.levels) + "/title"
        #expect(changes[title]?.to == "Bottom")
        #expect(changes["/screen/title"]?.to == "Bottom")
    }

    // MARK: Refusals

    @Test(arguments: [
        "", "?from=1", "?to=1", "?from=&to=1", "?from=1&to=", "?from=-1&to=1", "?from=0&to=x", "?from=1.5&to=2",
        "?from=0&to=99999999999999999999", "?from=0&from=0&to=1", "?from=0&to=1&to=1", "?from=0x0&to=1",
    ])
    func twoVersionsMustBeNamed(query: String) async throws {
        try await client.showTeam()
        let answer = try await client.get("\(client.base)/changes\(query)")
        #expect(answer.isProblem("malformed-request", 400))
        #expect(
            try answer.problem.detail.contains(query.contains("to=") && !query.hasPrefix("?to") ? "\"" : "from"))
    }

    @Test(arguments: [(0, 3), (3, 0), (3, 3), (0, Int.max), (7, 5)])
    func aFutureVersionIsNotFound(first: Int, second: Int) async throws {
        try await client.showTeam()
        let answer = try await client.get("\(client.base)/changes?from=\(first)&to=\(second)")
        #expect(answer.isProblem("version-not-found", 404))
        #expect(try answer.problem.detail.contains("0 to 2"))
        await #expect(throws: UnexpectedAnswer.self) { try await client.changes(from: first, to: second) }
    }

    /// Only endpoints that can create a session have a short form.
    @Test func changesHaveNoShortForm() async throws {
        try await client.showTeam()
        #expect(try await client.get("/changes?from=0&to=1").isProblem("not-found", 404))
    }
}

/// Boxes nested as deep as coordinators may be.
private struct DeepApp: CoordinatedApp {
    static let levels = 100
    let name = "Deep"
    let version = "1.0"
    let events = EventCatalog(DeepEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { BoxCoordinator(levels: Self.levels) }
}

private enum DeepEvents: CoordinateEvents, Equatable { case rename(_ title: String) }

extension DeepEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "deep", .event("rename", Self.rename, "title") { if case .rename(let title) = $0 { title } else { nil } })
}

private final class BoxCoordinator: ContainerCoordinator<ViewController> {
    private let levels: Int

    init(levels: Int) {
        self.levels = levels
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(levels > 1 ? BoxCoordinator(levels: levels - 1) : BottomCoordinator())
    }
}

private final class BottomCoordinator: Coordinator<ViewController> {
    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case DeepEvents.rename(let title) = event else { return false }
        rootViewController.title = title
        return true
    }
}
