internal import Coordinate
internal import Synchronization

extension Session {
    /// Notes a use. The journal is notified so rarely that it costs nothing, and early enough to keep the session.
    func touch() {
        touch(at: host.clock.uptime())
    }

    func touch(at now: Int) {
        // Most requests are not the first one of their second.
        if lastUse.load(ordering: .relaxed) != now { lastUse.store(now, ordering: .sequentiallyConsistent) }
        let idleTime = host.limits.idleTime
        // The next record for a session with followers may be a few seconds late.
        let reserve = isFollowed ? Self.sweepTime : 0
        if keptUntil.load(ordering: .sequentiallyConsistent) < now + idleTime + reserve {
            keep(until: now + idleTime + max(idleTime / 10, 2 * reserve))
        }
    }

    /// Notes a use if it has followers. Returns whether it has.
    func touchIfFollowed() -> Bool {
        guard isFollowed else { return false }
        touch()
        return true
    }

    /// The longest time between two checks of a session with followers, in addition to half of its idle time, in
    /// seconds.
    static let sweepTime = 4

    func keep(until expiry: Int) {
        guard keptUntil.exchange(expiry, ordering: .sequentiallyConsistent) != expiry else { return }
        host.journal.keep(id, until: host.clock.moment(at: expiry))
    }

    /// Notifies the journal of the last use, unless the journal knows it: when the session is released, or listed. A
    /// session with followers is in use now.
    func recordUse() {
        if isFollowed { lastUse.store(host.clock.uptime(), ordering: .sequentiallyConsistent) }
        var use: Int
        repeat {
            use = lastUse.load(ordering: .sequentiallyConsistent)
            keep(until: host.expiry(afterUseAt: use))
            // A concurrent use may have seen an older time in the journal that was late enough, or written an earlier
            // one.
        } while lastUse.load(ordering: .sequentiallyConsistent) != use
    }

    /// Whether it has not been used for so long that it has expired.
    func hasExpired(by now: Int) -> Bool {
        !isFollowed && lastUse.load(ordering: .relaxed) + host.limits.idleTime <= now
    }

    /// The time since which it has not been used, by the monotonic clock.
    var idleSince: Int {
        isFollowed ? host.clock.uptime() : lastUse.load(ordering: .relaxed)
    }

    /// Whether it has followers.
    var isFollowed: Bool { hasFollowers.load(ordering: .relaxed) }

    /// Whether it has ended, here or on another server.
    package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    /// The reason why it accepts no more events; `nil` if it does.
    var quarantine: Quarantine? { shown.quarantine }

    /// Updates the names from the record in the journal.
    func updateNames(from record: SessionRecord) {
        names.withLock { $0 = SessionNames(record) }
    }

    /// Applies the crashes that the journal knows by now.
    func apply(_ crash: CrashNote?) {
        guard quarantine?.isOfCrashes ?? false != (crash != nil) else { return }
        inTurnAtOnce {
            let isNew = withState { state in
                guard !state.hasEnded else { return false }
                if let crash, state.quarantine == nil {
                    state.quarantine = .crashed(crash)
                    discardTree(&state)
                    return true
                }
                if crash == nil, state.quarantine?.isOfCrashes == true { state.quarantine = nil }
                return false
            }
            if isNew, let crash { host.recordQuarantine(.crashed(crash)) }
        }
    }
}
