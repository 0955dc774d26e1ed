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
    func room(for client: ClientKey) -> Future<Void, SessionError> {
        releaseIfNearlyFull()
        return room(for: client, attempts: 16)
    }

    /// - Parameter attempts: The most sessions that may be ended. One is enough, unless the memory limit is exceeded.
    private func room(for client: ClientKey, attempts: Int) -> Future<Void, SessionError> {
        guard isFull(for: client) || isOutOfMemory(for: client) else { return .now(()) }
        guard attempts > 0 else { return .failed(refusal(of: client)) }
        return makeWay(for: client).then(on: host.executor(of: client)) { hasRoom in
            guard case .success(true) = hasRoom else { return .failed(self.refusal(of: client)) }
            return self.room(for: client, attempts: attempts - 1)
        }
    }

    private func refusal(of client: ClientKey) -> SessionError {
        isFull(for: client) ? .tooManySessions : .memoryIsFull
    }

    /// Ends a session that never accepted an event, that no client follows or waits for, and that was not used for a
    /// minute, as if it had expired. The new session takes its place.
    ///
    /// - Parameter attempts: The most sessions that may be tried: some may have been used on another server.
    /// - Returns: Whether there was one.
    func makeWay(for client: ClientKey, attempts: Int = 16) -> Future<Bool, SessionError> {
        let now = host.clock.uptime()
        let evicted = host.created.makeWay(for: client, at: now) { inMemory($0)?.idleSince }
        guard attempts > 0, let evicted else { return .now(false) }
        return endUnused(evicted.id, of: evicted.of, at: now, for: client).then(on: host.executor(of: client)) {
            result in
            if case .success(true) = result { return .now(true) }
            return self.makeWay(for: client, attempts: attempts - 1)
        }
    }

    /// Ends a session unless it was used recently or has accepted an event.
    private func endUnused(
        _ id: SessionID, of owner: ClientKey, at now: Int, for client: ClientKey
    ) -> Future<Bool, SessionError> {
        if !host.journal.isShared, inMemory(id) != nil { return endWithoutEvents(id, for: client) }
        // The journal knows of uses before the session left memory, and on other servers.
        return host.head(of: id, for: client).then(on: host.executor(of: client)) { result in
            guard case .success(let head) = result, head.version == 0 else { return .now(false) }
            let allowance = self.host.journal.isShared ? self.host.limits.idleTime / 10 : 0
            let known = self.inMemory(id)?.idleSince ?? .min
            let use = max(known, self.host.use(before: head.expiresAt, allowance: allowance))
            guard use <= now - CreatedSessions.protection else {
                self.host.created.insertUnused(id, of: owner, usedAt: use)
                return .now(false)
            }
            return self.endWithoutEvents(id, for: client)
        }
    }

    /// Ends a session unless it has accepted an event.
    private func endWithoutEvents(_ id: SessionID, for client: ClientKey) -> Future<Bool, SessionError> {
        let executor = host.executor(of: client)
        if let session = inMemory(id) {
            return end(session, if: VersionCondition(isOneOf: .some([0])), for: client).map(on: executor) { true }
        }
        return host.journal.end(id, at: 0).mapResult(on: executor) { result in
            if case .success = result { self.host.didEnd(id) }
            return result.map { true }.mapError(SessionError.init)
        }
    }
}

extension SessionRegistry {
    /// Wakes sessions whose work is due, and hands them to ``WorkScheduler``. Called about once a second.
    func lookAfterWork() {
        workScheduler.sweep()
        let vacancies = workScheduler.vacancies
        guard vacancies > 0 else { return }
        let time = host.clock.instant()
        host.journal.leaseDue(by: host.clock.timestamp(), of: host.app.name, limit: vacancies).whenDone(
            on: host.executor
        ) { result in
            for id in (try? result.get()) ?? [] {
                self.findUnused(id).whenDone(on: self.host.executor) { result in
                    switch result {
                    case .success(let session): self.workScheduler.lookAfter(session, leasedAt: time)
                    case .failure: self.workScheduler.leaveAlone(id, after: result)
                    }
                }
            }
        }
    }
}
