/// What a coordinator asks of a container, as a value: so that it can wait while another is carried out.
enum NavigationRequest {
    case root(CoordinatorNode, completion: (() -> Void)?)
    case show(CoordinatorNode)
    /// Pushes a coordinator that belongs to another one on the stack, or below it.
    case pushInSection(CoordinatorNode, owner: CoordinatorNode)
    case popTo(CoordinatorNode)
    /// Takes coordinators off the stack, wherever they are in it.
    case removeEntries([CoordinatorNode])
    case tabs([CoordinatorNode])
    case select(CoordinatorNode)
    case present(CoordinatorNode, completion: (() -> Void)?)
    /// Dismisses a modal, and what is on top of it.
    case dismiss(CoordinatorNode, completion: (() -> Void)?)
    /// A child that ended by itself leaves the screen. It never stands in another request's way.
    case remove(CoordinatorNode)

    var completion: (() -> Void)? {
        switch self {
        case .root(_, let completion), .present(_, let completion), .dismiss(_, let completion): completion
        case .show, .pushInSection, .popTo, .removeEntries, .tabs, .select, .remove: nil
        }
    }

    var isRemoval: Bool {
        if case .remove = self { true } else { false }
    }
}
