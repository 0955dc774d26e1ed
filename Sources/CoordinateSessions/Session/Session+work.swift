internal import Coordinate
internal import Synchronization

extension Session {
    /// Notifies the keeper of everything pending in the tree, unless the keeper knows already that nothing is, or work
    /// is withheld.
    ///
    /// - Parameters:
    ///   - version: See ``PendingNote/lastOldVersion``.
    ///   - later: Runs a closure once nothing is locked.
    func notifyKeeper(
        committedAfter version: Int?, _ state: inout State, _ later: (@escaping @Sendable () -> Void) -> Void
    ) {
        updateTimers(&state)
        guard !beginning.isWorkWithheld, let tree = state.tree, tree.root.hasPendingWork || state.keeperHasWork,
            let keeper = host.keeper.keeper
        else { return }
        state.keeperHasWork = tree.root.hasPendingWork
        let note = PendingNote(version: tree.version, work: tree.root.askedWork, lastOldVersion: version)
        later { keeper.update(note, of: self) }
    }

    /// Notifies the keeper of everything pending in a session that has just been created.
    func notifyKeeperOfFirstWork(for client: ClientKey) {
        post(
            .call { session, state, outbox in session.notifyKeeper(committedAfter: -1, &state) { outbox.append($0) } },
            on: host.executor(of: client))
    }

    /// Records that the keeper knows what is pending at a version; `false` if it knows a later one.
    func recordKnownWork(upTo version: Int) -> Bool {
        let known = keeperVersion.max(version, ordering: .relaxed).oldValue
        return known <= version
    }

    /// Everything that is pending, as soon as there is a tree; nothing if work is withheld. This does not count as a
    /// use.
    func pendingWork() -> Future<PendingNote, SessionError> {
        look { session, state in
            guard let tree = state.tree else { return .failure(.hasEnded) }
            guard !session.beginning.isWorkWithheld else {
                return .success(PendingNote(version: tree.version, work: [], lastOldVersion: nil))
            }
            return .success(PendingNote(version: tree.version, work: tree.root.askedWork, lastOldVersion: nil))
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
    func inject(_ event: any DeclaredEvents, of asked: AskedWork) -> Future<EventOutcome, SessionError> {
        inject(asked.injection(of: event))
    }
}
