internal import Coordinate

extension SessionRegistry {
    /// Whether the server may have no room for another session of a client unless it ends an unused one.
    func isCrowded(for client: ClientKey) -> Bool { isFull(for: client) || host.budget.isNearlyFull }

    /// The session limit for a client that wants another session. A client that floods the server leaves an
    /// eighth of the sessions to others.
    func limit(for client: ClientKey) -> Int {
        let places = host.limits.maximumSessions
        return host.created.isFlooding(client, places) ? places - places / 8 : places
    }

    private func isFull(for client: ClientKey) -> Bool { !host.journal.isShared && count >= limit(for: client) }

    /// Whether a client that wants another session has reached the memory limit. A client that floods the server
    /// leaves the last tenth to others.
    private func isOutOfMemory(for client: ClientKey) -> Bool {
        guard host.budget.isNearlyFull else { return false }
        return host.budget.isFull || host.created.isFlooding(client, host.budget.limit / Self.newSessionSize)
    }

    /// The approximate memory of a new session, in bytes.
    private static let newSessionSize = 8 * 1024

    /// Makes room for another session if there is none.
    ///
    /// - Parameter client: The client that wants the session.
    func room(for client: ClientKey) async throws(SessionError) {
        releaseIfNearlyFull()
        // Ending one session is enough, unless the memory limit is exceeded.
        var attempts = 16
        while isFull(for: client) || isOutOfMemory(for: client) {
            guard attempts > 0, await makeWay(for: client) else { throw refusal(of: client) }
            attempts -= 1
        }
    }

    private func refusal(of client: ClientKey) -> SessionError {
        isFull(for: client) ? .tooManySessions : .memoryIsFull
    }

    /// Ends a session that never accepted an event, that no client follows or waits for, and that was not used for a
    /// minute, as if it had expired. The new session takes its place.
    ///
    /// - Returns: Whether there was one.
    func makeWay(for client: ClientKey) async -> Bool {
        // Some may have been used on another server.
        for _ in 0..<16 {
            let now = host.clock.uptime()
            let unused = host.created.makeWay(for: client, at: now) { inMemory($0)?.idleSince }
            guard let unused else { return false }
            if await endUnused(unused.id, of: unused.of, at: now) { return true }
        }
        return false
    }

    /// Ends a session unless it was used recently or has accepted an event.
    ///
    /// - Returns: Whether it has ended.
    private func endUnused(_ id: SessionID, of owner: ClientKey, at now: Int) async -> Bool {
        // The journal knows of uses before the session left memory, and on other servers.
        if host.journal.isShared || inMemory(id) == nil {
            guard let head = try? await host.head(of: id), head.version == 0 else { return false }
            let allowance = host.journal.isShared ? host.limits.idleTime / 10 : 0
            let known = inMemory(id)?.idleSince ?? .min
            let use = max(known, host.use(before: head.expiresAt, allowance: allowance))
            guard use <= now - CreatedSessions.protection else {
                host.created.insertUnused(id, of: owner, usedAt: use)
                return false
            }
        }
        do {
            if let session = inMemory(id) {
                try await end(session, if: VersionCondition(isOneOf: .some([0])))
            } else {
                try await host.journal.end(id, at: 0)
                host.didEnd(id)
            }
            return true
        } catch {
            return false
        }
    }
}

extension SessionRegistry {
    /// Wakes sessions whose work is due, and hands them to ``WorkScheduler``. Called about once a second.
    func lookAfterWork() {
        workScheduler.sweep()
        let vacancies = workScheduler.vacancies
        guard vacancies > 0 else { return }
        Task(executorPreference: host.executor) {
            let (clock, app) = (self.host.clock, self.host.app.name)
            let time = clock.instant()
            let due = try? await self.host.journal.leaseDue(by: clock.timestamp(), of: app, limit: vacancies)
            await withDiscardingTaskGroup { group in
                for id in due ?? [] { group.addTask { await self.lookAfterWork(of: id, leasedAt: time) } }
            }
        }
    }

    /// - Parameter time: The time at which the lease was requested.
    private func lookAfterWork(of id: SessionID, leasedAt time: ContinuousClock.Instant) async {
        do throws(SessionError) {
            try await workScheduler.lookAfter(findUnused(id), leasedAt: time)
        } catch {
            workScheduler.leaveAlone(id, because: error)
        }
    }
}
