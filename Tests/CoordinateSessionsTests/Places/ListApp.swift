import Coordinate

/// An app whose only screen shows what a test says, so that two of them are two releases.
struct ListApp: CoordinatedApp {
    let name = "List"
    var version = "1"
    var list = List()
    var migration: @Sendable (inout RecordedEvent) -> Void = { _ in }

    let events = EventCatalog(ListEvents.self, ItemEvents.self)
    let routes = RouteCatalog(ListCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode {
        let root = ListCoordinator()
        root.setDependencies(dependencies: list)
        return root
    }

    func migrate(_ event: inout RecordedEvent) { migration(&event) }

    func facts(of root: CoordinatorNode) -> [String: String] { list.facts }
}

/// What the screen shows.
struct List: AppDependenciesProtocol {
    var title = "Groceries"
    var message: String?
    var status = Screen.Status.ready
    var sections: [Screen.Section] = []
    var rows = ["milk": "Milk", "eggs": "Eggs"]
    var emptyText: String?
    var content: [Int]?
    /// The value of the first row, and what stands below its title.
    var (value, subtitle): (String?, String?)
    var buttons = ["Buy"]
    /// The form's fields, and whether it exists.
    var inputs = ["text", "amount"]
    var entered = "bread"
    var error: String?
    var choices: [Int]?
    var timers = ["reminder"]
    var facts: [String: String] = [:]
    var isOpen = false
    var hasSheet = false
    /// Whether an event and a class of coordinator have their new names.
    var isRenamed = false
    /// Whether each button is in the row of another item.
    var isSwapped = false
}

final class ListCoordinator: NavigationCoordinator<NavigationController>, NeedsDependencies, HasRoutes {
    enum Route: DeclaredRoutes {
        case list, login, secret

        static let declaration = RouteDeclaration<Self>(
            .route("list", .list), .route("login", .login), .route("secret", .secret))
    }

    var dependencies: List!
    var activeRoute = Route.list

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        for timer in dependencies.timers { perform(timer, after: .seconds(600), ListEvents.didRing) }
        goTo(.list)
    }

    func goTo(_ route: Route) {
        dismiss()
        root(screen, for: .list)
        if dependencies.hasSheet { present(screen, for: .list) }
        if route != .list { show(Coordinator<ViewController>(), for: route) }
    }

    private var screen: CoordinatorNode { dependencies.isRenamed ? ItemsCoordinator() : ScreenCoordinator() }
}

extension ListCoordinator: HasGuard {
    func decide(on route: Route) -> RouteDecision<Route> {
        route == .secret && !dependencies.isOpen ? .redirected(to: .login, parking: .untilGranted) : .granted
    }
}

class ScreenCoordinator: Coordinator<ListViewController> {}

/// The same under its new name.
final class ItemsCoordinator: ScreenCoordinator {}

final class ListViewController: ViewController, NeedsDependencies, HasContent {
    var dependencies: List!

    override var currentTitle: String? { dependencies.title }
    override var message: String? { dependencies.message }
    override var status: Screen.Status { dependencies.status }
    override var sections: [Screen.Section] { dependencies.sections }
    override var emptyText: String? { dependencies.emptyText }
    var content: [Int]? { dependencies.content }

    override var rows: [Screen.Row] {
        dependencies.rows.sorted { $0.key > $1.key }.enumerated().map { index, row in
            Screen.Row(
                id: row.key, title: row.value, subtitle: index == 0 ? dependencies.subtitle : nil,
                value: index == 0 ? dependencies.value : nil,
                actions: dependencies.buttons.map {
                    buy(dependencies.isSwapped ? row.key == "milk" ? "eggs" : "milk" : row.key, $0)
                })
        }
    }

    private func buy(_ item: String, _ title: String) -> Action {
        dependencies.isRenamed
            ? Action(title: title, event: ItemEvents.didBuy(item))
            : Action(title: title, event: ListEvents.didTake(item))
    }

    override var actions: [Action] {
        let inputs = dependencies.inputs.map { field in
            field == "text"
                ? Action.Input(field, title: "Text", error: dependencies.error)
                : Action.Input(
                    field, title: "Amount",
                    choices: dependencies.choices?.map { Action.Input.Choice($0, title: "\($0)") })
        }
        if dependencies.isRenamed { return [] }
        return inputs.isEmpty
            ? [] : [Action(title: "Add", event: ListEvents.add(text: dependencies.entered, amount: 1), inputs: inputs)]
    }
}

enum ListEvents: DeclaredEvents, Equatable {
    case didTake(_ item: String)
    case add(text: String, amount: Int?)
    case didRing

    static let declaration = EventDeclaration<Self>(
        "list",
        .event("didTake", Self.didTake, "item") { if case .didTake(let item) = $0 { item } else { nil } },
        .event("add", Self.add, "text", "amount") {
            if case .add(let text, let amount) = $0 { (text, amount) } else { nil }
        },
        .event("didRing", .didRing).appOnly)
}

enum ItemEvents: DeclaredEvents, Equatable {
    case didBuy(_ item: String)

    static let declaration = EventDeclaration<Self>(
        "item", .event("didBuy", Self.didBuy, "item") { if case .didBuy(let item) = $0 { item } else { nil } })
}
