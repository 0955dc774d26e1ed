/// A screen without pixels: the state of a UIKit view controller, and what it would show, as values.
///
/// ```swift
/// final class TeamsListViewController: ViewController {
///     var teams: [Team] = []
///
///     override var rows: [Screen.Row] {
///         teams.map { team in
///             Screen.Row(id: team.id, title: team.name,
///                        action: Action(title: team.name, event: AppEvents.Teams.didSelect(team)))
///         }
///     }
/// }
/// ```
///
/// Its coordinator sets the data; what the screen shows is computed when it is read.
open class ViewController: Responder {
    /// The text at the top of the screen, and on the Back button of the one above it. Override ``currentTitle`` to
    /// compute it instead.
    public final var title: String? {
        get { ownTitle }
        set { ownTitle = newValue }
    }

    // What every look at a tree reads is private, and never changed in place: so the compiler sees that nobody can read
    // it meanwhile, and has not to check that each time.
    private final var ownTitle: String?

    /// The coordinator this screen belongs to. It owns the screen.
    final var coordinator: CoordinatorNode? {
        get { reference?.node }
        set { reference = newValue?.reference }
    }

    private final var reference: CoordinatorReference?
    private final var loadedTabBarItem: TabBarItem?
    private final weak var container: ViewController?

    /// The screens inside this one that have no coordinator of their own.
    public private(set) final var children: [ViewController] = []

    /// Creates the screen. Override it to set what never changes, such as the title.
    public required override init() {
        super.init()
    }

    // MARK: What it shows

    /// The name of this screen in the picture of a tree: that of its class without `ViewController` at its end.
    open var name: String { facts.screenName }

    /// The facts about this screen's class.
    final lazy var facts = ClassFacts.of(type(of: self))

    /// The title as the screen shows it: ``title`` by default. Override it for a title that depends on other values.
    ///
    /// ```swift
    /// override var currentTitle: String? { "Order \(number)" }
    /// ```
    open var currentTitle: String? { title }

    /// The state of this screen's content. By default ready.
    open var status: Screen.Status { .ready }

    /// A sentence about the state; `nil` if there is nothing to say.
    open var message: String? { nil }

    /// The rows of this screen, top to bottom.
    open var rows: [Screen.Row] { [] }

    /// The actions of this screen, apart from those of its rows.
    open var actions: [Action] { [] }

    // MARK: Around it

    /// The item of this screen in a tab bar; made when first asked for.
    public final var tabBarItem: TabBarItem! {
        get {
            if let loadedTabBarItem { return loadedTabBarItem }
            let item = TabBarItem(title: title, image: nil, tag: 0)
            loadedTabBarItem = item
            return item
        }
        set { loadedTabBarItem = newValue }
    }

    /// The tab bar item if there is one, without making it.
    final var tabBarItemIfLoaded: TabBarItem? { loadedTabBarItem }

    /// The screen that contains this one.
    public final var parent: ViewController? {
        if let container { return container }
        guard let coordinator, coordinator.presenterNode == nil else { return nil }
        return coordinator.parentNode?.screen
    }

    /// The modal on top of this screen.
    public final var presentedViewController: ViewController? { coordinator?.presentedNode?.screen }

    /// The screen on top of which this one is a modal.
    public final var presentingViewController: ViewController? { coordinator?.presenterNode?.screen }

    /// Adds a screen without a coordinator of its own to this one: its events go to this one first.
    ///
    /// Adding a screen around this one, or this one itself, fails the turn with
    /// ``Diagnostic/containsItself(coordinator:)``.
    public final func addChild(_ child: ViewController) {
        guard !sequence(first: self, next: \.container).contains(where: { $0 === child }) else {
            owningCoordinator?.tree.report(.containsItself(coordinator: child.name))
            return
        }
        child.removeFromParent()
        child.container = self
        children.append(child)
    }

    /// Removes this screen from the one it was added to.
    public final func removeFromParent() {
        container?.children.removeAll { $0 === self }
        container = nil
    }

    final override var nextResponder: Responder? { coordinator ?? container }

    final override var owningCoordinator: CoordinatorNode? {
        var screen: ViewController? = self
        while let current = screen {
            if let coordinator = current.coordinator { return coordinator }
            screen = current.container
        }
        return nil
    }
}
