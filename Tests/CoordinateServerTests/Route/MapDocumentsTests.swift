import Coordinate
import CoordinateSessions
import CoordinateTesting
import MicroHTTPD
import Racing
import SessionFixtures
import Testing

@testable import CoordinateExplore
@testable import CoordinateServer

/// The documents of `GET /map`: what each screen looks like.
struct MapDocumentsTests {
    private static let apps: [any CoordinatedApp] = [
        (try? RacingApp.twoTeams()) ?? StationApp(), GateApp(), DeskApp(), LibraryApp(), StationApp(),
    ]

    @Test(arguments: apps.indices) func eachScreenHasTheDocumentOfASessionWithTheSameJournal(index: Int) async throws {
        try await withApp(Self.apps[index]) { server in
            let map = try await server.client().map().json
            let states = map["states"]?.array ?? []
            let documents = map["documents"]?.array ?? []
            #expect(Set(documents.screens) == Set(states.compactMap { $0["screen"]?.string }))
            #expect(documents.count <= Set(documents.screens).count + 1)
            #expect(map["screensWithoutDocument"] == 0)
            let client = server.client()
            _ = try await client.route()
            for document in documents {
                let state = states[try #require(document["state"]?.int)]
                let session = try await client.fork(at: 0, work: .withheld)
                for step in state["journal"]?.array ?? [] {
                    try await session.emit(
                        try #require(step["event"]?.string), step["payload"] ?? [:], at: step["at"]?.string,
                        pending: step["pending"]?.string)
                }
                #expect(try await session.get("/route").json.withoutSession == document["route"])
                #expect(document["route"]["version"] == state["depth"])
                #expect(document["route"]["screen"]["name"] == state["screen"])
                #expect(document["route"]["screen"]["status"] == state["status"])
            }
        }
    }

    @Test(.serving(StationApp())) func aReadyScreenIsPreferredAndThenOneThatShowsSomething() async throws {
        let documents = try await client.map().json["documents"]?.array ?? []
        #expect(documents.screens == ["Home", "Board", "Platform", "Home"])
        func values(_ field: String) -> [JSON?] { documents.map { $0["route"]["screen"][field] } }
        #expect(values("status") == ["loading", "ready", "loading", "ready"])
        #expect(values("title") == ["Welcome", "Board", "Platform", "Welcome"])
        #expect(values("rows").map { $0?.array.count } == [0, 1, 0, 0])
    }

    @Test(arguments: [
        (MapDocuments(maximumCount: 3), ["Home", "Board", "Platform"], 0),
        (MapDocuments(maximumCount: 2), ["Home", "Board"], 1), (MapDocuments(maximumCount: 0), ["Home"], 2),
        (MapDocuments(maximumSize: 0), ["Home"], 2),
    ])
    func screensBeyondALimitHaveNone(documents: MapDocuments, screens: [String], missing: Int) async throws {
        let map = AppMap(documents: documents)
        let endpoint = HostEndpoint { parts throws(ServerError) in map.appendEndpoint(to: &parts) }
        try await withClient(of: StationApp(), configuration: .make(endpoints: [endpoint])) { client in
            let map = try await client.map().json
            let documents = map["documents"]?.array ?? []
            #expect(documents.screens == screens)
            #expect(map["screensWithoutDocument"] == .int(missing))
        }
    }
}

extension SessionClient {
    /// The map, once it is created.
    fileprivate func map() async throws -> ServerAnswer {
        var answer = try await get("/map", headers: ["Prefer": "wait=60"])
        while answer.status == 202 { answer = try await get("/map", headers: ["Prefer": "wait=60"]) }
        #expect(answer.status == 200)
        return answer
    }
}

extension [JSON] {
    /// The names of the screens that documents show.
    fileprivate var screens: [String] { compactMap { $0["route"]["screen"]["name"]?.string } }
}

extension JSON {
    /// A route document without the session.
    fileprivate var withoutSession: JSON {
        var fields = object
        fields["session"] = nil
        return .object(fields)
    }
}

/// A station with a screen that is ready after some work, one that never is, and one that can be empty.
private struct StationApp: CoordinatedApp {
    let name = "Station"
    let version = "1.0"
    let events = EventCatalog(StationEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { StationCoordinator() }
}

private enum StationEvents: DeclaredEvents, Equatable {
    case home, board, fullBoard, platform, refresh, didOpen

    static let declaration = EventDeclaration<Self>(
        "station", .event("home", .home), .event("board", .board), .event("fullBoard", .fullBoard),
        .event("platform", .platform), .event("refresh", .refresh),
        .event("didOpen", .didOpen).appOnly)
}

private final class StationCoordinator: ContainerCoordinator<ViewController> {
    private let home = StationPageCoordinator("Home", title: "Welcome")

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(home)
        perform("open", { _ in }, done: { StationEvents.didOpen }, failed: { _ in StationEvents.didOpen })
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? StationEvents else { return false }
        switch event {
        case .home: root(home)
        case .board: root(StationPageCoordinator("Board", title: "Board"))
        case .fullBoard, .refresh: root(StationPageCoordinator("Board", title: "Board", rows: ["To Basel"]))
        case .platform: root(StationPageCoordinator("Platform", title: "Platform"))
        case .didOpen: home.rootViewController.isOpen = true
        }
        return true
    }
}

private final class StationPageCoordinator: Coordinator<StationViewController> {
    init(_ name: String, title: String, rows: [String] = []) {
        super.init()
        rootViewController.place = name
        rootViewController.title = title
        rootViewController.departures = rows
    }
}

private final class StationViewController: ViewController {
    var place = ""
    var isOpen = false
    var departures: [String] = []

    override var name: String { place }

    override var status: Screen.Status {
        place == "Platform" || place == "Home" && !isOpen ? .loading : .ready
    }

    override var rows: [Screen.Row] { departures.map { Screen.Row(id: $0, title: $0) } }

    override var actions: [Action] {
        guard place == "Home" else {
            let home = Action(title: "Home", event: StationEvents.home)
            return departures.isEmpty ? [home] : [home, Action(title: "Refresh", event: StationEvents.refresh)]
        }
        return [
            Action(title: "Board", event: StationEvents.board), Action(title: "Full", event: StationEvents.fullBoard),
            Action(title: "Platform", event: StationEvents.platform),
        ]
    }
}
