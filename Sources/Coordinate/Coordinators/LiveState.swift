/// What a tree looks like now: a ``NavigationState`` whose coordinators are the tree's own. It holds until the next turn.
///
/// A document is written from this. It reads each coordinator once, so that there is no need to make a picture of each.
package final class LiveState {
    /// If the app is, and what it shows.
    package let visible: VisibleState
    /// The outermost coordinator.
    package let root: Node

    /// The routes of some coordinators, in the order in which they were read.
    typealias Routes = [(node: ObjectIdentifier, route: RoutePath?)]

    /// The routes of the visible coordinators, which were read for the breadcrumbs.
    private let routes: Routes

    init(visible: VisibleState, root: Node, routes: Routes) {
        self.visible = visible
        self.root = root
        self.routes = routes
    }

    /// The active route of a coordinator, `nil` if it has none.
    package func route(of node: Node) -> RoutePath? {
        let id = ObjectIdentifier(node.node)
        // By index: no other route is copied.
        if let index = routes.indices.first(where: { routes[$0].node == id }) { return routes[index].route }
        return node.node.activeRoutePath
    }

    /// One coordinator: see ``NavigationState/Node``.
    package struct Node {
        fileprivate let node: CoordinatorNode

        init(_ node: CoordinatorNode) {
            self.node = node
        }

        package var id: String { node.id }
        package var coordinator: String { node.className }
        package var kind: CoordinatorKind { node.kind }
        package var isStarted: Bool { node.isStarted }
        package var title: String? { node.title }
        package var badge: String? { node.screen.tabBarItemIfLoaded?.badgeValue }
        package var section: String? { node.sectionName }
        package var index: Int? { node.visibleIndex }
        /// The modal on top of it, `nil` if there is none.
        package var presented: Node? { node.presentedNode.map(Node.init) }
        /// The number of coordinators on its screen.
        package var childCount: Int { node.children.count }

        /// The coordinator at a position on its screen.
        package func child(at position: Int) -> Node { Node(node.children[position]) }
    }
}

extension NavigationState {
    /// Makes a picture of what a tree looks like now.
    package init(of state: LiveState) {
        self.init(visible: state.visible, tree: Node(of: state.root, in: state))
    }
}

extension NavigationState.Node {
    /// Makes a picture of a coordinator and of all below it.
    convenience init(of node: LiveState.Node, in state: LiveState) {
        self.init(
            id: node.id,
            coordinator: node.coordinator,
            kind: node.kind,
            isStarted: node.isStarted,
            title: node.title,
            badge: node.badge,
            route: state.route(of: node),
            section: node.section,
            index: node.index,
            presented: node.presented.map { [Self(of: $0, in: state)] } ?? [],
            children: (0..<node.childCount).map { Self(of: node.child(at: $0), in: state) }
        )
    }
}
