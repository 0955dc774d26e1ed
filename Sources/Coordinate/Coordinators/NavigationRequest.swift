/// What a coordinator asks of a container, as a value: so that it can wait while another is carried out.
enum NavigationRequest {
    case root(CoordinatorNode, completion: (() -> Void)?)
    case show(CoordinatorNode)
    case popTo(CoordinatorNode)
    case tabs([CoordinatorNode])
    case select(CoordinatorNode)
    case present(CoordinatorNode, completion: (() -> Void)?)
    case dismiss(completion: (() -> Void)?)
    /// A child that ended by itself leaves the screen. It never stands in another request's way.
    case remove(CoordinatorNode)

    var completion: (() -> Void)? {
        switch self {
        case .root(_, let completion), .present(_, let completion), .dismiss(let completion): completion
        case .show, .popTo, .tabs, .select, .remove: nil
        }
    }

    var isRemoval: Bool {
        if case .remove = self { true } else { false }
    }
}
