/// The part of a coordinator that does not depend on its screen's class: its place in the tree and its life.
///
/// Apps subclass ``Coordinator``, ``ContainerCoordinator``, ``NavigationCoordinator`` or ``TabBarCoordinator``.
///
/// Facts that always hold:
/// - A coordinator has at most one parent, and holds it weakly; it owns its children.
/// - A coordinator that is taken off the screen is stopped with its whole subtree, depth first, once; tabs and
///   coordinators that ask to be retained are kept.
/// - At the end of a turn of a started tree, every visible coordinator is started and active, and no other is active.
open class CoordinatorNode: Responder, Coordinating {
    /// The id of this node: see ``Coordinating/id``. Of a node without a parent, its own name.
    public final var id: String { idInTree ?? placeableIdentifier }

    /// True from the start of this coordinator until it is stopped.
    public internal(set) final var isStarted: Bool {
        get { isRunning }
        set {
            isRunning = newValue
            if !newValue, let cachedTree, !cachedTree.work.isEmpty { cachedTree.work.drop(of: self) }
        }
    }

    /// The coordinators on this one's screen, in order: one in a container, a stack bottom first, all tabs.
    final var children: NodeList { shownChildren }
    /// The modal on top of this coordinator's screen, whoever presented it.
    final var presentedNode: CoordinatorNode? {
        get { shownModal }
        set {
            shownModal = newValue
            cachedTree?.needsSettling = true
        }
    }

    // What every event reads comes first, and lies together in memory: of many sessions, each is read from there anew.
    // What each look at a tree reads is stored without observers, and is never changed in place: so the compiler sees that
    // nobody can read it meanwhile, and has not to check that each time.

    /// The screen.
    let screen: ViewController
    /// The facts about this node's class.
    let facts: ClassFacts
    /// The tree, once it has been looked up.
    final var cachedTree: TreeContext?
    private final var parentReference: CoordinatorReference?
    private final var shownChildren = NodeList()
    private final var shownModal: CoordinatorNode?
    private final var isRunning = false
    /// Whether ``activate()`` was called later than ``deactivate()``.
    final var isActive = false
    /// True while a request to navigate is being carried out here; another one has to wait.
    final var isNavigating = false
    /// Whether ``start(with:)`` of the superclass was reached.
    final var hasBegun = false
    /// True while this node is ending: requests to it now come too late.
    final var isBeingRemoved = false
    /// The id that the parent gave; `nil` outside a tree. Set by ``setID(_:)``.
    private(set) final var idInTree: String?
    /// The value of ``hasNameOfClass``; `nil` before it was first asked for.
    final var hasNameOfClassIfKnown: Bool?
    /// The record of this coordinator's own routes: which of them is shown, and which the app has set.
    final var routeBook = RouteBook()
    /// The route for which this was shown: one of the stack or container it is on, or of the coordinator that presented
    /// it.
    final var shownRoute: ShownRoute?
    /// The modals that this coordinator presented, in order. It owns them, wherever they are shown.
    final var modals = NodeList()
    /// The coordinators that this one has pushed on a navigation stack that it shares with others.
    final var section: SectionedNavigationController?

    /// The turn of the tree that last found this node visible.
    final var visibleMark = 0
    /// A reference to this node that does not keep it alive.
    private(set) final var reference: CoordinatorReference!
    private final var presenterReference: CoordinatorReference?
    /// The coordinators that were taken off the screen and are retained.
    final var retainedChildren = NodeList()
    /// The position of this node in the list that it is in.
    final var place = NodeList.Place()
    /// The route of the coordinator in whose section of a stack this one is.
    final var sectionRoute: ShownRoute?
    /// The route for which this was shown where it was last, while it is retained.
    final var formerRoute: ShownRoute?
    /// The terms on which this coordinator is to be shown, from the call that sets them to the request that takes them.
    final var terms: ShowingTerms?
    /// The handler of this coordinator's result.
    final var resultHandler: ResultHandler?
    /// The handler of the result while the coordinator is being shown: it may finish as soon as it starts.
    final var arrivingHandler: ResultHandler?
    /// The child that is being started before it goes on the screen.
    final var arrivingNode: CoordinatorNode? {
        didSet { oldValue?.giveUpNumber() }
    }
    private final var customIdentifier: String?

    init(screen: ViewController) {
        self.screen = screen
        facts = ClassFacts.of(type(of: self))
        super.init()
        reference = CoordinatorReference(to: self)
        screen.coordinator = self
    }

    deinit {
        reference.isOver = true
    }

    // MARK: Identity

    /// The name of this coordinator among its siblings: that of its class, unless set or overridden.
    ///
    /// It should contain no `/`; each is replaced by `-` in the ``id``.
    open var identifier: String {
        get { customIdentifier ?? className }
        set { customIdentifier = newValue }
    }

    final var className: String { facts.name }

    final func setID(_ id: String?) {
        idInTree = id
        hasNameOfClassIfKnown = nil
    }

    /// This node as one with routes, `nil` if it has none.
    final var routes: (any HasRoutes)? { facts.routesCast?(self) }

    /// This node as one that guards its routes, `nil` if it does not.
    final var routeGuard: (any HasGuard)? { facts.isGuarding ? self as? any HasGuard : nil }

    /// Whether this coordinator stays started, and is kept by its parent, when it leaves the screen. By default false.
    ///
    /// A container that shows it again activates it instead of starting it:
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

    /// The coordinator that this one is on top of as a modal.
    final var presenterNode: CoordinatorNode? {
        get { presenterReference?.node }
        set { presenterReference = newValue?.reference }
    }

    /// The coordinator on whose screen this one is: the one it is a modal on top of, else its parent.
    final var surroundingNode: CoordinatorNode? { presenterNode ?? parentNode }

    /// The coordinator above this one: the one that shows it, or that presented it. Set by the library.
    open var parentCoordinator: (any Coordinating)? {
        get { parentNode }
        set {
            parentNode = newValue?.node
            cachedTree?.index?.giveUpNumbers()
        }
    }

    /// The coordinators that this one owns, by the last part of their ``id``: those on its screen, retained ones, its
    /// modals, and those that it pushed on a shared stack.
    public final var childCoordinators: [String: any Coordinating] {
        var byName: [String: any Coordinating] = [:]
        for child in ownedNodes { byName[child.nameInParent] = child }
        return byName
    }

    /// The modal on top of this coordinator; it is not among the children on the screen.
    public final var presentedCoordinator: (any Coordinating)? { presentedNode }

    /// The screen, without its class; ``Coordinator/rootViewController`` has the class.
    public func getRootViewController() -> ViewController {
        screen
    }

    /// Everything this node owns: coordinators on its screen, retained ones, its modals and its section.
    final var ownedNodes: [CoordinatorNode] {
        var nodes = retainedChildren.isEmpty ? children.nodes : retainedChildren.nodes + children.nodes
        if kind == .navigation { nodes.removeAll { $0.parentNode !== self } }
        if !modals.isEmpty { nodes += modals.nodes }
        if let section { nodes += section.guests }
        if let arrivingNode, !nodes.contains(where: { $0 === arrivingNode }) { nodes.append(arrivingNode) }
        return nodes
    }

    /// Returns whether a node is one of ``ownedNodes``.
    final func owns(_ node: CoordinatorNode) -> Bool {
        if children.contains(node) || retainedChildren.contains(node), kind != .navigation || node.parentNode === self {
            return true
        }
        return modals.contains(node) || section?.hasGuest(node) == true || arrivingNode === node
    }

    /// Changes the coordinators on the screen.
    final func changeChildren(_ change: (inout NodeList) -> Void) {
        var list = shownChildren
        shownChildren = NodeList()
        change(&list)
        shownChildren = list
        cachedTree?.needsSettling = true
    }

    /// The context that all nodes of one tree share; made by the root when it is first needed.
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

    /// Prepares the coordinator before its screen is shown. An override calls `super` and passes the completion on.
    ///
    /// The coordinator is in the tree and has its dependencies; it cannot be seen yet. It is called once, until
    /// ``stop(with:)``: when the coordinator is shown, a tab when it is first selected.
    ///
    /// On a root it starts the whole tree. A host calls it within ``turn(_:)``: then the tree settles once, after all
    /// that the override does.
    ///
    /// - Parameter completion: Called exactly once, before this returns.
    open func start(with completion: @escaping () -> Void = {}) {
        if parentNode == nil {
            setID(placeableIdentifier)
            if facts.isGuarding { tree.hasGuards = true }
        }
        tree.perform {
            hasBegun = true
            isStarted = true
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
        message: "Override start(with:) instead: override func start(with completion: @escaping () -> Void = {})."
    )
    open func start() {}

    /// Ends this coordinator: stops all that it owns, and leaves the screen. An override calls `super` and passes the
    /// completion on.
    ///
    /// Events still bubble up while it runs; the coordinator leaves the tree after it. The library calls it on each
    /// coordinator that leaves the screen; an app that calls it takes the coordinator off the screen, wherever that is.
    ///
    /// - Parameter completion: Called exactly once, before this returns.
    open func stop(with completion: @escaping () -> Void = {}) {
        guard isStarted, tree.allows(.strayNavigation(coordinator: id)) else { return completion() }
        tree.perform {
            let isOwnWish = !isBeingRemoved
            isBeingRemoved = true
            endAllOwned()
            deactivateIfActive()
            isStarted = false
            if isOwnWish {
                isBeingRemoved = false
                if let parentNode {
                    parentNode.letGo(of: self)
                } else {
                    tree.parked = nil
                    unlinkScreen()
                }
            }
            completion()
        }
    }

    /// Called once at the end of a turn that made this coordinator visible: the moment to refresh what the screen
    /// shows.
    ///
    /// It is called on outer coordinators before those inside them. All that an override does is part of the same turn.
    open func activate() {}

    /// Called once at the end of a turn that hid this coordinator, or when it ends while it is visible.
    ///
    /// In the latter case it is called right before ``stop(with:)``; where the app called that itself, within it.
    open func deactivate() {}

    /// The question to be asked before a user leaves this coordinator; `nil` if there is none.
    ///
    /// It is asked when a user's Back, pop to the root, dismissal, tap on a tab, or link would take this coordinator
    /// off the screen; the user's wish then waits for the choice. Navigation by the app itself, guards included, does
    /// not ask. This method changes no state. See <doc:UnsavedChanges>.
    open func alertBeforeLeaving() -> Alert? { nil }

    // MARK: What containers override

    /// The kind of this node in the picture of a tree.
    var kind: CoordinatorKind { .leaf }

    /// The position in ``children`` of the visible child, `nil` if there is none.
    var visibleIndex: Int? { nil }

    /// Whether the children start with this coordinator, seen or not.
    var startsChildren: Bool { true }

    /// Returns whether another child beside it keeps a child, with its modals, out of sight.
    func hides(_ child: CoordinatorNode) -> Bool { false }

    /// Updates the screens after a change of the children.
    ///
    /// - Parameters:
    ///   - index: The position of the first child that is new there.
    ///   - selected: The child that was selected before, where it is still there.
    func layOut(from index: Int, selecting selected: CoordinatorNode?) {}

    /// The route of this coordinator when the child at a position is the visible one.
    func routeOfChild(at index: Int) -> ShownRoute? {
        children[index].shownRoute
    }

    /// Carries out a user's navigation event, after the app had its chance to intercept it.
    ///
    /// - Returns: True where the event was meant for this coordinator.
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
