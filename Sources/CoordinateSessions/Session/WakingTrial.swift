/// A trial of how a session wakes: the same tree and the same judgement as on a server, for a tool that only reads.
package struct WakingTrial: ~Copyable {
    private let tree: SessionTree

    /// Judges what is known before the session's entries, and starts the tree.
    ///
    /// - Throws: The reason why the session would be quarantined, or why its tree cannot start.
    package init(of head: SessionHead, by app: HostedApp) throws(SessionError) {
        if let reason = app.quarantine(of: head) { throw reason.error }
        tree = try SessionTree(app, head.record.beginning, of: head.record.id)
    }

    /// Replays the session's next entry.
    ///
    /// - Throws: The reason why the session would be quarantined, or why its tree cannot continue.
    package func replay(_ entry: JournalEntry) throws(SessionError) {
        try tree.replay(entry)
    }
}
