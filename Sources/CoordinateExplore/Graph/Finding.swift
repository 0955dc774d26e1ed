/// Something about an app that its author should know of.
public struct Finding: Hashable, Sendable {
    /// The kinds of findings, in the order in which they are listed.
    public enum Kind: String, CaseIterable, Sendable {
        /// Something is offered that nobody handles.
        case unhandledAction = "unhandled-action"
        /// Nothing is offered, and nothing is pending that would lead on.
        case deadEnd = "dead-end"
        /// A declared path is never shown.
        case unreachablePath = "unreachable-path"
        /// A declared event is never offered. The library's own, and those that only the app may emit, are none of these.
        case unusedEvent = "unused-event"
        /// A state's own path, opened in a new session, shows another screen or path.
        case linkDiffers = "link-differs"
        /// A turn failed.
        case failedTurn = "failed-turn"
        /// The same events lead to another state when they are taken once more.
        case notDeterministic = "not-deterministic"
    }

    public let kind: Kind
    /// A sentence or two: where it is, and what to do about it.
    public let detail: String
    /// The id of the state in which it is found; nil where it is about the whole app.
    public let state: Int?
    /// A shortest way to it; empty where it is about the whole app.
    public let journal: [Step]
}
