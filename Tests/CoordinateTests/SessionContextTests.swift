import Coordinate
import Testing

/// The session as an app knows it: while the root is made, in turns, and in work.
struct SessionContextTests {
    private let options = PlainValue.object([PlainField("locale", .string("de"))])

    @Test func anAppKnowsItsSession() async throws {
        let session = SessionContext(reference: "r", key: "customer-7", options: options, locale: "de")
        let root = GreetingApp().makeRootCoordinator(in: session)
        #expect(SessionContext.current == SessionContext())
        try root.turn { root.start() }
        #expect(root.visibleLeaf.getRootViewController().title == "made customer-7 de, started customer-7 de")
        #expect(root.sessionContext == session)
        #expect((root.visibleLeaf as? CoordinatorNode)?.sessionContext == session)
        try await root.work.run("greet")
        #expect(root.visibleLeaf.getRootViewController().title == "greeted customer-7")
    }

    @Test(arguments: [nil, "de"]) func theLocaleIsTheAppsOption(locale: String?) {
        let options = PlainValue.object(locale.map { [PlainField("locale", .string($0))] } ?? [])
        #expect(GreetingApp().context(reference: "", key: nil, options: options).locale == locale ?? "en")
    }
}

private struct GreetingApp: CoordinatedApp {
    let name = "Greeting"
    let version = "1"
    let events = EventCatalog(GreetingEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator(options: GreetingOptions) -> CoordinatorNode { GreetingCoordinator() }
}

private struct GreetingOptions: SessionOptions {
    var locale = "en"
    static let declaration = OptionDeclaration<Self>(.option("locale", \.locale))
}

private enum GreetingEvents: DeclaredEvents {
    case didGreet(_ name: String)
    case didFail(_ failure: WorkFailure)

    static let declaration = EventDeclaration<Self>(
        "greeting",
        .event("didGreet", Self.didGreet, "name") { if case .didGreet(let name) = $0 { name } else { nil } },
        .event("didFail", Self.didFail, "failure") { if case .didFail(let failure) = $0 { failure } else { nil } }
    )
}

private final class GreetingCoordinator: ContainerCoordinator<ViewController> {
    private let made = SessionContext.current

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(PageCoordinator(made: made))
    }
}

private final class PageCoordinator: Coordinator<ViewController> {
    private let made: SessionContext

    init(made: SessionContext) {
        self.made = made
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.title = "made \(words(of: made)), started \(words(of: sessionContext))"
        perform(
            "greet", { context in context.session.key ?? "-" }, done: GreetingEvents.didGreet,
            failed: GreetingEvents.didFail)
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case GreetingEvents.didGreet(let name) = event else { return false }
        rootViewController.title = "greeted \(name)"
        return true
    }

    private func words(of session: SessionContext) -> String { "\(session.key ?? "-") \(session.locale ?? "-")" }
}
