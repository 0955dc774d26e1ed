/// A picture of a tree: where the app is, what it shows, and every coordinator there is. It holds values only.
///
/// ```swift
/// #expect(app.navigationState.path == "/main/teams/team/ferrari")
/// #expect(app.navigationState.back?.title == "Teams")
/// ```
public struct NavigationState: Equatable, Sendable {
    /// The active routes from the root to the leaf: `/main/teams`.
    public let path: String
    /// The id of the visible leaf.
    public let leaf: String
    /// The visible navigation stack and what it is presented on, outermost first; the last is the leaf.
    public let breadcrumbs: [Breadcrumb]
    /// The path of the deep link that waits for a guard to grant it; nil where there is none.
    public let parked: String?
    /// The work and the timers that are pending, oldest first.
    public let pending: [PendingWork]
    /// The screen of the leaf.
    public let screen: Screen
    /// Back, with the title of the screen it leads to; nil where it leads nowhere.
    public let back: Action?
    /// The tabs of the innermost visible tab bar.
    public let tabs: [Tab]
    /// Dismisses the top-most modal; nil where there is none.
    public let dismiss: Action?
    /// Every coordinator on a screen, seen or not.
    public let tree: Node
    /// The faults of what the leaf would show: an action is left out that nobody could send.
    public let diagnostics: [Diagnostic]

    /// Everything that is offered: the rows' actions first, then the screen's, Back, the tabs, and the dismissal of a modal.
    public var offered: [Action] {
        screen.rows.flatMap { [$0.action, $0.delete].compactMap(\.self) + $0.actions } + screen.actions
            + [back].compactMap(\.self) + tabs.map(\.action) + [dismiss].compactMap(\.self)
    }

    /// One screen on the way to the leaf.
    public struct Breadcrumb: Equatable, Sendable {
        /// The text at the top of the screen, else the screen's name.
        public let title: String
        /// The path at which it is the leaf: `/main/teams`.
        public let path: String
    }

    /// One tab of the bar.
    public struct Tab: Equatable, Sendable {
        /// The title of its item.
        public let title: String
        /// The text of its badge, nil where there is none.
        public let badge: String?
        /// True for the selected tab.
        public let isSelected: Bool
        /// A tap on it.
        public let action: Action
    }

    /// One coordinator.
    public struct Node: Equatable, Sendable {
        /// Its id: ``Coordinating/id``.
        public let id: String
        /// The name of its class.
        public let coordinator: String
        /// The way in which it shows its children.
        public let kind: CoordinatorKind
        /// True while it is started: a tab that was never selected is not.
        public let isStarted: Bool
        /// The text at the top of its screen, else the title of its tab bar item.
        public let title: String?
        /// The text of its tab bar item's badge.
        public let badge: String?
        /// Its own active route, nil where it has none.
        public let route: RoutePath?
        /// The section of a shared navigation stack it is in, nil where it is in none.
        public let section: String?
        /// The position in ``children`` of the one that can be seen.
        public let index: Int?
        /// The modal on top of it: one node, or none.
        public let presented: [Node]
        /// The coordinators on its screen: one in a container, a stack bottom first, all tabs.
        public let children: [Node]
    }
}

/// The way in which a coordinator shows its children.
public enum CoordinatorKind: String, Sendable {
    /// It has none.
    case leaf
    /// It shows one at a time.
    case container
    /// It stacks them.
    case navigation
    /// It has them side by side.
    case tabBar
}
