import Coordinate
import Synchronization

/// An insurance claim: a code by SMS, a lock after three wrong codes, a confirmation before the documents.
struct ClaimApp: CoordinatedApp {
    let name = "Claim"
    let version = "1.0"
    let events = EventCatalog(ClaimEvents.self)
    let routes = RouteCatalog(ClaimCoordinator.Route.self)
    let messages = SentMessages()

    func makeRootCoordinator() -> CoordinatorNode { ClaimCoordinator(messages: messages) }
}

/// The messages that the app's work has sent.
final class SentMessages: Sendable {
    private let sent = Mutex<[(phone: String, key: String)]>([])

    var all: [(phone: String, key: String)] { sent.withLock { $0 } }

    func send(to phone: String, key: String) {
        sent.withLock { $0.append((phone, key)) }
    }
}

enum ClaimEvents: CoordinateEvents, DeclaredEvents, Equatable {
    case enterPhone(String)
    case enterCode(String)
    case confirm
    case logOut
    case didSend
    case didApprove(String)

    static let declaration = EventDeclaration<Self>(
        "claim",
        .event("enterPhone", Self.enterPhone, "phone") { if case .enterPhone(let text) = $0 { text } else { nil } },
        .event("enterCode", Self.enterCode, "code") { if case .enterCode(let text) = $0 { text } else { nil } },
        .event("confirm", .confirm),
        .event("logOut", .logOut),
        .event("didSend", .didSend).appOnly,
        .event("didApprove", Self.didApprove, "amount") { if case .didApprove(let text) = $0 { text } else { nil } }
            .appOnly)
}

final class ClaimCoordinator: ContainerCoordinator<ViewController>, HasRoutes, HasGuard {
    enum Route: Equatable, DeclaredRoutes {
        case phone, code, locked, terms, documents

        static let declaration = RouteDeclaration<Self>(
            .route("phone", .phone), .route("code", .code), .route("locked", .locked), .route("terms", .terms),
            .route("documents", .documents))
    }

    static let code = "4711"

    var activeRoute: Route = .phone
    private let messages: SentMessages
    private var phone = ""
    private var wrongCodes = 0
    private var isLoggedIn = false
    private var hasConfirmed = false
    private var approval: String?

    init(messages: SentMessages) {
        self.messages = messages
        super.init()
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        let actions: [Action] =
            switch route {
            case .phone:
                [
                    Action(
                        title: "Send code", event: ClaimEvents.enterPhone(phone),
                        inputs: [Action.Input("phone", title: "Phone")])
                ]
            case .code:
                [
                    Action(
                        title: "Log in", event: ClaimEvents.enterCode(""), inputs: [Action.Input("code", title: "Code")]
                    )
                ]
            case .locked: []
            case .terms: [Action(title: "Confirm", event: ClaimEvents.confirm)]
            case .documents: [Action(title: "Log out", event: ClaimEvents.logOut)]
            }
        root(ClaimPageCoordinator(approval.map { "Approved: \($0)" } ?? "\(route)", actions: actions), for: route)
        activeRoute = route
    }

    func decide(on route: Route) -> RouteDecision<Route> {
        switch route {
        case _ where wrongCodes >= 3: route == .locked ? .granted : .redirected(to: .locked)
        case .documents where !isLoggedIn: .redirected(to: .phone)
        case .documents where !hasConfirmed: .redirected(to: .terms)
        case .terms: isLoggedIn ? .granted : .redirected(to: .phone)
        default: .granted
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? ClaimEvents else { return false }
        switch event {
        case .enterPhone(let phone):
            self.phone = phone
            perform(
                "send", { [messages] context in messages.send(to: phone, key: context.key) },
                done: { ClaimEvents.didSend },
                failed: { _ in ClaimEvents.didSend })
            navigate(to: .code)
        case .enterCode(Self.code):
            isLoggedIn = true
            navigate(to: .terms)
        case .enterCode:
            wrongCodes += 1
            navigate(to: wrongCodes < 3 ? .code : .locked)
        case .confirm:
            hasConfirmed = true
            navigate(to: .documents)
        case .logOut:
            isLoggedIn = false
            navigate(to: .phone)
        case .didSend: break
        case .didApprove(let amount):
            approval = amount
            goTo(.documents)
        }
        return true
    }
}

final class ClaimPageCoordinator: Coordinator<ClaimViewController> {
    init(_ title: String, actions: [Action]) {
        super.init()
        rootViewController.title = title
        rootViewController.offered = actions
    }
}

final class ClaimViewController: ViewController {
    var offered: [Action] = []
    override var actions: [Action] { offered }
}
