/// The part of a coordinator that does not depend on its screen's class: its place in the tree and its life.
///
/// Apps subclass ``Coordinator``, ``ContainerCoordinator``, ``NavigationCoordinator`` or ``TabBarCoordinator``.
///
/// Facts that always hold:
/// - A coordinator has at most one parent, and holds it weakly; it owns its children.
/// - Whatever is taken off the screen is stopped with its whole subtree, depth first, once; tabs and what asks to be
///   retained are kept.
/// - A visible coordinator is started.
open class CoordinatorNode: Responder, Coordinating {
    /// The id of this node: see ``Coordinating/id``. Of a node without a parent, its own name.
    public final var id: String { idInTree ?? placeableIdentifier }

    public internal(set) final var isStarted = false

    /// The screen.
    let screen: ViewController

    /// The coordinators on this one's screen, in order: one in a container, a stack bottom first, all tabs.
    final var children: [CoordinatorNode] = []
    /// Those taken off the screen that asked to be kept.
    final var retainedChildren: [CoordinatorNode] = []
    /// The modal on top of this coordinator's screen.
    final var presentedNode: CoordinatorNode?
    final weak var parentNode: CoordinatorNode?

    /// Whether ``activate()`` was the last of the two to be called.
    final var isActive = false
    /// Whether a request to navigate is being carried out here; another one has to wait.
    final var isNavigating = false
    /// Whether the parent is removing this node, so that ``stop(with:)`` need not ask it to.
    final var isBeingRemoved = false
    /// The turn of the tree that last found this node visible.
    final var visibleMark = 0

    private final var customIdentifier: String?
    private final var idInTree: String?
    private final var cachedTree: TreeContext?

    init(screen: ViewController) {
        self.screen = screen
        super.init()
        linkScreen()
    }

    // MARK: Identity

    /// What this coordinator is called among its siblings: the name of its class, unless set or overridden.
    ///
    /// It should hold no `/`; one that does is written with `-` in the ``id``.
    open var identifier: String {
        get { customIdentifier ?? String(describing: type(of: self)) }
        set { customIdentifier = newValue }
    }

    /// What kind of node this is in the picture of a tree.
    var kind: CoordinatorKind { .leaf }

    /// The position in ``children`` of the one that can be seen, nil where there is none.
    var visibleIndex: Int? { nil }

    /// Whether this coordinator stays started, and is kept by its parent, when it is taken off the screen. False.
    ///
    /// A container that shows it again activates it instead of starting it.
    open var isRetained: Bool { false }

    // MARK: The tree around

    /// The coordinator above this one. Set by the library.
    open var parentCoordinator: (any Coordinating)? {
        get { parentNode }
        set { parentNode = newValue?.node }
    }

    public final var childCoordinators: [String: any Coordinating] {
        var byName: [String: any Coordinating] = [:]
        for child in ownedNodes { byName[child.nameInParent] = child }
        return byName
    }

    /// The coordinator whose modal this is on top of, or whose modal is on top of this one, is not among the children.
    public final var presentedCoordinator: (any Coordinating)? { presentedNode }

    public func getRootViewController() -> ViewController {
        screen
    }

    /// Everything this node owns: what is on its screen, what is retained, and its modal.
    final var ownedNodes: [CoordinatorNode] {
        var nodes = retainedChildren + children
        if let presentedNode { nodes.append(presentedNode) }
        return nodes
    }

    /// What all nodes of one tree share; made by the root when it is first needed.
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

    /// Prepares what is needed before the screen is shown. Overriding it, call `super` and pass the completion on.
    ///
    /// On a root it is the beginning of everything: it returns when the tree has settled.
    open func start(with completion: @escaping () -> Void = {}) {
        linkScreen()
        if parentNode == nil { idInTree = placeableIdentifier }
        tree.perform {
            isStarted = true
            tree.needsSettling = true
            completion()
        }
    }

    /// Ends this coordinator: stops all that it keeps, and leaves the screen it is on. Overriding it, call `super` and
    /// pass the completion on.
    ///
    /// Events still bubble up while it runs; the coordinator leaves the tree after it.
    open func stop(with completion: @escaping () -> Void = {}) {
        guard isStarted else { return completion() }
        tree.perform {
            removeAllOwned()
            isStarted = false
            if !isBeingRemoved {
                deactivateIfActive()
                if let parentNode { parentNode.request(.remove(self)) } else { unlinkScreen() }
            }
            completion()
        }
    }

    /// Called once at the end of a turn that made this coordinator visible: the moment to refresh what the screen shows.
    open func activate() {}

    /// Called once at the end of a turn that hid this coordinator, or right before it is stopped.
    open func deactivate() {}

    // MARK: What containers override

    /// Carries out a request; called with one at a time.
    func carryOut(_ request: NavigationRequest) {
        switch request {
        case .present(let modal, let completion):
            presentModal(modal)
            completion?()
        case .dismiss(let completion):
            if let modal = presentedNode {
                presentedNode = nil
                dispose(of: modal)
            }
            completion?()
        case .remove(let child):
            remove(child)
        case .root(_, let completion):
            completion?()
        case .show, .popTo, .tabs, .select:
            break
        }
    }

    /// Reacts to what a user's hand does to a container, after the app had its chance to intercept it.
    ///
    /// - Returns: whether it was meant for this one.
    func navigate(on event: NavigationEvents) -> Bool {
        guard event == .dismiss, presentedNode != nil, presentedNode?.topModal == nil else { return false }
        request(.dismiss(completion: nil))
        return true
    }

    /// The route that the child at a position is shown for, where this node is a navigation stack.
    func routeOfChild(at index: Int) -> RoutePath? { nil }

    /// Takes a child that ended by itself off the screen.
    func remove(_ child: CoordinatorNode) {
        if presentedNode === child { presentedNode = nil }
        retainedChildren.removeAll { $0 === child }
        children.removeAll { $0 === child }
        tearDown(child)
    }
}

extension CoordinatorNode {
    // MARK: Place in the tree

    /// The last part of the id.
    final var nameInParent: String {
        guard let parentNode else { return id }
        return String(id.dropFirst(parentNode.id.utf8.count + 1))
    }

    private final var placeableIdentifier: String {
        let identifier = identifier
        guard identifier.utf8.contains(UInt8(ascii: "/")) else { return identifier }
        return String(identifier.map { $0 == "/" ? "-" : $0 })
    }

    /// Makes a coordinator this one's child: gives it its id, its tree and its dependencies.
    ///
    /// - Returns: false where that cannot be, which fails the turn.
    @discardableResult
    final func attach(_ child: CoordinatorNode) -> Bool {
        guard child.parentNode !== self else { return true }
        guard !sequence(first: self, next: \.parentNode).contains(where: { $0 === child }) else {
            tree.report(.containsItself(coordinator: child.id))
            return false
        }
        guard tree.nodeCount < TreeContext.maximumNodes else {
            tree.report(.tooManyCoordinators)
            return false
        }
        if let formerParent = child.parentNode { formerParent.release(child) }
        child.parentNode = self
        child.linkScreen()
        let name = child.placeableIdentifier
        let taken = Set(ownedNodes.map(\.id))
        var candidate = "\(id)/\(name)"
        var number = 2
        while taken.contains(candidate) {
            candidate = "\(id)/\(name)-\(number)"
            number += 1
        }
        child.settleInto(tree, id: candidate)
        inject(into: child)
        return true
    }

    private final func settleInto(_ tree: TreeContext, id: String) {
        let formerID = self.id
        for node in ownedNodes {
            node.settleInto(tree, id: id + node.id.dropFirst(formerID.utf8.count))
        }
        idInTree = id
        guard cachedTree !== tree else { return }
        cachedTree = tree
        tree.nodeCount += 1
    }

    private final func leaveTree() {
        unlinkScreen()
        cachedTree?.nodeCount -= 1
        cachedTree = nil
        idInTree = nil
        parentNode = nil
    }

    /// Lets go of a child without ending it.
    private final func release(_ child: CoordinatorNode) {
        if presentedNode === child { presentedNode = nil }
        retainedChildren.removeAll { $0 === child }
        children.removeAll { $0 === child }
        child.leaveTree()
    }

    // MARK: Links to the screen

    private final func linkScreen() {
        guard screen.coordinator !== self else { return }
        screen.coordinator = self
        (screen as? any Coordinated)?.parentCoordinator = self
    }

    private final func unlinkScreen() {
        guard screen.coordinator === self else { return }
        screen.coordinator = nil
        (screen as? any Coordinated)?.parentCoordinator = nil
    }

    // MARK: Beginning and end

    /// Makes sure that a child is in the tree and started, before it is shown.
    ///
    /// - Returns: false where it cannot be shown here, which fails the turn.
    final func prepare(_ child: CoordinatorNode) -> Bool {
        guard attach(child) else { return false }
        retainedChildren.removeAll { $0 === child }
        child.startIfNeeded()
        return true
    }

    final func startIfNeeded() {
        guard !isStarted else { return }
        start(with: {})
        guard !isStarted, parentNode != nil else { return }
        tree.report(.superNotCalled(type: identifier, method: "start(with:)"))
        isStarted = true
    }

    /// Takes a child off the screen: keeps it where it asked for that, else ends it.
    final func dispose(of child: CoordinatorNode) {
        if child.isRetained, child.isStarted {
            retainedChildren.append(child)
        } else {
            tearDown(child)
        }
    }

    /// Stops a child and all below it, depth first, and lets it go.
    final func tearDown(_ child: CoordinatorNode) {
        guard !child.isBeingRemoved else { return }
        child.isBeingRemoved = true
        child.removeAllOwned()
        child.deactivateIfActive()
        if child.isStarted {
            child.stop(with: {})
            child.isStarted = false
        }
        if child.parentNode === self {
            child.leaveTree()
        }
        child.isBeingRemoved = false
    }

    private final func removeAllOwned() {
        if let modal = presentedNode {
            tearDown(modal)
            presentedNode = nil
        }
        for child in children.reversed() { tearDown(child) }
        children = []
        for child in retainedChildren.reversed() { tearDown(child) }
        retainedChildren = []
    }

    final func deactivateIfActive() {
        guard isActive else { return }
        isActive = false
        deactivate()
    }

    /// Asks for a change of what is on the screen. It happens at once, unless one is under way here: then it waits, and
    /// of those that wait the last one wins.
    final func request(_ request: NavigationRequest) {
        tree.perform {
            guard tree.beginNavigation() else {
                request.completion?()
                return
            }
            guard !isNavigating else { return tree.postpone(request, of: self) }
            isNavigating = true
            carryOut(request)
            while let next = tree.nextRequest(of: self) { carryOut(next) }
            isNavigating = false
            tree.needsSettling = true
        }
    }
}
