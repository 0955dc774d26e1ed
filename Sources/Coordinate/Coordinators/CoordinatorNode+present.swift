extension CoordinatorNode {
    /// Shows a coordinator as a modal: on top of this one, or of whatever modal covers it already.
    ///
    /// It belongs to this coordinator all the same: its events come here, and it ends with this one. Nothing happens
    /// where this very modal is up already.
    ///
    /// - Parameters:
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once.
    public final func present(_ coordinator: any Coordinating, animated: Bool, completion: (() -> Void)? = nil) {
        request(.present(coordinator.node, completion: completion))
    }

    /// Dismisses what this coordinator presented, with all that is on top of it; where it presented nothing, the modal
    /// on top of it, or else this coordinator itself if it is a modal.
    ///
    /// - Parameters:
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once.
    public final func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
        let modal = modals.first ?? presentedNode ?? (presenterNode == nil ? nil : self)
        guard let modal, let owner = modal.parentNode else {
            completion?()
            return
        }
        owner.request(.dismiss(modal, completion: completion))
    }

    /// Whether this modal has no other one on top.
    final var isTopModal: Bool {
        visibleChain.allSatisfy { $0.presentedNode == nil }
    }

    final func presentModal(_ modal: CoordinatorNode) {
        guard !modals.contains(where: { $0 === modal }) else { return }
        if modal.parentNode === self { takeOff(modal) }
        let formerRoute = FormerRoute(of: self)
        guard prepare(modal) else { return }
        let presenter = topPresenter
        modal.formerRoute = formerRoute
        modals.append(modal)
        modal.presenterNode = presenter
        presenter.presentedNode = modal
    }

    /// Where the next modal of this coordinator goes: the top-most of those that are on it, or that cover it.
    private final var topPresenter: CoordinatorNode {
        var child: CoordinatorNode?
        for node in sequence(first: self, next: \.parentNode) {
            if let modal = node.presentedNode, modal !== child {
                return modal.visibleChain.last { $0.presenterNode != nil } ?? modal
            }
            child = node
        }
        return self
    }

    /// Ends this modal and all that is on top of it, the top-most first.
    final func dismissFromScreen() {
        let owner = parentNode
        leavePresenter()
        owner?.dispose(of: self)
    }

    /// Takes this modal off the screen without ending it; what is on top of it ends. Nothing happens to what is no modal.
    final func leavePresenter() {
        let owner = parentNode
        guard presenterNode != nil || owner?.modals.contains(where: { $0 === self }) == true else { return }
        if presenterNode?.presentedNode === self { presenterNode?.presentedNode = nil }
        presenterNode = nil
        owner?.modals.removeAll { $0 === self }
        dismissWhatIsOnTop()
        if let owner { formerRoute?.restore(in: owner) }
        formerRoute = nil
    }

    final func dismissWhatIsOnTop() {
        while let modal = presentedNode {
            presentedNode = nil
            modal.dismissFromScreen()
        }
    }
}
