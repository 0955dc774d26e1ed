internal import Coordinate
internal import Synchronization

extension Session {
    /// Has its keeper told of what is pending in the tree, where it has not been told that nothing is.
    ///
    /// - Parameters:
    ///   - version: See ``PendingNote/lastOldVersion``.
    ///   - later: Does something once nothing is locked.
    func noteWork(
        committedAfter version: Int?, _ state: inout State, _ later: (@escaping @Sendable () -> Void) -> Void
    ) {
        guard let tree = state.tree, tree.root.hasPendingWork || state.hasNotedWork, let keeper = host.keeper.keeper
        else { return }
        state.hasNotedWork = tree.root.hasPendingWork
        let note = PendingNote(version: tree.version, work: tree.root.askedWork, lastOldVersion: version)
        later { keeper.note(note, of: self) }
    }

    /// Has its keeper told of what is pending in a session that has just been made.
    func noteFirstWork() {
        var told: (@Sendable () -> Void)?
        state.withLock { state in noteWork(committedAfter: -1, &state) { told = $0 } }
        told?()
    }

    /// Notes that its keeper knows what is pending at a version; false where it knows that of a later one.
    func noteWork(upTo version: Int) -> Bool {
        let known = notedVersion.max(version, ordering: .relaxed).oldValue
        return known <= version
    }

    /// Everything that is pending, as soon as there is a tree. It is no use of the session.
    func pendingWork() -> Future<PendingNote, SessionError> {
        look { _, state in
            guard let tree = state.tree else { return .failure(.hasEnded) }
            return .success(PendingNote(version: tree.version, work: tree.root.askedWork, lastOldVersion: nil))
        }
    }

    /// Tells the outcome of a piece of work, or that a timer is due: an event at the coordinator that asked.
    func tell(_ event: any DeclaredEvents, of asked: AskedWork) -> Future<EventOutcome, SessionError> {
        let origin: JournalEntry.Origin = asked.pending.due == nil ? .work : .timer
        var request = EventRequest(event, at: nil, origin: origin, pending: asked.pending.id)
        request.traceparent = asked.traceparent
        return inject(EventInjection(request, wantsRoute: false))
    }
}
