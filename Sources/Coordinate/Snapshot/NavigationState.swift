/// A snapshot of a tree: where the app is, what it shows, and every coordinator on a screen. It consists of values
/// only.
///
/// ```swift
/// #expect(app.navigationState.path == "/main/teams/team/ferrari")
/// #expect(app.navigationState.back?.title == "Teams")
/// ```
public struct NavigationState: Equatable, Sendable {
    let visible: VisibleState
    /// Every coordinator on a screen, visible or not.
    public let tree: Node

    /// The active routes from the root to the leaf: `/main/teams`.
    public var path: String { visible.path }
    /// The id of the visible leaf.
    public var leaf: String { visible.leaf }
    /// The screens of the visible navigation stack and those below its modals, outermost first. The last one is the
    /// leaf.
    public var breadcrumbs: [Breadcrumb] { visible.breadcrumbs }
    /// The path of the parked link, which waits until a guard grants it; `nil` if there is none.
    public var parked: String? { visible.parked }
    /// The work and the timers that are pending, oldest first.
    public var pending: [PendingWork] { visible.pending }
    /// The screen of the leaf.
    public var screen: Screen { visible.screen }
    /// The Back action, with the title of the screen it leads to; `nil` if there is nothing to go back to.
    public var back: Action? { visible.back }
    /// The tabs of the innermost visible tab bar.
    public var tabs: [Tab] { visible.tabs }
    /// The action that dismisses the top-most modal; `nil` if there is none.
    public var dismiss: Action? { visible.dismiss }
    /// The problems with what the leaf would show. For example, the screen omits an action that no client could send.
    public var diagnostics: [Diagnostic] { visible.diagnostics }

    /// Every offered action: first those of the rows, then the screen's, Back, the tabs, and the dismissal of a modal.
    public var offered: [Action] {
        screen.rows.flatMap(\.offered) + visible.offeredOutsideRows
    }

    /// Whether an action is offered whose button, or filled-in form, sends an event: the payload is the action's, except
    /// for the fields of its inputs.
    package func offers(_ event: String, with payload: PlainValue) -> Bool {
        offered.contains { $0.event == event && $0.isSent(as: payload) }
    }

    /// One screen on the way to the leaf.
    public struct Breadcrumb: Equatable, Sendable {
        /// The text at the top of the screen; the screen's name if there is none.
        public let title: String
        /// The path at which it is the leaf: `/main/teams`.
        public let path: String
    }

    /// One tab of the bar.
    public struct Tab: Equatable, Sendable {
        /// The title of its item.
        public let title: String
        /// The text of its badge; `nil` if there is none.
        public let badge: String?
        /// The image of its item; `nil` if there is none.
        public let image: Image?
        /// Whether it is the selected tab.
        public let isSelected: Bool
        /// The action of a tap on it.
        public let action: Action
    }

    /// One coordinator. The nodes of a snapshot never change, so its copies share them.
    public final class Node: Equatable, Sendable {
        /// Its id: ``Coordinating/id``.
        public let id: String
        /// The name of its class.
        public let coordinator: String
        /// How it shows its children.
        public let kind: CoordinatorKind
        /// Whether it is started. A tab that was never selected is not.
        public let isStarted: Bool
        /// The text at the top of its screen; the title of its tab bar item if there is none.
        public let title: String?
        /// The text of its tab bar item's badge.
        public let badge: String?
        /// Its own active route; `nil` if it has none.
        public let route: RoutePath?
        /// The name of the coordinator whose section of a shared navigation stack contains it; `nil` if it is in no
        /// section.
        public let section: String?
        /// The position of the visible child in ``children``; `nil` if there is none.
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

        /// Returns whether two nodes and all nodes below them are equal.
        public static func == (one: Node, other: Node) -> Bool {
            one === other
                || one.id == other.id && one.coordinator == other.coordinator && one.kind == other.kind
                    && one.isStarted == other.isStarted && one.title == other.title && one.badge == other.badge
                    && one.route == other.route && one.section == other.section && one.index == other.index
                    && one.presented == other.presented && one.children == other.children
        }
    }
}

/// A ``NavigationState`` without its tree: where the app is, and what it shows.
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

    /// The offered actions apart from those of the rows: the screen's, Back, the tabs, and the dismissal of a modal.
    package var offeredOutsideRows: [Action] {
        screen.actions + [back].compactMap(\.self) + tabs.map(\.action) + [dismiss].compactMap(\.self)
    }
}
