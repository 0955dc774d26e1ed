/// Work or a timer that a turn asked for and that is not over yet.
public struct PendingWork: Equatable, Sendable {
    /// The version that asked for it and its place there: `12-1`.
    public let id: String
    /// The app's own name for it.
    public let name: String
    /// The id of the coordinator that asked.
    public let at: String
    /// The moment at which the timer is due; nil for work.
    public let due: Timestamp?

    /// Makes one as it was asked for.
    public init(id: String, name: String, at: String, due: Timestamp?) {
        self.id = id
        self.name = name
        self.at = at
        self.due = due
    }
}
