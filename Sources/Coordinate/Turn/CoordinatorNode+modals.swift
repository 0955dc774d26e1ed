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
        let modal = modals.first ?? presentedNode ?? (presenterNode == nil && arrival?.isModal != true ? nil : self)
        guard let modal, let owner = modal.parentNode else {
            completion?()
            return
        }
        owner.dismiss(modal, completion: completion)
    }

    final var isTopModal: Bool {
        rootNode.visibleChain.last { $0.presenterNode != nil } === self
    }

    final func presentModal(_ modal: CoordinatorNode) {
        guard !modals.contains(modal) else { return }
        if modal.parentNode === self { modal.leavePlace() }
        modal.arrival?.isModal = true
        guard prepare(modal) else { return }
        if modal is AlertCoordinator, isArriving { tree.arrivingAlerts.append(modal.reference) }
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

    final func bringToTop(alert: CoordinatorNode) {
        alert.move(onTopOf: topPresenter(of: alert))
    }

    /// Returns the coordinator on top of which a modal of this one is shown: this one, its nearest visible ancestor, or
    /// the top-most modal that covers them all. An alert is always visible, wherever its owner is, unless that is still
    /// being shown: then it arrives with its owner.
    private final func topPresenter(of modal: CoordinatorNode) -> CoordinatorNode {
        let chain = (modal is AlertCoordinator && !isArriving ? rootNode : outermostShowing).visibleChain
        let top = chain[(chain.lastIndex { $0.presenterNode != nil } ?? 0)...]
        let nearest = withAncestors.first { node in top.contains { $0 === node } }
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
        withAncestors.contains { $0.parentNode?.arrivingNode === $0 }
    }

    private final func keepsOffScreen(_ child: CoordinatorNode) -> Bool {
        arrivingNode === child || retainedChildren.contains(child) || hides(child)
    }
}
