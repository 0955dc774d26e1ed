/// The user's navigation that a question may interrupt.
struct LeavingState {
    /// The event that waits for the choice in an alert.
    var held: HeldEvent?
    /// The event that is being carried out after the choice in an alert.
    var resumed: HeldEvent?
    /// The tap on a tab that is being carried out.
    var tap: TabTap?
}

/// A user's navigation event that waits until an alert is answered.
struct HeldEvent {
    let event: NavigationEvents
    /// The coordinator that handles the event.
    let addressee: CoordinatorReference
    /// The outermost coordinator that the user leaves.
    let subject: CoordinatorReference?
    /// The coordinator whose question the alert shows.
    let asker: CoordinatorReference
    let alert: CoordinatorReference
    /// The coordinators whose alerts were already answered with a choice to leave.
    var answered: [CoordinatorReference]
}

/// A user's tap on a tab that is being carried out. What it leads to shows only when the app requests it.
struct TabTap {
    let event: NavigationEvents
    /// The tab bar.
    let addressee: CoordinatorReference
    /// The coordinators whose alerts were already answered with a choice to leave.
    let answered: [CoordinatorReference]
    /// Whether a question or a guard has ended the tap, so that its further requests do not happen.
    var isOver = false
    /// The refusal of the tab by a guard; `nil` if there is none.
    var refusal: (Refusal, of: RoutePath)?
}
