extension CoordinatorNode {
    /// Requests a change of the screen. It happens immediately, unless a change is already in progress here; then it
    /// waits. If several wait, the last one wins.
    final func request(_ request: NavigationRequest) {
        guard tree.allows(.strayNavigation(coordinator: id)) else { return tree.refuse(request.giveUp) }
        let tree = tree
        tree.perform {
            guard !isBeingRemoved, tree.beginNavigation() else {
                if isBeingRemoved, let target = request.target {
                    tree.report(.endingCoordinator(id, coordinator: target.id))
                }
                return tree.refuse(request.giveUp)
            }
            sampleRoute()
            noteSubject(request.target)
            guard !isNavigating else { return tree.postpone(request, of: self) }
            tree.change {
                isNavigating = true
                carryOut(request)
                // This coordinator may have moved to another tree, where its newer requests wait.
                while self.tree.isWaiting(self) {
                    sampleRoute()
                    if let next = self.tree.nextRequest(of: self) { carryOut(next) }
                }
                isNavigating = false
                // The app's code continues: the next route that it sets is for the target of its request, even if a
                // guard redirected it.
                if routeState.subject !== request.target?.reference {
                    sampleRoute()
                    noteSubject(request.target)
                }
            }
        }
    }

    private final func carryOut(_ request: NavigationRequest) {
        guard isAllowedInTap(request) else {
            agreeRoute()
            return request.giveUp()
        }
        request.target?.arrivingHandler = request.terms.result
        request.carryOut()
        request.target?.arrivingHandler = nil
        if let target = request.target, isShowing(target) {
            target.formerRoute = nil
            if let route = request.terms.route, routes?.accepts(route.route) == true { setRoute(route, of: target) }
            if let handler = request.terms.result {
                target.resultHandler.map(tree.deliverLater)
                target.resultHandler = handler
            }
            agreeRoute()
            request.complete()
        } else {
            agreeRoute()
            request.giveUp()
        }
    }

    /// Replaces the children on the screen. The ones that leave end, the last one first.
    final func setChildren(_ new: [CoordinatorNode]) {
        let kept = zip(children, new).prefix { $0 === $1 }.count
        setChildren(keeping: kept, then: Array(new[kept...]))
    }

    /// Keeps the first `kept` children, and replaces the rest.
    final func setChildren(keeping kept: Int, then new: [CoordinatorNode] = []) {
        var left = Array(children[kept...])
        if !left.isEmpty, !new.isEmpty {
            let staying = Set(new.map(ObjectIdentifier.init))
            left.removeAll { staying.contains(ObjectIdentifier($0)) }
        }
        let selected = visibleIndex.map { children[$0] }
        changeChildren { $0.replace(from: kept, with: new) }
        layOut(from: kept, selecting: selected)
        guard !left.isEmpty else { return }
        agreeRoute()
        end(left)
    }

    /// Returns whether a coordinator is on the screen here: as a child, in this coordinator's section, or as its modal.
    final func isShowing(_ node: CoordinatorNode) -> Bool {
        children.contains(node) || modals.contains(node) || section?.hasGuest(node) == true
    }
}

extension CoordinatorNode {
    /// Shows a coordinator as a modal. It appears on top of this coordinator, of the modals that are already visible,
    /// or of the stack if another of its screens covers this one.
    ///
    /// This coordinator owns it, wherever it is shown: it receives its events, and the modal ends with it. Nothing
    /// happens if it is already shown.
    ///
    /// - Parameters:
    ///   - coordinator: A new coordinator, or one in this tree, which leaves its current place.
    ///   - animated: Has no effect. It exists for compatibility with UIKit.
    ///   - completion: Called exactly once, when the modal is shown, or the request is refused or replaced by a later
    ///     one.
    public final func present(_ coordinator: any Coordinating, animated: Bool = true, completion: (() -> Void)? = nil) {
        let modal = coordinator.node
        request(NavigationRequest(showing: modal, completion: completion) { [self] in presentModal(modal) })
    }

    /// Dismisses the modal that this coordinator presented, and all modals on top of it. If it presented none,
    /// dismisses the modal on top of this coordinator; if there is none either, this coordinator itself if it is a
    /// modal.
    ///
    /// - Parameters:
    ///   - animated: Has no effect. It exists for compatibility with UIKit.
    ///   - completion: Called exactly once, even if there is nothing to dismiss.
    public final func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
        let modal = modals.first ?? presentedNode ?? (presenterNode == nil && !isArrivingAsModal ? nil : self)
        guard let modal, let owner = modal.parentNode else {
            completion?()
            return
        }
        owner.dismiss(modal, completion: completion)
    }

    /// Whether this is the top-most visible modal.
    final var isTopModal: Bool {
        rootNode.visibleChain.last { $0.presenterNode != nil } === self
    }

    final func presentModal(_ modal: CoordinatorNode) {
        guard !modals.contains(modal) else { return }
        if modal.parentNode === self { modal.leavePlace() }
        modal.isArrivingAsModal = true
        let isPrepared = prepare(modal)
        modal.isArrivingAsModal = false
        guard isPrepared else { return }
        if modal is AlertCoordinator, isArriving { tree.noteAlert(modal) }
        let presenter = topPresenter(of: modal)
        let levels = sequence(first: presenter, next: \.surroundingNode).reduce(0) { count, _ in count + 1 }
        guard levels <= TreeContext.maximumLevels else {
            tree.report(.tooDeep(coordinator: modal.id))
            return end(modal)
        }
        modals.append(modal)
        modal.move(onTopOf: presenter)
    }

    /// Moves this modal, and all modals on top of it, on top of another coordinator. Its owner stays the same.
    final func move(onTopOf presenter: CoordinatorNode?) {
        presenterNode?.presentedNode = nil
        presenter?.presentedNode = self
        presenterNode = presenter
    }

    /// Moves an alert of this coordinator on top of the screen.
    final func bringToTop(alert: CoordinatorNode) {
        alert.move(onTopOf: topPresenter(of: alert))
    }

    /// Returns the coordinator on top of which a modal of this one is shown: this one, its nearest visible ancestor, or
    /// the top-most modal that covers them all. An alert is always visible, wherever its owner is, unless that is still
    /// being shown: then it arrives with its owner.
    private final func topPresenter(of modal: CoordinatorNode) -> CoordinatorNode {
        let chain = (modal is AlertCoordinator && !isArriving ? rootNode : outermostShowing).visibleChain
        let top = chain[(chain.lastIndex { $0.presenterNode != nil } ?? 0)...]
        let nearest = sequence(first: self, next: \.parentNode).first { node in top.contains { $0 === node } }
        return nearest ?? chain[top.startIndex]
    }

    /// The outermost coordinator whose screen contains this one. A modal of a tab that is not selected stays in that
    /// tab.
    private final var outermostShowing: CoordinatorNode {
        var node = self
        while let parent = node.surroundingNode, !parent.keepsOffScreen(node) { node = parent }
        return node
    }

    /// Whether this coordinator, or an ancestor, is being started before it is shown.
    private final var isArriving: Bool {
        sequence(first: self, next: \.parentNode).contains { $0.parentNode?.arrivingNode === $0 }
    }

    private final func keepsOffScreen(_ child: CoordinatorNode) -> Bool {
        arrivingNode === child || retainedChildren.contains(child) || hides(child)
    }
}

// Requests to a navigation coordinator from coordinators that share its stack.
extension CoordinatorNode {
    /// Pushes a coordinator, or pops to it if it is already on the stack.
    final func push(_ child: CoordinatorNode) {
        request(
            NavigationRequest(showing: child, leaving: { [self] in nodesLeft(downTo: child) }) { [self] in
                if prepare(child) { bringToTop(child) }
            })
    }

    /// Pushes a coordinator that is owned by another one on the stack, or below it.
    final func push(_ child: CoordinatorNode, inSectionOf owner: CoordinatorNode) {
        owner.sampleRoute()
        owner.noteSubject(child)
        request(
            NavigationRequest(showing: child, leaving: { [self] in nodesLeft(downTo: child) }) { [self] in
                guard owner.section?.stack === self else { return }
                if child.parentNode === owner, !children.contains(child) { child.leavePlace() }
                if child.parentNode === owner && isShowing(child) || owner.prepare(child) { bringToTop(child) }
            })
    }

    /// Removes entries from the stack, wherever they are. Which ones, it decides when its turn comes.
    final func pop(_ entries: @escaping @autoclosure () -> [CoordinatorNode]) {
        request(
            NavigationRequest(leaving: { entries().flatMap(\.withAllBelow) }) { [self] in
                let leaving = Set(entries().map(ObjectIdentifier.init))
                setChildren(children.filter { !leaving.contains(ObjectIdentifier($0)) })
            })
    }

    /// Returns the coordinators that leave the screen when everything above a child is popped, the top-most last. They
    /// include owners whose sections become empty.
    final func nodesLeft(downTo child: CoordinatorNode) -> [CoordinatorNode] {
        guard let target = children.position(of: child) else { return [] }
        let popped = children[(target + 1)...]
        let owners = popped.compactMap(\.parentNode).filter { owner in
            owner !== self && !children.contains(owner)
                && !children[...target].reversed().contains { $0.parentNode === owner }
        }
        return (owners + popped).flatMap(\.withAllBelow)
    }

    private final func bringToTop(_ child: CoordinatorNode) {
        if let index = children.position(of: child) {
            setChildren(keeping: index + 1)
        } else {
            setChildren(keeping: children.count, then: [child])
        }
    }
}

/// A change of the screen as a value, so that it can wait for another change.
struct NavigationRequest {
    /// The coordinator to show; `nil` if the request removes coordinators.
    let target: CoordinatorNode?
    /// The terms on which the target is shown.
    var terms: ShowingTerms
    /// Whether the request removes a child that has stopped by itself. Such a request never replaces another one.
    let isRemoval: Bool
    /// Returns the coordinators that the change removes from the screen, the top-most last.
    let leaving: () -> [CoordinatorNode]
    /// Changes the screen. The container calls it for one request at a time.
    let carryOut: () -> Void
    private let completion: (() -> Void)?

    /// Creates a request with the terms that were set on its target.
    init(
        showing target: CoordinatorNode? = nil, isRemoval: Bool = false, completion: (() -> Void)? = nil,
        leaving: @escaping () -> [CoordinatorNode] = { [] }, _ carryOut: @escaping () -> Void
    ) {
        self.target = target
        self.isRemoval = isRemoval
        self.completion = completion
        self.leaving = leaving
        self.carryOut = carryOut
        terms = target?.takeTerms() ?? ShowingTerms()
    }

    /// Completes the request after it was carried out.
    func complete() {
        completion?()
    }

    /// Completes the request without carrying it out, because it was refused or replaced.
    func giveUp() {
        terms.result?.tell()
        completion?()
    }
}

/// The terms on which a coordinator is shown: its route, and the handler of its result.
struct ShowingTerms {
    var route: ShownRoute?
    var result: ResultHandler?

    /// Creates empty terms.
    init() {}

    /// Creates the terms of a coordinator that is shown for a route.
    init(for route: Any) {
        self.route = ShownRoute(route)
    }

    /// Creates the terms of a flow, whose result the presenter waits for.
    init<Value>(of presenter: CoordinatorNode, for route: Any? = nil, _ onResult: @escaping (Value?) -> Void) {
        self.route = route.map(ShownRoute.init)
        result = ResultHandler(of: presenter, onResult)
    }
}

extension CoordinatorNode {
    /// Shows a coordinator on these terms by calling a public method, which the app may have overridden and which has
    /// no parameter for them.
    final func show(_ target: any Coordinating, on terms: ShowingTerms, by show: () -> Void) {
        let node = target.node
        node.terms = terms
        show()
        if let result = node.takeTerms()?.result { tree.refuse(result.tell) }
    }

    /// Removes and returns the terms on which to show this coordinator; `nil` if none are set.
    @discardableResult
    final func takeTerms() -> ShowingTerms? {
        guard let terms else { return nil }
        self.terms = nil
        return terms
    }
}
