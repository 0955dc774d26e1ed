import Coordinate
import SessionFixtures

/// An app with one screen, whose title is everything that was said, and that fails on request.
struct TurnApp: CoordinatedApp {
    let name = "Turn"
    let version = "1"
    let events = EventCatalog(TurnEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { TurnCoordinator() }
}

enum TurnEvents: DeclaredEvents, Equatable {
    case say(_ text: String)
    /// Fails after a change.
    case fail
    /// Exceeds a limit of the tree.
    case fill
    /// Sets a timer.
    case set(_ name: String, after: Int)
    case fired(_ name: String)

    static let declaration = EventDeclaration<Self>(
        "turn",
        .event("say", Self.say, "text") { if case .say(let text) = $0 { text } else { nil } },
        .event("fail", .fail),
        .event("fill", .fill),
        .event("set", Self.set, "text", "seconds") {
            if case .set(let name, let seconds) = $0 { (name, seconds) } else { nil }
        },
        .event("fired", Self.fired, "text") { if case .fired(let name) = $0 { name } else { nil } }.appOnly
    )
}

/// The root, which fails once "!" was said.
private final class TurnCoordinator: Coordinator<ViewController> {
    override init() {
        super.init()
        rootViewController.title = ""
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event as? TurnEvents {
        case .say(let text)?:
            if rootViewController.title?.contains("!") == true { fail(with: SecretError()) }
            rootViewController.title? += text
        case .fail?:
            rootViewController.title? += "failed"
            fail(with: SecretError())
        case .fill?: for number in 0...100 { perform("\(number)", after: .seconds(1), TurnEvents.fired("")) }
        case .set(let name, let seconds)?: perform(name, after: .seconds(seconds), TurnEvents.fired(name))
        case .fired("!")?: fail(with: SecretError())
        case .fired("again")?: perform("again", after: .zero, TurnEvents.fired("again"))
        case .fired(let name)?: rootViewController.title? += name
        case nil: return false
        }
        return true
    }
}
