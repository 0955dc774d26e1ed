extension Document {
    /// The JSON navigation state: `GET /route`.
    ///
    /// ```swift
    /// let route = try await client.route()
    /// #expect(route.breadcrumbs.map(\.title) == ["Teams", "Ferrari"])
    /// #expect(route.navigation.back?.title == "Teams")
    /// ```
    public struct Route: Decodable, Equatable, Sendable {
        public let session: String
        public let version: Int
        public let path: String
        /// The id of the visible leaf.
        public let leaf: String
        /// The visible navigation stack, outermost first; the last is the leaf.
        public let breadcrumbs: [Breadcrumb]
        /// The deep link that waits for a guard to let it through; `nil` if there is none.
        public let parked: Parked?
        /// The pending work and timers, oldest first.
        public let pending: [Pending]
        public let screen: Screen
        public let navigation: Navigation
        public let tree: Node
    }

    public struct Breadcrumb: Decodable, Equatable, Sendable {
        public let title: String
        public let path: String
    }

    /// A deep link that waits for a guard.
    public struct Parked: Decodable, Equatable, Sendable {
        public let path: String
    }

    /// Work or a timer that an event requested.
    public struct Pending: Decodable, Equatable, Sendable {
        /// The version of the turn that requested it, and its number in that turn: `12-1`.
        public let id: String
        /// The app's name for it.
        public let name: String
        /// `work` or `timer`.
        public let kind: String
        /// The id of the coordinator that owns it. By default, the coordinator that requested it.
        public let at: String
        /// The time at which the timer is due, RFC 3339, in UTC; `nil` for work.
        public let due: String?
    }

    /// The actions offered by the containers around the leaf.
    public struct Navigation: Decodable, Equatable, Sendable {
        public let back: Action?
        public let tabs: [Tab]
        /// The action that closes the top-most modal.
        public let dismiss: Action?
    }

    public struct Tab: Decodable, Equatable, Sendable {
        public let title: String
        public let badge: String?
        public let image: Image?
        public let selected: Bool
        public let action: Action
    }

    /// One coordinator of the tree.
    public struct Node: Decodable, Equatable, Sendable {
        public let id: String
        /// The name of its class.
        public let coordinator: String
        /// `leaf`, `container`, `navigation` or `tabBar`.
        public let kind: String
        public let started: Bool
        public let title: String?
        public let badge: String?
        /// Its own active route: `team/ferrari`; `nil` if it has none.
        public let route: String?
        public let section: String?
        /// The position of the visible child.
        public let index: Int?
        /// The modal on top of it: one node, or none.
        public let presented: [Node]
        public let children: [Node]

        private enum CodingKeys: CodingKey {
            case id, coordinator, kind, started, title, badge, route, section, index, presented, children
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.decode(String.self, forKey: .id)
            coordinator = try fields.decode(String.self, forKey: .coordinator)
            kind = try fields.decode(String.self, forKey: .kind)
            started = try fields.decode(Bool.self, forKey: .started)
            title = try fields.decodeIfPresent(String.self, forKey: .title)
            badge = try fields.decodeIfPresent(String.self, forKey: .badge)
            route = try fields.decodeIfPresent(String.self, forKey: .route)
            section = try fields.decodeIfPresent(String.self, forKey: .section)
            index = try fields.decodeIfPresent(Int.self, forKey: .index)
            presented = try fields.decodeIfPresent(Node.self, forKey: .presented).map { [$0] } ?? []
            children = try fields.decode([Node].self, forKey: .children)
        }
    }
}

extension Document.Route {
    /// All offered actions, in the order of the document: rows, screen, Back, tabs, dismissal.
    ///
    /// ```swift
    /// for action in try await client.route().offeredActions { … }
    /// ```
    public var offeredActions: [Document.Action] {
        let containers = [navigation.back] + navigation.tabs.map(\.action) + [navigation.dismiss]
        return screen.rows.flatMap(\.offeredActions) + screen.actions + containers.compactMap { $0 }
    }
}

extension Document.Row {
    /// The actions of a tap, a swipe and the further buttons.
    var offeredActions: [Document.Action] { [action, delete].compactMap { $0 } + actions }
}

extension Document.Node {
    /// This node and all nodes below it, parents first.
    ///
    /// ```swift
    /// #expect(route.tree.all.contains { $0.coordinator == "TeamsCoordinator" && $0.started })
    /// ```
    public var all: [Document.Node] { [self] + (children + presented).flatMap(\.all) }
}
