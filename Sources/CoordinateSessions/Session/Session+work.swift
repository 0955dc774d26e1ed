internal import Coordinate
internal import Synchronization

extension Session {
    /// What the keeper should know of everything pending in the tree; `nil` if the keeper knows already that nothing is,
    /// or work is withheld.
    ///
    /// - Parameter version: See ``PendingNote/lastOldVersion``.
    func pendingNote(committedAfter version: Int?, _ state: inout State) -> PendingNote? {
        guard !beginning.isWorkWithheld, let tree = state.tree, tree.root.hasPendingWork || state.keeperHasWork,
            host.keeper.keeper != nil
        else { return nil }
        state.keeperHasWork = tree.root.hasPendingWork
        return PendingNote(version: tree.version, work: tree.root.askedWork, lastOldVersion: version)
    }

    func notifyKeeper(_ note: PendingNote?) {
        if let note { host.keeper.keeper?.update(note, of: self) }
    }

    /// Notifies the keeper of everything pending in a session that has just been created.
    func notifyKeeperOfFirstWork() {
        inTurnAtOnce {
            let note = withState { state in
                updateTimers(&state)
                return pendingNote(committedAfter: -1, &state)
            }
            notifyKeeper(note)
        }
    }

    /// Records that the keeper knows what is pending at a version; `false` if it knows a later one.
    func recordKnownWork(upTo version: Int) -> Bool {
        let known = keeperVersion.max(version, ordering: .relaxed).oldValue
        return known <= version
    }

    /// Everything that is pending, as soon as there is a tree; nothing if work is withheld. This does not count as a
    /// use.
    func pendingWork() async throws(SessionError) -> PendingNote {
        try await look { _, tree in
            PendingNote(
                version: tree.version, work: beginning.isWorkWithheld ? [] : tree.root.askedWork, lastOldVersion: nil)
        }
    }

    /// See ``SessionRecord/reference``.
    var reference: String { names.withLock(\.reference) }

    /// The key by which the outside recognizes a piece of work.
    func key(of work: String) -> String { "\(reference)/\(work)" }

    /// The session as its work knows it.
    var context: SessionContext {
        let names = names.withLock(\.self)
        return host.app.app.context(reference: names.reference, key: names.key, options: beginning.options)
    }

    /// Injects the outcome of a piece of work, or the event of a timer, at the coordinator that owns it.
    func inject(_ event: any DeclaredEvents, of asked: AskedWork) async throws(SessionError) -> EventOutcome {
        try await inject(asked.injection(of: event))
    }
}
