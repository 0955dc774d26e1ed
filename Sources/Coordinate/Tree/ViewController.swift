/// A screen without pixels: the state and the content of a UIKit view controller, as values.
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
/// Its coordinator sets the data. The screen computes what it shows whenever that is read.
open class ViewController: Responder {
    /// The text at the top of the screen, and on the Back button of the next screen. Override ``currentTitle`` to
    /// compute it instead.
    public final var title: String? {
        get { ownTitle }
        set { ownTitle = newValue }
    }

    // Without a check for exclusive access, because it is private and never changed in place: 3 % of a snapshot.
    private final var ownTitle: String?

    final var coordinator: CoordinatorNode? {
        get { reference?.node }
        set { reference = newValue?.reference }
    }

    private final var reference: CoordinatorReference?
    private final var loadedTabBarItem: TabBarItem?
    private final weak var container: ViewController?

    /// The screens inside this one that have no coordinator of their own.
    public private(set) final var children: [ViewController] = []

    /// Creates the screen. Override it to set values that never change, such as the title.
    public required override init() {
        super.init()
    }

    // MARK: Content

    /// The name of this screen in documents and in the map of the app: the name of its class without the suffix
    /// `ViewController`. Override it to tell screens of one class apart, such as the steps of a wizard:
    ///
    /// ```swift
    /// override var name: String { "Claim-\(argument.step)" }
    /// ```
    open var name: String { metadata.screenName }

    /// The metadata of this screen's class.
    final lazy var metadata = TypeMetadata.of(type(of: self))

    /// The title that the screen shows; by default ``title``. Override it for a title that depends on other values.
    ///
    /// ```swift
    /// override var currentTitle: String? { "Order \(number)" }
    /// ```
    open var currentTitle: String? { title }

    /// The state of this screen's content; by default ready.
    open var status: Screen.Status { .ready }

    /// A sentence about the state; `nil` if there is none.
    open var message: String? { nil }

    /// The sections of the rows, top to bottom. Rows without a section come first. A section without rows is shown only
    /// if it has a footer.
    open var sections: [Screen.Section] { [] }

    /// The rows of this screen, top to bottom.
    open var rows: [Screen.Row] { [] }

    /// The text in place of the rows if there are none; `nil` for no text.
    open var emptyText: String? { nil }

    /// The actions of this screen, without those of its rows.
    open var actions: [Action] { [] }

    // MARK: Surroundings

    /// The item of this screen in a tab bar, created when it is first read.
    public final var tabBarItem: TabBarItem! {
        get {
            if let loadedTabBarItem { return loadedTabBarItem }
            let item = TabBarItem(title: title, image: nil, tag: 0)
            loadedTabBarItem = item
            return item
        }
        set { loadedTabBarItem = newValue }
    }

    /// The tab bar item; `nil` if it was never read or set.
    final var tabBarItemIfLoaded: TabBarItem? { loadedTabBarItem }

    /// The screen that contains this one.
    public final var parent: ViewController? {
        if let container { return container }
        guard let coordinator, coordinator.presenterNode == nil else { return nil }
        return coordinator.parentNode?.screen
    }

    /// The modal on top of this screen.
    public final var presentedViewController: ViewController? { coordinator?.presentedNode?.screen }

    /// The screen that this one is presented on, if it is a modal.
    public final var presentingViewController: ViewController? { coordinator?.presenterNode?.screen }

    /// Adds a screen that has no coordinator of its own. Its events go to this screen first.
    ///
    /// Adding this screen itself, or one that contains it, fails the turn with
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

    /// Removes this screen from its container.
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
