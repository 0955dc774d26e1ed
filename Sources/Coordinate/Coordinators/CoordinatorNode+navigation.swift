extension CoordinatorNode {
    /// Asks for a change of what is on the screen. It happens at once, unless one is under way here: then it waits, and
    /// of those that wait the last one wins.
    final func request(_ request: NavigationRequest) {
        guard tree.allows(.strayNavigation(coordinator: id)) else { return tree.refuse(request.giveUp) }
        let tree = tree
        tree.perform {
            guard !isBeingRemoved, tree.beginNavigation() else { return tree.refuse(request.giveUp) }
            sampleRoute()
            noteSubject(request.target)
            guard !isNavigating else { return tree.postpone(request, of: self) }
            tree.change {
                isNavigating = true
                carryOut(request)
                // Its tree may be another one by now: what it asked of itself since it left one waits there.
                while self.tree.isWaiting(self) {
                    sampleRoute()
                    if let next = self.tree.nextRequest(of: self) { carryOut(next) }
                }
                isNavigating = false
                // The app goes on where it was: what it says next is about what it asked for, not about where it was led.
                if routeBook.subject !== request.target?.reference {
                    sampleRoute()
                    noteSubject(request.target)
                }
            }
        }
    }

    private final func carryOut(_ request: NavigationRequest) {
        request.target?.arrivingHandler = request.terms.result
        request.carryOut()
        request.target?.arrivingHandler = nil
        if let target = request.target, isShowing(target) {
            if let route = request.terms.route, routes?.accepts(route.route) == true { setRoute(route, of: target) }
            if let handler = request.terms.result {
                target.resultHandler.map(tree.tellLater)
                target.resultHandler = handler
            }
            agreeRoute()
            request.complete()
        } else {
            agreeRoute()
            request.giveUp()
        }
    }

    /// Puts children on the screen in place of those that are there. The ones that leave are ended, the last one first.
    final func setChildren(_ new: [CoordinatorNode]) {
        let kept = zip(children, new).prefix { $0 === $1 }.count
        setChildren(keeping: kept, then: Array(new[kept...]))
    }

    /// Keeps so many children, and puts others on the screen in place of the rest.
    final func setChildren(keeping kept: Int, then new: [CoordinatorNode] = []) {
        var left = Array(children[kept...])
        if !left.isEmpty, !new.isEmpty {
            let staying = Set(new.map(ObjectIdentifier.init))
            left.removeAll { staying.contains(ObjectIdentifier($0)) }
        }
        let selected = visibleIndex.map { children[$0] }
        children.replace(from: kept, with: new)
        layOut(from: kept, selecting: selected)
        guard !left.isEmpty else { return }
        agreeRoute()
        end(left)
    }

    /// Whether a coordinator has a place on the screen here: as a child, in this one's section, or as its modal.
    final func isShowing(_ node: CoordinatorNode) -> Bool {
        children.contains(node) || modals.contains(node) || section?.hasGuest(node) == true
    }
}

extension CoordinatorNode {
    /// Shows a coordinator as a modal: on top of this one, or of the modals that can be seen already, or of the stack
    /// where another of its screens covers this one.
    ///
    /// It belongs to this coordinator all the same: its events come here, and it ends with this one. Nothing happens
    /// where this very modal is up already.
    ///
    /// - Parameters:
    ///   - coordinator: A new one, or one that is in this tree already: then it leaves the place it has.
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once: when the modal is up, or the request was refused or overtaken.
    public final func present(_ coordinator: any Coordinating, animated: Bool, completion: (() -> Void)? = nil) {
        let modal = coordinator.node
        request(NavigationRequest(showing: modal, completion: completion) { [self] in presentModal(modal) })
    }

    /// Dismisses what this coordinator presented, with all that is on top of it; where it presented nothing, the modal
    /// on top of it, or else this coordinator itself if it is a modal. Nothing happens where there is none of these.
    ///
    /// - Parameters:
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once, also where nothing happens.
    public final func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
        let modal = modals.first ?? presentedNode ?? (presenterNode == nil ? nil : self)
        guard let modal, let owner = modal.parentNode else {
            completion?()
            return
        }
        owner.dismiss(modal, completion: completion)
    }

    /// Whether this is the top-most modal of those that can be seen.
    final var isTopModal: Bool {
        rootNode.visibleChain.last { $0.presenterNode != nil } === self
    }

    final func presentModal(_ modal: CoordinatorNode) {
        guard !modals.contains(modal) else { return }
        if modal.parentNode === self { modal.leavePlace() }
        guard prepare(modal) else { return }
        let presenter = topPresenter(of: modal)
        let levels = sequence(first: presenter, next: \.surroundingNode).reduce(0) { count, _ in count + 1 }
        guard levels <= TreeContext.maximumLevels else {
            tree.report(.tooDeep(coordinator: modal.id))
            return end(modal)
        }
        modals.append(modal)
        modal.presenterNode = presenter
        presenter.presentedNode = modal
    }

    /// Where a modal of this coordinator goes: to itself, or the nearest above it that can be seen, or the top-most modal
    /// that covers them all. A question is seen, wherever the coordinator is that asks it.
    private final func topPresenter(of modal: CoordinatorNode) -> CoordinatorNode {
        let chain = (modal is AlertCoordinator ? rootNode : outermostShowing).visibleChain
        let top = chain[(chain.lastIndex { $0.presenterNode != nil } ?? 0)...]
        let nearest = sequence(first: self, next: \.parentNode).first { node in top.contains { $0 === node } }
        return nearest ?? chain[top.startIndex]
    }

    /// The outermost coordinator on whose screen this one is; a modal of a tab that is not selected stays in that tab.
    private final var outermostShowing: CoordinatorNode {
        var node = self
        while let parent = node.surroundingNode, !parent.keepsOffScreen(node) { node = parent }
        return node
    }

    private final func keepsOffScreen(_ child: CoordinatorNode) -> Bool {
        arrivingNode === child || retainedChildren.contains(child) || hides(child)
    }
}

// What may be asked of a navigation coordinator by others, whose stack they share.
extension CoordinatorNode {
    /// Pushes a coordinator, or pops to it where it is on the stack already.
    final func push(_ child: CoordinatorNode) {
        request(
            NavigationRequest(showing: child) { [self] in
                if prepare(child) { bringToTop(child) }
            })
    }

    /// Pushes a coordinator that belongs to another one on the stack, or below it.
    final func push(_ child: CoordinatorNode, inSectionOf owner: CoordinatorNode) {
        owner.sampleRoute()
        owner.noteSubject(child)
        request(
            NavigationRequest(showing: child) { [self] in
                guard owner.section?.stack === self else { return }
                if child.parentNode === owner, !children.contains(child) { child.leavePlace() }
                if child.parentNode === owner && isShowing(child) || owner.prepare(child) { bringToTop(child) }
            })
    }

    /// Takes entries off the stack, wherever they are in it.
    final func pop(_ entries: [CoordinatorNode]) {
        request(
            NavigationRequest { [self] in
                let leaving = Set(entries.map(ObjectIdentifier.init))
                setChildren(children.filter { !leaving.contains(ObjectIdentifier($0)) })
            })
    }

    private final func bringToTop(_ child: CoordinatorNode) {
        if let index = children.position(of: child) {
            setChildren(keeping: index + 1)
        } else {
            setChildren(keeping: children.count, then: [child])
        }
    }
}

/// A change of the screen as a value, so that it can wait while another one is carried out.
struct NavigationRequest {
    /// The coordinator that is to be shown; nil where some are to leave.
    let target: CoordinatorNode?
    /// The terms on which the target is to be shown.
    var terms: ShowingTerms
    /// Whether a child that ended by itself leaves the screen: that never stands in another request's way.
    let isRemoval: Bool
    /// Changes the screen. Run by the container that is asked, under its own order of requests.
    let carryOut: () -> Void
    private let completion: (() -> Void)?

    /// Makes a request; it takes over the terms that were set on its target.
    init(
        showing target: CoordinatorNode? = nil, isRemoval: Bool = false, completion: (() -> Void)? = nil,
        _ carryOut: @escaping () -> Void
    ) {
        self.target = target
        self.isRemoval = isRemoval
        self.completion = completion
        self.carryOut = carryOut
        terms = target?.takeTerms() ?? ShowingTerms()
    }

    /// Ends the request once it was carried out.
    func complete() {
        completion?()
    }

    /// Ends the request without it: refused, or overtaken by a later one.
    func giveUp() {
        terms.result?.tell()
        completion?()
    }
}

/// The terms on which a coordinator is shown: the route it stands for, and whoever waits for its result.
struct ShowingTerms {
    var route: ShownRoute?
    var result: ResultHandler?

    /// No terms at all.
    init() {}

    /// The terms of what is shown for a route.
    init(for route: Any) {
        self.route = ShownRoute(route)
    }

    /// The terms of a flow, whose result a coordinator waits for.
    init<Value>(of presenter: CoordinatorNode, for route: Any? = nil, _ told: @escaping (Value?) -> Void) {
        self.route = route.map(ShownRoute.init)
        result = ResultHandler(of: presenter, told)
    }
}

extension CoordinatorNode {
    /// Shows a coordinator on these terms, by a method that takes none: an app may have overridden it.
    final func show(_ target: any Coordinating, on terms: ShowingTerms, by show: () -> Void) {
        let node = target.node
        node.terms = terms
        show()
        if let result = node.takeTerms()?.result { tree.refuse(result.tell) }
    }

    /// Hands over the terms on which this coordinator is to be shown, to whoever shows it; nil where nobody has set any.
    @discardableResult
    final func takeTerms() -> ShowingTerms? {
        guard let terms else { return nil }
        self.terms = nil
        return terms
    }
}
