import Coordinate
import CoordinateClient
import CoordinateTesting
import ServerFixtures
import SessionFixtures
import Testing

/// Sending and pressing events of the app's own enums.
struct TypedEventTests {
    private static let parcels = [
        Parcel(text: "", count: 0, factor: 1, isOpen: true, note: nil, tags: [], dish: .bread),
        Parcel(
            text: "\"é\\\n\u{0}😀", count: .max, factor: 0.1, isOpen: false, note: "", tags: ["b", "a"], dish: .soup),
        Parcel(text: "null", count: .min, factor: 1e300, isOpen: true, note: "null", tags: [""], dish: .soup),
        Parcel(text: "1", count: -1, factor: 9_007_199_254_740_994, isOpen: true, note: nil, tags: [], dish: .soup),
    ]

    @Test(arguments: parcels)
    private func aPayloadArrivesAsItIs(_ parcel: Parcel) async throws {
        try await withServer(app: PostApp()) { server in
            let client = server.client()
            let outcome = try await client.send(PostEvents.put(parcel), expecting: .handled)
            #expect(outcome.route?.screen.title == "\(parcel)")
            let pressed = try await client.press(PostEvents.put(parcel))
            #expect(pressed.route?.screen.title == "\(parcel)")
        }
    }

    @Test(arguments: TestTransport.allCases)
    func aSecretArrives(over transport: TestTransport) async throws {
        try await withServer(app: PostApp(), over: transport) { server in
            let client = server.client()
            for (number, secret) in ["open sesame", "", "\"é\\"].enumerated() {
                let event = PostEvents.unlock(Key(box: number, code: Secret(secret)))
                try await client.send(event, expecting: .handled)
                #expect(try await client.settle().screen.message == secret)
            }
            #expect(try await client.journal().events[0].payload == ["key": ["box": 0]])
        }
    }

    @Test(.serving(FormApp())) func theEventTellsWhichActionIsPressed() async throws {
        // The form shows other values than these.
        try await client.press(
            FormEvents.join(name: "Ada", zip: "8002", .fr, guests: 2, newsletter: true, Secret("open sesame")))
        try await client.press(FormEvents.bring(.bread, 1))
        try await client.press(FormEvents.bring(.soup, 7))
        #expect(try await client.route().screen.rows.map(\.value) == ["1", "7"])
        try await client.press(FormEvents.drop(.soup))
        try await client.press(FormEvents.invite)
        let form = try await client.route().screen.actions[0]
        #expect(form.payload["country"] == "fr")
        #expect(form.payload["guests"] == 2)
        #expect(try await client.press(NavigationEvents.dismiss).route?.screen.rows.count == 2)
    }

    @Test(.serving(FormApp())) func anEventThatIsNotOfferedIsAnsweredWithThoseThatAre() async throws {
        let other = await #expect(throws: PressError.self) { try await client.press(FormEvents.invite) }
        #expect(
            other?.message == """
                No action on / sends form.invite {}. There are: \
                form.join {"country":"ch","guests":null,"name":"","newsletter":false,"password":"","zip":"8001"}.
                """)
        try await client.press(
            FormEvents.join(name: "", zip: "8001", .ch, guests: nil, newsletter: true, Secret("")))
        let same = await #expect(throws: PressError.self) { try await client.press(FormEvents.drop(.bread)) }
        #expect(
            same?.message
                == #"No action on / sends form.drop {"dish":"bread"}. There are: form.drop {"dish":"soup"}."#)
        #expect(try await client.session().version == 1)
    }

    @Test(.working) func anEventCanBeExpectedToBeRefusedOrSentToACoordinator() async throws {
        let problem = try await client.send(WorkEvents.didFire, expecting: .refused("event-not-allowed"))
        #expect(problem.type == "/problems/event-not-allowed")
        #expect(try await client.send(WorkEvents.push, at: "WorkCoordinator").trace.count == 1)
    }
}

/// An app that shows what it gets, and the texts of secrets.
private struct PostApp: CoordinatedApp {
    let name = "Post"
    let version = "1.0"
    let events = EventCatalog(PostEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { PostCoordinator() }
}

private enum PostEvents: DeclaredEvents, Equatable {
    case put(Parcel)
    case unlock(Key)
    case didUnlock(String)

    static let declaration = EventDeclaration<Self>(
        "post", .event("put", Self.put, "parcel") { if case .put(let parcel) = $0 { parcel } else { nil } },
        .event("unlock", Self.unlock, "key") { if case .unlock(let key) = $0 { key } else { nil } },
        .event("didUnlock", Self.didUnlock, "code") { if case .didUnlock(let code) = $0 { code } else { nil } }.appOnly)
}

private struct Parcel: PlainObject, Equatable {
    var text: String
    var count: Int
    var factor: Double
    var isOpen: Bool
    var note: String?
    var tags: [String]
    var dish: FormEvents.Dish

    static let declaration = ObjectDeclaration(
        Parcel.init, .field("text", \.text), .field("count", \.count), .field("factor", \.factor),
        .field("isOpen", \.isOpen), .field("note", \.note), .field("tags", \.tags), .field("dish", \.dish))
}

private struct Key: PlainObject, Equatable {
    var box: Int
    var code: Secret

    static let declaration = ObjectDeclaration(Key.init, .field("box", \.box), .field("code", \.code))
}

private final class PostCoordinator: Coordinator<PostViewController> {
    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case PostEvents.put(let parcel): rootViewController.parcel = parcel
        case PostEvents.unlock(let key):
            perform(
                "unlock", with: key.code, { $1 }, done: PostEvents.didUnlock,
                failed: { PostEvents.didUnlock("\($0)") })
        case PostEvents.didUnlock(let code): rootViewController.code = code
        default: return false
        }
        return true
    }
}

private final class PostViewController: ViewController {
    var parcel: Parcel?
    var code: String?

    override var currentTitle: String? { parcel.map { "\($0)" } }
    override var message: String? { code }
    override var actions: [Action] { parcel.map { [Action(title: "Put", event: PostEvents.put($0))] } ?? [] }
}
