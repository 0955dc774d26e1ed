/// The numbers of a journal's commits, since it was opened.
public struct JournalStatistics: Equatable, Sendable {
    /// Commits with entries in them.
    public var commits = 0
    /// Entries that were committed. Divided by the commits, it is the size of a group.
    public var entries = 0
    /// The time that those commits took, in seconds.
    public var commitTime = 0.0

    public init() {}
}
