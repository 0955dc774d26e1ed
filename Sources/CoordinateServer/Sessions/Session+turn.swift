internal import Coordinate
internal import MicroHTTPD

extension Session {
    /// Takes one event: dispatch, settle, commit. Nothing of it can be seen before the journal has it.
    ///
    /// - Parameters:
    ///   - preconditions: What must be so of the current version.
    ///   - retry: How the request is known when it is repeated: then its outcome is told once more, and nothing done.
    ///   - wantsRoute: Whether the outcome should hold the route document.
    func inject(
        _ request: EventRequest, if preconditions: Preconditions = .none, retry: Retry? = nil, wantsRoute: Bool
    ) throws(SessionError) -> EventOutcome {
        var former: RetryWindow.Entry?
        let outcome = try withTree { tree, state throws(SessionError) -> EventOutcome? in
            if let retry { former = try state.retries.entry(of: retry) }
            guard former == nil else { return nil }
            try check(preconditions, state)
            let (turn, entry) = try take(request, time: host.clock.timestamp(), retry: retry, with: tree, &state)
            host.metrics.countEvent(isHandled: turn.dispatch.isHandled)
            return EventOutcome(
                version: entry.version, turn: turn, path: entry.path, leaf: tree.root.visibleLeaf.id,
                route: wantsRoute ? try routeBody(&state) : nil)
        }
        if let outcome { return outcome }
        return try self.outcome(of: former?.version ?? 0, wantsRoute: former?.retry.isMinimal == false)
    }

    /// What came of an event that is in the journal, told once more.
    private func outcome(of version: Int, wantsRoute: Bool) throws(SessionError) -> EventOutcome {
        let tree = try formerTree(at: version - 1)
        let entries = try unlessEnded { () throws(SessionError) in
            try host.entries(of: id, after: version - 1, upTo: version)
        }
        guard let entry = entries.first else { throw .hasEnded }
        let turn = try tree.apply(EventRequest(repeating: entry))
        return EventOutcome(
            version: version, turn: turn, path: entry.path, leaf: tree.root.visibleLeaf.id,
            route: wantsRoute ? routeBody(of: tree, version: version) : nil)
    }

    /// Takes an event that another session took before.
    ///
    /// - Returns: what is in this session's journal now.
    func replay(_ entry: JournalEntry) throws(SessionError) -> JournalEntry {
        try withTree { tree, state throws(SessionError) in
            try take(EventRequest(repeating: entry), time: entry.time, retry: nil, with: tree, &state).entry
        }
    }

    /// Runs a turn and commits it. Where either fails, the tree is as it was before, or dropped.
    private func take(
        _ request: EventRequest, time: Timestamp, retry: Retry?, with tree: SessionTree, _ state: inout State
    ) throws(SessionError) -> (turn: Turn, entry: JournalEntry) {
        guard state.version < host.limits.maximumEvents else { throw .historyIsFull }
        let turn: Turn
        do throws(SessionError) {
            turn = try tree.apply(request)
        } catch {
            if tree.isBroken { discardTree(&state) }
            throw error
        }
        let entry = JournalEntry(
            version: state.version + 1, time: time, event: turn.event, payload: turn.payload, at: turn.at,
            isHandled: turn.dispatch.isHandled, handledBy: turn.dispatch.handledBy, path: tree.root.path, retry: retry)
        do throws(JournalError) {
            try host.journal.append(entry, to: id)
        } catch {
            discardTree(&state)
            throw error == .full ? .historyIsFull : .journal(error)
        }
        state.version = entry.version
        state.retries.note(entry)
        state.routeBody = nil
        state.routeResponse = nil
        tellAudience(&state)
        return (turn, entry)
    }
}

/// What came of an event.
struct EventOutcome: Sendable {
    let version: Int
    let turn: Turn
    /// The path after it.
    let path: String
    let leaf: String
    /// The route document, where it was asked for.
    let route: HTTPBody?
}
