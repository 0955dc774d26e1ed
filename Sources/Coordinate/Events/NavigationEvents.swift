/// The library's own events: a user's actions on the containers themselves.
///
/// ```swift
/// app.visibleLeaf.getRootViewController().emitEvent(NavigationEvents.back)
/// ```
///
/// On a phone UIKit's controllers report these through delegates. Here they are emitted at the leaf and bubble like any
/// other event: a coordinator may intercept them first, else the container that they are meant for acts.
public enum NavigationEvents: CoordinateEvents, Equatable {
    /// Pops the nearest navigation stack above that has something to pop. Not handled if there is none, nor by a stack
    /// behind a modal.
    case back
    /// Pops the nearest navigation stack above that has something to pop, to its root. Not handled where ``back`` is
    /// not.
    case popToRoot
    /// A tap on the tab with this identifier: goes through ``TabBarCoordinator/tabTapped(for:)`` of the nearest tab bar
    /// above that has one. Not handled where none has.
    case selectTab(_ tab: String)
    /// Dismisses the top-most modal. Not handled if there is none.
    case dismiss
    /// A deep link: leads to a path like `/main/teams`, from the root down. The root handles it, unless the path leads
    /// nowhere.
    case open(_ path: String)
    /// A choice in the ``Alert`` that is shown. Not handled if there is none, or it has no such choice.
    case choose(_ choice: String)
}

extension NavigationEvents: DeclaredEvents {
    /// `navigation.back`, `navigation.popToRoot`, `navigation.selectTab`, `navigation.dismiss`,
    /// `navigation.open` and `navigation.choose`.
    public static let declaration = EventDeclaration<Self>(
        "navigation",
        .event("back", .back),
        .event("popToRoot", .popToRoot),
        .event("selectTab", Self.selectTab, "tab") { if case .selectTab(let tab) = $0 { tab } else { nil } },
        .event("dismiss", .dismiss),
        .event("open", Self.open, "path") { if case .open(let path) = $0 { path } else { nil } },
        .event("choose", Self.choose, "choice") { if case .choose(let choice) = $0 { choice } else { nil } }
    )
}
