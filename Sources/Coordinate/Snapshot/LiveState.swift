/// The current state of a tree: a ``NavigationState`` that refers to the tree's own coordinators. It is valid until the
/// next turn.
///
/// Documents are written from it. Each coordinator is read once, so no snapshot of it is needed.
package final class LiveState {
    /// The path of the app, and what it shows.
    package let visible: VisibleState
    /// The outermost coordinator.
    package let root: Node

    /// The routes of some coordinators, in the order in which they were read.
    typealias Routes = [(node: ObjectIdentifier, route: RoutePath?)]

    /// The routes of the visible coordinators, and of those that the tabs would show, which were read for the breadcrumbs
    /// and the tabs.
    private let routes: Routes

    init(visible: VisibleState, root: Node, routes: Routes) {
        self.visible = visible
        self.root = root
        self.routes = routes
    }

    /// Returns the active route of a coordinator; `nil` if it has none.
    package func route(of node: Node) -> RoutePath? {
        let id = ObjectIdentifier(node.node)
        // Searching by index copies no other route.
        if let index = routes.indices.first(where: { routes[$0].node == id }) { return routes[index].route }
        return node.node.activeRoutePath
    }

    /// One coordinator. See ``NavigationState/Node``.
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
        /// The modal on top of it; `nil` if there is none.
        package var presented: Node? { node.presentedNode.map(Node.init) }
        /// The number of coordinators on its screen.
        package var childCount: Int { node.children.count }

        /// Returns the coordinator at a position on its screen.
        package func child(at position: Int) -> Node { Node(node.children[position]) }
    }
}

extension NavigationState {
    /// Creates a snapshot of a tree's current state.
    package init(of state: LiveState) {
        self.init(visible: state.visible, tree: Node(of: state.root, in: state))
    }
}

extension NavigationState.Node {
    /// Creates a snapshot of a coordinator and all below it.
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
