import Coordinate
import CoordinateTesting
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Earlier versions of a session: `GET /route?version=N`, and `GET /sessions/{id}/changes`, the difference between two.
@Suite(.racing) struct EarlierVersionTests {
    @Test(arguments: [11, 12, 13] as [UInt64])
    func everyEarlierRouteIsIdenticalByteForByte(seed: UInt64) async throws {
        var generator = SeededGenerator(state: seed)
        var route = try await client.route()
        var answers = [try await client.get("/route")]
        for _ in 1...40 {
            let action = try #require(route.offeredActions.randomElement(using: &generator))
            route = try #require(try await client.emit(action).route)
            answers.append(try await client.get("/route"))
        }
        for (version, then) in answers.enumerated().shuffled(using: &generator) {
            let now = try await client.get("\(client.base)/route?version=\(version)")
            #expect(now.status == 200)
            #expect(now.body == then.body, "version \(version)")
            for name in ["ETag", "Content-Type", "Cache-Control"] { #expect(now.header(name) == then.header(name)) }
        }
        #expect(Set(answers.map { $0.header("ETag") }).count == 41)
        #expect(try await client.get("/route").body == answers.last?.body)
    }

    @Test(arguments: [4, 1_000, Int.max]) func aFutureVersionIsNotFound(version: Int) async throws {
        for _ in 0..<3 { try await client.emit("navigation.back") }
        let answer = try await client.get("/route?version=\(version)")
        #expect(answer.isProblem("version-not-found", 404))
        #expect(try answer.problem.detail.contains("0 to 3"))
        #expect(answer.header("ETag") == nil)
    }

    @Test(.serving(TestApp(), configuration: .make(maximumEvents: 3))) func theNumberOfEventsIsLimited() async throws {
        for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
        let before = try await client.get("/route")
        for answer in try await [
            client.post("/events", json: ["event": "navigation.back"]),
            client.put("/route", json: ["path": "/stack"]),
        ] {
            #expect(answer.isProblem("too-many-events", 422))
            #expect(try answer.problem.detail.contains("fork"))
        }
        #expect(try await client.get("/route").body == before.body)
        let fork = try await client.fork(at: 2)
        #expect(try await fork.emit("navigation.back").version == 3)
    }

    // MARK: Changes

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

    @Test(.serving(TestApp())) func readingEarlierVersionsChangesNothing() async throws {
        for number in 1...5 { try await client.emit("test.push", ["number": .int(number)]) }
        let before = try await client.get("/route")
        let journal = try await client.exportedJournal()
        let living = testApp.lives.living
        for version in 0...5 {
            _ = try await client.changes(from: version, to: 3)
            #expect(try await client.route(at: version).version == version)
        }
        #expect(testApp.lives.living == living)
        #expect(try await client.get("/route").body == before.body)
        #expect(try await client.exportedJournal() == journal)
        #expect(try await client.metric("coordinate_events_total") == 5)
        #expect(try await client.gauges() == [1, 0])
    }

    /// Each level of coordinators is two levels of the document.
    @Test(.serving(DeepApp())) func theDeepestTreeCanBeCompared() async throws {
        try await client.emit("test.say", ["a/b~c": "Bottom"])
        let changes = try await client.changes(from: 0, to: 1)
        let title = "/tree" + String(repeating: "/children/0", count: DeepApp.levels) + "/title"
        #expect(changes[title]?.to == "Bottom")
        #expect(changes["/screen/title"]?.to == "Bottom")
    }
}

/// Boxes nested as deep as coordinators may be.
private struct DeepApp: CoordinatedApp {
    static let levels = 100
    let name = "Deep"
    let version = "1.0"
    let events = EventCatalog(TestEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { BoxCoordinator(levels: Self.levels) }
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
        guard case TestEvents.say(let title) = event else { return false }
        rootViewController.title = title
        return true
    }
}
