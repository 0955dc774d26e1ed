import Coordinate
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The API's description with the types of an app: what it allows, the server accepts, and nothing else.
struct AppDescriptionTests {
    @Test(arguments: [NewsstandApp(), LibraryApp(), GateApp(), try RacingApp.make()] as [any CoordinatedApp])
    func itIsWellFormed(app: any CoordinatedApp) async throws {
        try await withServer(app: app) { server in
            let answer = try await server.client().get("/openapi.json")
            let description = OpenAPIDescription(root: try answer.json)
            description.checkSchemas()
            #expect(description.root["info"]["title"] == .string(app.name))
            let events = description.schema("Event")["oneOf"]?.array.map { description.resolved($0) } ?? []
            let names = events.map { $0["properties"]["event"]["const"]?.string }
            let constants = description.schema("EventName")["x-enum-varnames"]?.array ?? []
            #expect(Set(constants).count == names.count)
            #expect(names == app.events.entries.map(\.name))
            let mapping = description.schema("Event")["discriminator"]["mapping"]?.object ?? [:]
            for (name, reference) in mapping {
                let schema = description.root[reference: reference.string]
                #expect(schema["properties"]["event"]["const"] == .string(name))
            }
            #expect(mapping.count == names.count)
        }
    }

    static let requests: [(event: JSON, isAllowed: Bool)] = [
        (["event": "newsstand.buy", "payload": ["paper": "daily", "count": 2]], true),
        (["event": "newsstand.buy", "payload": ["paper": "daily", "count": 2, "bag": .null]], true),
        (["event": "newsstand.buy", "payload": ["paper": "daily", "count": 2, "bag": "large"]], true),
        (["event": "newsstand.buy", "payload": ["paper": "daily", "count": 2, "bag": "huge"]], false),
        (["event": "newsstand.buy", "payload": ["paper": "dayly", "count": 2]], false),
        (["event": "newsstand.buy", "payload": ["paper": "daily", "count": 2.5]], false),
        (["event": "newsstand.buy", "payload": ["paper": "daily"]], false),
        (["event": "newsstand.buy", "payload": ["paper": "daily", "count": 2, "copies": 3]], false),
        (["event": "newsstand.buy"], false),
        (["event": "newsstand.by", "payload": ["paper": "daily", "count": 2]], false),
        (
            [
                "event": "newsstand.pay",
                "payload": ["pin": "1234", "notes": [["value": 5.5, "marks": ["a"]], ["value": 7]]],
            ], true
        ),
        (["event": "newsstand.pay", "payload": ["pin": "1234", "notes": [["value": "5"]]]], false),
        (["event": "newsstand.pay", "payload": ["pin": "1234", "notes": [["value": 5.5, "mark": "a"]]]], false),
        (["event": "newsstand.pay", "payload": ["notes": []]], false),
        (["event": "newsstand.close"], true),
        (["event": "newsstand.close", "payload": [:]], true),
        (["event": "newsstand.close", "payload": ["at": 1]], false),
        (["event": "newsstand.close", "title": "Close", "role": .null, "opens": .null, "payload": [:]], true),
        (["event": "newsstand.close", "name": "Close"], false),
        (["event": "navigation.open", "payload": ["path": "/newsstand"]], true),
    ]

    @Test(.serving(NewsstandApp(), configuration: ServerConfiguration()), arguments: requests)
    func theServerAcceptsWhatItDescribes(
        event: JSON, isAllowed: Bool
    ) async throws {
        let description = OpenAPIDescription(root: try await client.get("/openapi.json").json)
        let schema = JSONSchema(schema: description.schema("Event") ?? .null, root: description.root)
        #expect(schema.violations(of: event).isEmpty == isAllowed)
        #expect((try await client.post("/events", json: event).status == 200) == isAllowed)
    }

    @Test(
        .serving(NewsstandApp(), configuration: ServerConfiguration()),
        arguments: [
            ([:], true), (["size": "small"], true), (["size": "tiny"], false), (["sise": "small"], false),
        ] as [(JSON, Bool)])
    func theServerTakesTheDescribedOptions(options: JSON, isAllowed: Bool) async throws {
        let description = OpenAPIDescription(root: try await client.get("/openapi.json").json)
        let schema = JSONSchema(schema: description.schema("NewSession") ?? .null, root: description.root)
        #expect(schema.violations(of: ["options": options]).isEmpty == isAllowed)
        #expect((try await client.post("/sessions", json: ["options": options]).status == 201) == isAllowed)
    }

    @Test(.serving(NewsstandApp(), configuration: ServerConfiguration())) func screensAndResultsHaveSchemas()
        async throws
    {
        let description = OpenAPIDescription(root: try await client.get("/openapi.json").json)
        let screen = JSONSchema(schema: try #require(description.schema("NewsstandScreen")), root: description.root)
        let shown = try #require(try await client.get("/route").json["screen"])
        #expect(screen.violations(of: shown) == [])
        let other = JSON.object(shown.object.merging(["content": "text"]) { $1 })
        #expect(screen.violations(of: other) != [])
        let result = description.schema("WrappingResult")["properties"]["result"]
        #expect(result["$ref"] == "#/components/schemas/AppBadge")
        #expect(description.schema("Badge")["x-enum-varnames"] == nil)
        #expect(description.schema("Mood")["x-enum-varnames"] == ["choice1", "choice2", "choice3"])
        #expect(description.schema("PathPattern")["enum"] == ["/newsstand", "/newsstand/{paper}"])
        #expect(try await client.get("/catalog").json["results"][0]["coordinator"] == "WrappingCoordinator")
    }

    @Test(.serving(NewsstandApp(), configuration: ServerConfiguration())) func itsExamplesAreOfTheApp() async throws {
        let text = try await server.client().get("/openapi.json").text
        #expect(text.contains(#""example":{"event":"newsstand.buy","payload":{"paper":"daily","count":3"#))
        #expect(text.contains(#""example":{"path":"/newsstand","options":{"size":"small","mood":"🙂"}}"#))
        #expect(text.contains(#""leaf":"NewsstandCoordinator""#))
        #expect(text.contains(#""example":{"status":"ok"}"#))
        for word in ["teams", "ferrari", "Racing"] { #expect(!text.contains(word)) }
    }
}

extension OpenAPIDescription {
    fileprivate func schema(_ name: String) -> JSON? { root["components"]["schemas"][name] }
}

// MARK: The app

/// An app whose types have names that the description has, too, and fields of every kind.
private struct NewsstandApp: CoordinatedApp {
    let name = "Newsstand"
    let version = "3"
    let events = EventCatalog(NewsstandEvents.self)
    let routes = RouteCatalog(NewsstandCoordinator.Route.self)
    var samples: [Sample] { [.input("count", of: "newsstand.buy", 3)] }

    func makeRootCoordinator(options: NewsstandOptions) -> CoordinatorNode { NewsstandCoordinator() }
}

private enum Badge: String, CaseIterable, PlainValueConvertible { case small, large }
/// Choices for which generators find no names, or twice the same.
private enum Mood: String, CaseIterable, PlainValueConvertible {
    case good = "🙂"
    case bad = "a-b"
    case worse = "a_b"
}

private struct NewsstandOptions: SessionOptions {
    var size = Badge.small
    var mood = Mood.good
    static let declaration = OptionDeclaration<Self>(.option("size", \.size), .option("mood", \.mood))
}

private struct Paper: KnownByID, Equatable {
    let id: String
    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Paper]? {
        ["daily", "weekly"].map { Paper(id: $0) }
    }
}

private struct Note: PlainObject {
    let value: Double
    let marks: [String]?
    static let declaration = ObjectDeclaration(Note.init, .field("value", \.value), .field("marks", \.marks))
}

private enum NewsstandEvents: DeclaredEvents {
    case buy(Paper, count: Int, bag: Badge?)
    case pay(Secret, [Note])
    case close
    case reopen, reOpen

    static let declaration = EventDeclaration<Self>(
        "newsstand",
        .event("buy", Self.buy, "paper", "count", "bag") {
            if case .buy(let paper, let count, let bag) = $0 { (paper, count, bag) } else { nil }
        },
        .event("pay", Self.pay, "pin", "notes") { if case .pay(let pin, let notes) = $0 { (pin, notes) } else { nil } },
        .event("close", { NewsstandEvents.close }) { if case .close = $0 { () } else { nil } },
        // Names that are the same word in a client.
        .event("re-open", { NewsstandEvents.reopen }) { if case .reopen = $0 { () } else { nil } },
        .event("reOpen", { NewsstandEvents.reOpen }) { if case .reOpen = $0 { () } else { nil } })
}

private final class NewsstandCoordinator: Coordinator<NewsstandViewController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case start
        case paper(Paper)
        static let declaration = RouteDeclaration<Self>(
            .route("newsstand", { Route.start }) { if case .start = $0 { () } else { nil } },
            .route("newsstand/{paper}", Self.paper) { if case .paper(let paper) = $0 { paper } else { nil } })
    }

    var activeRoute = Route.start
    func goTo(_ route: Route) { activeRoute = route }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case NewsstandEvents.close = event else { return event is NewsstandEvents }
        present(WrappingCoordinator()) { _ in }
        return true
    }
}

private final class WrappingCoordinator: Coordinator<ViewController>, HasResult {
    typealias ResultType = Badge
}

private final class NewsstandViewController: ViewController, HasContent {
    var content: [Note]? { [Note(value: 1, marks: nil)] }
    override var actions: [Action] { [Action(title: "Close", event: NewsstandEvents.close)] }
}
