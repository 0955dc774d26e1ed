/// The library's own events: a user's actions on the containers.
///
/// ```swift
/// app.visibleLeaf.getRootViewController().emitEvent(NavigationEvents.back)
/// ```
///
/// UIKit's controllers report such actions through delegates. Here they are events, emitted at the leaf, that bubble
/// like any other: if no coordinator intercepts one, the container that it addresses carries it out.
public enum NavigationEvents: CoordinateEvents, Equatable {
    /// Pops the nearest navigation stack above that has something to pop. Not handled if there is none, or if a modal
    /// covers the stack.
    case back
    /// Pops the nearest navigation stack above that has something to pop to its root. Handled under the same conditions
    /// as ``back``.
    case popToRoot
    /// A tap on the tab with this identifier, which calls ``TabBarCoordinator/tabTapped(for:)`` of the nearest tab bar
    /// above with such a tab. Not handled if there is none.
    case selectTab(_ tab: String)
    /// Dismisses the top-most modal. Not handled if there is none.
    case dismiss
    /// A deep link to a path such as `/main/teams`, from the root down. The root handles it, unless the path leads
    /// nowhere.
    case open(_ path: String)
    /// A choice in the visible ``Alert``. Not handled if there is none, or if it has no such choice.
    case choose(_ choice: String)
}

/// The event of the timer of a guard: the guards decide again, as at the end of each turn. It is in no catalog, because no
/// app and no client emits it.
enum GuardEvents: DeclaredEvents, Equatable {
    case askGuards

    static let declaration = EventDeclaration<Self>("navigation", .event("askGuards", .askGuards).appOnly)
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
