extension CoordinatorNode {
    /// Shows a coordinator as a modal on top of this one, or of the modal that is on top already.
    ///
    /// - Parameters:
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once.
    public final func present(_ coordinator: any Coordinating, animated: Bool, completion: (() -> Void)? = nil) {
        let modal = coordinator.node
        let top = topModal
        let presenter = top === modal ? modal.parentNode : top
        (presenter ?? self).request(.present(modal, completion: completion))
    }

    /// Dismisses the modal on top of this coordinator with all that is on top of it; where there is none, this
    /// coordinator itself if it is a modal.
    ///
    /// - Parameters:
    ///   - animated: Accepted for the sake of UIKit; it has no meaning here.
    ///   - completion: Called exactly once.
    public final func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
        let isModal = parentNode?.presentedNode === self
        let presenter = presentedNode == nil && isModal ? parentNode : self
        presenter?.request(.dismiss(completion: completion))
    }

    /// The top-most of the modals on top of this coordinator.
    final var topModal: CoordinatorNode? {
        var top = presentedNode
        while let next = top?.presentedNode { top = next }
        return top
    }

    final func presentModal(_ modal: CoordinatorNode) {
        guard presentedNode !== modal else { return }
        if modal.parentNode === self { takeOff(modal) }
        if prepare(modal) { presentedNode = modal }
    }
}
