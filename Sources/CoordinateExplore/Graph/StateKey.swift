/// The thing by which two states of an app are one.
public enum StateKey: String, CaseIterable, Sendable {
    /// The path: each link is a state.
    case path
    /// The name of the screen: a small graph, of what a user would call the app's screens.
    case screen
    /// All that is shown, and all that is pending: mostly there is no end to such states.
    case document
}
