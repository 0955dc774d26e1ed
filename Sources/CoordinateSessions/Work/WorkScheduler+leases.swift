internal import Coordinate
internal import Synchronization

// The leases of the sessions that are looked after. They are requested once nothing is locked, and given back under the
// lock, so that giving one back never ends one that is requested later.
extension WorkScheduler {
    func requestLease(of session: Session, _ state: inout State) {
        guard let number = state.sessions[session.id]?.number else { return }
        state.afterwards.append {
            Task.immediate(executorPreference: self.host.executor) { await self.lease(session, number) }
        }
    }

    /// - Parameter number: The number of the tracked session.
    private func lease(_ session: Session, _ number: Int) async {
        let time = host.clock.instant()
        let isGranted = try? await host.journal.lease(session.id)
        act { state in
            guard let tracked = state.sessions[session.id] else {
                // The session may be leased even if the result is lost.
                if isGranted != false { host.journal.endLeases(of: [session.id]) }
                return
            }
            // The session was looked after once more since, and its lease requested again.
            guard tracked.number == number else { return }
            switch isGranted {
            case true?: state.recordLease(of: session.id, requestedAt: time)
            case false?:
                // No other server can do work that needs a secret. The next sweep requests the lease again.
                if !tracked.note.hasSecret(lost: false) { remove(session.id, &state) }
            case nil:
                host.journal.endLeases(of: [session.id])
                remove(session.id, &state)
            }
        }
        follow(session)
        act { state in reconcile(session.id, &state) }
    }

    func renewLeases() async {
        let leases = state.withLock { state in
            state.inOrder.compactMap { tracked in tracked.lease.map { (session: tracked.session.id, number: $0) } }
        }
        guard !leases.isEmpty else { return }
        let time = host.clock.instant()
        guard let kept = try? await host.journal.renewLeases(of: leases.map(\.session)) else { return }
        act { state in
            // Sessions that were leased anew since are excluded.
            for (session, number) in leases where state.sessions[session]?.lease == number {
                if kept.contains(session) { state.sessions[session]?.leasedAt = time } else { remove(session, &state) }
            }
        }
    }

    /// Follows the changes by other servers to a leased session.
    func follow(_ session: Session) {
        let isFollowed = state.withLock { state in
            state.sessions[session.id].map { $0.lease == nil || $0.subscription != nil } ?? true
        }
        guard host.journal.isShared, !isFollowed else { return }
        let subscription = host.journal.follow(session.id) { [weak session] in session?.receiveChange() }
        state.withLock { $0.sessions[session.id]?.subscription = subscription }
        // Changes may have arrived after the tree was brought up to date, and before the subscription began.
        session.receiveChange()
    }

    /// Whether the lease is certainly valid. If it may have run out, other servers may run the work, and no more begins
    /// here.
    func isSure(_ tracked: TrackedSession) -> Bool {
        guard host.journal.isShared else { return true }
        guard let leasedAt = tracked.leasedAt else { return false }
        return leasedAt.duration(to: host.clock.instant()) < .seconds(host.journal.leaseTime)
    }

    /// Gives back the lease of a session that cannot be looked after, unless it is by now. If the session itself is the
    /// reason, it backs off, longer each time, so that sessions whose work cannot be done do not delay others.
    ///
    /// - Parameter error: The reason; `nil` if there is nothing to do.
    func leaveAlone(_ session: SessionID, because error: SessionError?) {
        state.withLock { leaveAlone(session, because: error, $0) }
    }

    func leaveAlone(_ session: SessionID, because error: SessionError?, _ state: borrowing State) {
        guard state.sessions[session] == nil else { return }
        switch error {
        case .journal, .draining, .abandoned: host.journal.endLeases(of: [session])
        default: host.journal.backOff([session], from: host.clock.timestamp())
        }
    }
}
