/// A picture of a tree: where the app is, what it shows, and every coordinator on a screen. It holds values only.
///
/// ```swift
/// #expect(app.navigationState.path == "/main/teams/team/ferrari")
/// #expect(app.navigationState.back?.title == "Teams")
/// ```
public struct NavigationState: Equatable, Sendable {
    /// All of it but the tree.
    let visible: VisibleState
    /// Every coordinator on a screen, visible or not.
    public let tree: Node

    /// The active routes from the root to the leaf: `/main/teams`.
    public var path: String { visible.path }
    /// The id of the visible leaf.
    public var leaf: String { visible.leaf }
    /// The screens of the visible navigation stack and those below its modals, outermost first; the last is the leaf.
    public var breadcrumbs: [Breadcrumb] { visible.breadcrumbs }
    /// The path of the deep link that waits for a guard to grant it; `nil` if there is none.
    public var parked: String? { visible.parked }
    /// The work and the timers that are pending, oldest first.
    public var pending: [PendingWork] { visible.pending }
    /// The screen of the leaf.
    public var screen: Screen { visible.screen }
    /// The Back action, with the title of the screen it leads to; `nil` if it leads nowhere.
    public var back: Action? { visible.back }
    /// The tabs of the innermost visible tab bar.
    public var tabs: [Tab] { visible.tabs }
    /// The action that dismisses the top-most modal; `nil` if there is none.
    public var dismiss: Action? { visible.dismiss }
    /// The problems with what the leaf would show: an action that no client could send is left out.
    public var diagnostics: [Diagnostic] { visible.diagnostics }

    /// Every action on offer: those of the rows first, then the screen's, Back, the tabs, and the dismissal of a modal.
    public var offered: [Action] {
        screen.rows.flatMap(\.offered) + screen.actions
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
        /// The text of its badge, `nil` if there is none.
        public let badge: String?
        /// True for the selected tab.
        public let isSelected: Bool
        /// The action of a tap on it.
        public let action: Action
    }

    /// One coordinator. A picture's nodes never change, and are shared by its copies.
    public final class Node: Equatable, Sendable {
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
        /// Its own active route, `nil` if it has none.
        public let route: RoutePath?
        /// The name of the coordinator in whose section of a shared navigation stack it is, `nil` if it is in none.
        public let section: String?
        /// The position in ``children`` of the visible one.
        public let index: Int?
        /// The modal on top of it: one node, or none.
        public let presented: [Node]
        /// The coordinators on its screen: one in a container, a stack bottom first, all tabs.
        public let children: [Node]

        init(
            id: String, coordinator: String, kind: CoordinatorKind, isStarted: Bool, title: String?, badge: String?,
            route: RoutePath?, section: String?, index: Int?, presented: [Node], children: [Node]
        ) {
            self.id = id
            self.coordinator = coordinator
            self.kind = kind
            self.isStarted = isStarted
            self.title = title
            self.badge = badge
            self.route = route
            self.section = section
            self.index = index
            self.presented = presented
            self.children = children
        }

        /// Whether two nodes and all below them look alike.
        public static func == (one: Node, other: Node) -> Bool {
            one === other
                || one.id == other.id && one.coordinator == other.coordinator && one.kind == other.kind
                    && one.isStarted == other.isStarted && one.title == other.title && one.badge == other.badge
                    && one.route == other.route && one.section == other.section && one.index == other.index
                    && one.presented == other.presented && one.children == other.children
        }
    }
}

/// If the app is, and what it shows: a ``NavigationState`` without its tree.
package struct VisibleState: Equatable, Sendable {
    package let path: String
    package let leaf: String
    package let breadcrumbs: [NavigationState.Breadcrumb]
    package let parked: String?
    package let pending: [PendingWork]
    package let screen: Screen
    package let back: Action?
    package let tabs: [NavigationState.Tab]
    package let dismiss: Action?
    package let diagnostics: [Diagnostic]
}

/// The way in which a coordinator shows its children.
public enum CoordinatorKind: String, Sendable {
    /// It shows none.
    case leaf
    /// It shows one at a time.
    case container
    /// It stacks them.
    case navigation
    /// It shows them side by side.
    case tabBar
}
