/// The part of a coordinator that does not depend on its screen's class: its place in the tree and its lifecycle.
///
/// Apps subclass ``Coordinator``, ``ContainerCoordinator``, ``NavigationCoordinator`` or ``TabBarCoordinator``.
///
/// Invariants:
/// - A coordinator has at most one parent, and holds it weakly; it owns its children.
/// - A coordinator that leaves the screen is stopped once, with its whole subtree, depth first. Tabs and retained
///   coordinators are kept.
/// - At the end of a turn of a started tree, every visible coordinator is started and active, and no other is active.
open class CoordinatorNode: Responder, Coordinating {
    /// The id of this node. See ``Coordinating/id``. For a node without a parent, its own name.
    public final var id: String { idInTree ?? placeableIdentifier }

    /// Whether this coordinator is started and not yet stopped.
    public internal(set) final var isStarted: Bool {
        get { isRunning }
        set {
            isRunning = newValue
            if !newValue, let cachedTree, !cachedTree.work.isEmpty { cachedTree.work.cancel(of: self) }
        }
    }

    // These properties are read by every event and snapshot. They have no observers and are never changed in place, so
    // the compiler omits the checks for exclusive access: 5 % of an event.
    private final var isRunning = false
    private final var shownChildren = NodeList()
    private final var shownModal: CoordinatorNode?

    let screen: ViewController
    let metadata: TypeMetadata
    /// The tree; `nil` until it is first looked up.
    final var cachedTree: TreeContext?
    private final var parentReference: CoordinatorReference?
    /// The coordinators on this one's screen, in order: one in a container, a stack bottom first, all tabs.
    final var children: NodeList { shownChildren }
    /// The coordinators that left the screen and are retained.
    final var retainedChildren = NodeList()
    /// The modals that this coordinator presented, in order. It owns them, wherever they are shown.
    final var modals = NodeList()
    /// The modal on top of this coordinator's screen. Another coordinator may have presented it.
    final var presentedNode: CoordinatorNode? {
        get { shownModal }
        set {
            shownModal = newValue
            cachedTree?.needsSettling = true
        }
    }
    /// The child that is being started before it is shown.
    final var arrivingNode: CoordinatorNode? {
        didSet { oldValue?.releaseNumber() }
    }
    /// Whether this coordinator has a section of a navigation stack that it shares with others.
    final var hasSection = false

    /// The id that the parent assigned; `nil` outside a tree. ``setID(_:)`` sets it.
    private(set) final var idInTree: String?
    /// Whether the last part of the id is the name of the class. Most coordinators are named after it.
    private(set) final var hasNameOfClass = false
    private final var customIdentifier: String?
    final var place = NodeList.Place()
    /// A reference to this node that does not keep it alive.
    private(set) final var reference: CoordinatorReference!

    /// Whether ``activate()`` was called after the last ``deactivate()``.
    final var isActive = false
    /// Whether a navigation request is being carried out here. Another one has to wait.
    final var isNavigating = false
    /// Whether ``start(with:)`` of this class was called. It stays false if an override does not call `super`.
    final var hasBegun = false
    /// Whether this container with routes has started and was not visible yet. If it shows nothing then, it goes to its
    /// active route.
    final var awaitsFirstRoute = false
    /// Whether this node is ending. Requests to it are refused.
    final var isBeingRemoved = false

    /// The record of this coordinator's own routes: which one is shown, and which one the app has set.
    final var routeState = RouteState()
    /// The routes for which other coordinators showed this one.
    final var shown = ShownRoutes()
    /// The coordinator below this one; `nil` if this one is not a modal.
    private final var presenterReference: CoordinatorReference?
    /// The terms on which to show this coordinator, from the call that sets them to the request that reads them.
    final var terms: ShowingTerms?
    /// How this coordinator is being shown; `nil` before and after.
    final var arrival: Arrival?
    /// The handler of this coordinator's result; `nil` if no coordinator waits for it.
    final var resultHandler: ResultHandler?

    init(screen: ViewController) {
        self.screen = screen
        metadata = TypeMetadata.of(type(of: self))
        super.init()
        reference = CoordinatorReference(to: self)
        screen.coordinator = self
    }

    deinit {
        reference.isOver = true
    }

    // MARK: Identity

    /// The name of this coordinator among its siblings: the name of its class, unless set or overridden.
    ///
    /// It should not contain `/`; the ``id`` has `-` instead.
    open var identifier: String {
        get { customIdentifier ?? className }
        set { customIdentifier = newValue }
    }

    package final var className: String { metadata.name }

    final func setID(_ id: String?) {
        idInTree = id
        hasNameOfClass = id.map { $0 == className || $0.hasSuffix(metadata.suffix) } ?? false
    }

    final var routes: (any HasRoutes)? { metadata.routesCast?(self) }

    /// Whether the parent keeps this coordinator, still started, when it leaves the screen. By default false.
    ///
    /// When a container shows it again, it is activated, not started:
    ///
    /// ```swift
    /// root(getCached(EditorCoordinator.self) ?? EditorCoordinator())
    /// ```
    ///
    /// It ends with its parent, or when its own ``stop(with:)`` is called.
    open var isRetained: Bool { false }

    // MARK: The tree around

    final var parentNode: CoordinatorNode? {
        get { parentReference?.node }
        set { parentReference = newValue?.reference }
    }

    /// The coordinator below this one, if this one is a modal.
    final var presenterNode: CoordinatorNode? {
        get { presenterReference?.node }
        set { presenterReference = newValue?.reference }
    }

    /// The coordinator whose screen contains this one: the one below it if it is a modal, otherwise its parent.
    final var surroundingNode: CoordinatorNode? { presenterNode ?? parentNode }

    /// The parent of this coordinator: the one that shows it, or that presented it. The library sets it.
    open var parentCoordinator: (any Coordinating)? {
        get { parentNode }
        set {
            parentNode = newValue?.node
            cachedTree?.index?.releaseNumbers()
        }
    }

    /// The coordinators that this one owns, keyed by the last part of their ``id``: those on its screen, retained ones,
    /// its modals, and those that it pushed on a shared stack.
    public final var childCoordinators: [String: any Coordinating] {
        var byName: [String: any Coordinating] = [:]
        for child in ownedNodes { byName[child.nameInParent] = child }
        return byName
    }

    /// The modal on top of this coordinator. It is not one of the children on the screen.
    public final var presentedCoordinator: (any Coordinating)? { presentedNode }

    /// Returns the screen as a ``ViewController``. ``Coordinator/rootViewController`` has its class.
    public func getRootViewController() -> ViewController {
        screen
    }

    final func changeChildren(_ change: (inout NodeList) -> Void) {
        var list = shownChildren
        shownChildren = NodeList()
        change(&list)
        shownChildren = list
        cachedTree?.needsSettling = true
    }

    /// The context that all nodes of one tree share. The root creates it when it is first needed.
    final var tree: TreeContext {
        if let cachedTree { return cachedTree }
        let tree = parentNode?.tree ?? TreeContext(root: self)
        cachedTree = tree
        return tree
    }

    final override var asCoordinator: CoordinatorNode? { self }
    final override var owningCoordinator: CoordinatorNode? { self }
    final override var nextResponder: Responder? { parentNode?.screen }

    // MARK: Lifecycle

    /// Prepares the coordinator before its screen is shown. An override calls `super` with the completion.
    ///
    /// The coordinator is in the tree and has its dependencies, but is not visible yet. The library calls it once, when
    /// the coordinator is shown or its tab is first selected. After ``stop(with:)`` it may be called again.
    ///
    /// A container with routes needs no override to show its first screen: see ``HasRoutes``.
    ///
    /// On a root, it starts the whole tree. A host calls it within ``turn(_:)``, so that the tree settles once, after
    /// the override.
    ///
    /// - Parameter completion: Called exactly once, before this returns.
    open func start(with completion: @escaping () -> Void = {}) {
        if parentNode == nil {
            setID(placeableIdentifier)
            if metadata.isGuarding { tree.hasGuards = true }
        }
        tree.perform {
            guard parentNode != nil || hasAllItNeeds() else { return completion() }
            hasBegun = true
            isStarted = true
            awaitsFirstRoute = metadata.hasRoutes && kind != .leaf
            linkScreen()
            tree.needsSettling = true
            if startsChildren {
                for child in ownedNodes { child.startIfNeeded() }
            }
            completion()
        }
    }

    @available(
        *, unavailable,
        message: """
            Override start(with:) instead, with its default argument: \
            override func start(with completion: @escaping () -> Void = {}).
            """
    )
    open func start() {}

    /// Ends this coordinator: stops everything that it owns, and leaves the screen. An override calls `super` with the
    /// completion.
    ///
    /// Events still bubble up while it runs; the coordinator leaves the tree afterwards. The library calls it on each
    /// coordinator that leaves the screen. An app may call it to remove a coordinator from the screen.
    ///
    /// - Parameter completion: Called exactly once, before this returns.
    open func stop(with completion: @escaping () -> Void = {}) {
        guard isStarted, tree.allows(.strayNavigation(coordinator: id)) else { return completion() }
        tree.perform {
            let isOwnRequest = !isBeingRemoved
            isBeingRemoved = true
            endAllOwned()
            deactivateIfActive()
            isStarted = false
            if isOwnRequest {
                isBeingRemoved = false
                if let parentNode {
                    parentNode.removeStopped(self)
                } else {
                    tree.links.parked = nil
                    unlinkScreen()
                }
            }
            completion()
        }
    }

    /// Called once at the end of a turn that made this coordinator visible. Override it to refresh what the screen
    /// shows.
    ///
    /// Outer coordinators are activated before those inside them. What an override does is part of the same turn.
    open func activate() {}

    /// Called once at the end of a turn that hid this coordinator, or when it ends while it is visible.
    ///
    /// When it ends, this is called right before ``stop(with:)``, or within it if the app called `stop(with:)` itself.
    open func deactivate() {}

    /// Returns the question to show before a user leaves this coordinator; `nil` if there is none.
    ///
    /// The library calls it when a user's Back, pop to the root, dismissal, tap on a tab, or link would remove this
    /// coordinator from the screen. The user's event then waits for the choice. Navigation by the app itself, including
    /// guards, shows no question. An override must not change state. See <doc:UnsavedChanges>.
    open func alertBeforeLeaving() -> Alert? { nil }

    // MARK: Overridden by containers

    var kind: CoordinatorKind { .leaf }

    /// The position of the visible child in ``children``; `nil` if there is none.
    var visibleIndex: Int? { nil }

    final var visibleChild: CoordinatorNode? { visibleIndex.map { children[$0] } }

    /// Whether the children start with this coordinator, visible or not.
    var startsChildren: Bool { true }

    /// Returns whether another child hides a child and its modals.
    func hides(_ child: CoordinatorNode) -> Bool { false }

    /// Updates the screens after a change of the children.
    ///
    /// - Parameters:
    ///   - index: The position of the first changed child.
    ///   - selected: The child that was selected before the change.
    func layOut(from index: Int, selecting selected: CoordinatorNode?) {}

    /// Returns the route of this coordinator if the child at a position is visible.
    func routeOfChild(at index: Int) -> ShownRoute? {
        children[index].shown.route
    }

    /// Carries out a user's navigation event that the app did not intercept.
    ///
    /// - Returns: True if this coordinator handled the event.
    func navigate(on event: NavigationEvents) -> Bool {
        switch event {
        case .open(let link):
            return parentNode == nil && open(link)
        case .dismiss:
            guard let top = modals.last(where: \.isTopModal) else { return false }
            leave(top.withAllBelow, on: event) { dismiss(top) }
            return true
        case .back, .popToRoot, .selectTab, .choose:
            return false
        }
    }
}

/// How a coordinator shows its children.
public enum CoordinatorKind: String, Sendable {
    /// It shows none.
    case leaf
    /// It shows one at a time.
    case container
    /// It stacks them.
    case navigation
    /// It shows them side by side.
    case tabBar
}
