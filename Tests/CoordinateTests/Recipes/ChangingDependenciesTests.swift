import Coordinate
import Testing

private final class Settings {
    var currency = "EUR"
}

private struct API: Sendable {
    var user: String?

    func offers() async throws -> String {
        user.map { "Boots for \($0)" } ?? "Boots"
    }
}

private struct AppDependencies: AppDependenciesProtocol {
    let settings: Settings
    var api: API
}

private enum AppEvents: CoordinateEvents, Equatable {
    case didLogIn(_ user: String)
    case setCurrency(_ currency: String)
    case offersDidLoad(_ offers: String)
    case offersDidFail(_ failure: WorkFailure)
}

extension AppEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "app",
        .event("didLogIn", Self.didLogIn, "user") { if case .didLogIn(let user) = $0 { user } else { nil } },
        .event("setCurrency", Self.setCurrency, "currency") {
            if case .setCurrency(let currency) = $0 { currency } else { nil }
        },
        .event("offersDidLoad", Self.offersDidLoad, "offers") {
            if case .offersDidLoad(let offers) = $0 { offers } else { nil }
        }.appOnly,
        .event("offersDidFail", Self.offersDidFail, "reason") {
            if case .offersDidFail(let failure) = $0 { failure } else { nil }
        }.appOnly
    )
}

private final class MainCoordinator: TabBarCoordinator<TabBarController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([OffersCoordinator(), AccountCoordinator()])
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.setCurrency(let currency):
            dependencies?.settings.currency = currency
        case AppEvents.didLogIn(let user):
            var changed = dependencies
            changed?.api.user = user
            setDependencies(dependencies: changed)
        default:
            return false
        }
        return true
    }
}

private final class OffersCoordinator: Coordinator<OffersViewController>, HasDependencies {
    var dependencies: AppDependencies? {
        didSet {
            rootViewController.settings = dependencies?.settings
            if isStarted { load() }
        }
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        load()
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.offersDidLoad(let offers): rootViewController.offers = offers
        case AppEvents.offersDidFail: rootViewController.offers = nil
        default: return false
        }
        return true
    }

    private func load() {
        guard let api = dependencies?.api else { return }
        cancel("offers")
        perform(
            "offers", { _ in try await api.offers() }, done: AppEvents.offersDidLoad, failed: AppEvents.offersDidFail)
    }
}

private final class OffersViewController: ViewController {
    var settings: Settings?
    var offers: String?

    override var rows: [Screen.Row] {
        guard let offers, let settings else { return [] }
        return [Screen.Row(id: "offers", title: offers, subtitle: settings.currency)]
    }
}

private final class AccountCoordinator: Coordinator<ViewController>, HasDependencies {
    var dependencies: AppDependencies? {
        didSet { rootViewController.title = dependencies?.api.user ?? "Log in" }
    }
}

struct ChangingDependenciesTests {
    private let main = MainCoordinator()

    init() throws {
        main.setDependencies(dependencies: AppDependencies(settings: Settings(), api: API()))
        try main.turn { main.start() }
    }

    private func emit(_ event: any CoordinateEvents) throws {
        _ = try main.turn { main.visibleLeaf.emitEvent(event) }
    }

    private var row: Screen.Row? { main.navigationState.screen.rows.first }

    @Test func aReferenceChangesForAll() async throws {
        try await main.work.run("offers")
        #expect(row?.subtitle == "EUR")
        try emit(AppEvents.setCurrency("CHF"))
        #expect(row?.subtitle == "CHF")
    }
}

extension ChangingDependenciesTests {
    @Test func workThatIsUnderWayIsAskedForAgain() async throws {
        let before = try #require(main.work.first)
        try emit(AppEvents.didLogIn("anna"))
        #expect(main.work.map(\.name) == ["offers"])
        #expect(main.work.first?.id != before.id)
        try await main.work.run("offers")
        #expect(row?.title == "Boots for anna")
    }
}
