internal import Coordinate

extension Session {
    /// A page of the journal.
    func entries(after version: Int, limit: Int) throws(SessionError) -> (entries: [JournalEntry], next: Int?) {
        try withState { state throws(SessionError) in
            let count = min(limit, state.version - version)
            guard count > 0 else { return ([], nil) }
            let entries = try host.entries(of: id, after: version, upTo: version + count)
            guard let last = entries.last, last.version < state.version else { return (entries, nil) }
            return (entries, last.version)
        }
    }

    /// Shows every entry, oldest first, as far as they go now.
    func forEachEntry(
        upTo version: Int? = nil, _ body: (JournalEntry) throws(SessionError) -> Void
    ) throws(SessionError) {
        let current = try withState { state throws(SessionError) in state.version }
        guard version ?? 0 <= current else { throw .unknownVersion(current: current) }
        try Patience.check(events: version ?? current)
        try unlessEnded { () throws(SessionError) in
            try host.forEachEntry(of: id, upTo: version ?? current, body)
        }
    }

    /// A new session with the same first events.
    func fork(at version: Int) throws(SessionError) -> Session {
        let fork = try Session(host: host)
        do throws(SessionError) {
            try forEachEntry(upTo: version) { entry throws(SessionError) in _ = try fork.replay(entry) }
        } catch {
            fork.end()
            throw error
        }
        return fork
    }
}
