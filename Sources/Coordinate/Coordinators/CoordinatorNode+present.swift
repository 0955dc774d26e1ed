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
