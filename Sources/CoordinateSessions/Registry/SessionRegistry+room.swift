internal import Coordinate

extension SessionRegistry {
    /// True where there is no room for another session unless one makes way.
    var isCrowded: Bool { isFull || host.budget.isTight }

    /// Makes room for another session, where there is none.
    ///
    /// - Parameter client: The requester that wants the session.
    func room(for client: Requester) -> Future<Void, SessionError> {
        letGoIfTight()
        return room(for: client, attempts: 16)
    }

    /// - Parameter attempts: The most sessions that may make way. One is enough, except where the memory limit is
    ///   exceeded.
    private func room(for client: Requester, attempts: Int) -> Future<Void, SessionError> {
        guard isFull || host.budget.isFull else { return .now(()) }
        guard attempts > 0 else { return .failed(refusal) }
        return makeWay(for: client).then(on: host.executor(of: client)) { hasMade in
            guard case .success(true) = hasMade else { return .failed(self.refusal) }
            return self.room(for: client, attempts: attempts - 1)
        }
    }

    /// Ends a session that has never taken an event, as if it had expired; false where there is none.
    ///
    /// - Parameter attempts: The most sessions that may be tried: some may have taken an event on another server.
    func makeWay(for client: Requester, attempts: Int = 16) -> Future<Bool, SessionError> {
        guard attempts > 0, let id = host.newcomers.makeWay(for: client) else { return .now(false) }
        return endUnused(id, for: client).then(on: host.executor(of: client)) { result in
            if case .success = result { return .now(true) }
            return self.makeWay(for: client, attempts: attempts - 1)
        }
    }

    private func endUnused(_ id: SessionID, for client: Requester) -> Future<Void, SessionError> {
        if let session = inMemory(id) {
            return end(session, if: VersionCondition(isOneOf: .some([0])), for: client)
        }
        return host.journal.end(id, at: 0).mapResult(on: host.executor(of: client)) { result in
            if case .success = result { self.host.didEnd(id) }
            return result.mapError(SessionError.init)
        }
    }
}

extension SessionRegistry {
    /// Wakes sessions in which something is due, and has the caretaker look after them. Called about once a second.
    func lookAfterWork() {
        caretaker.sweep()
        let vacancies = caretaker.vacancies
        guard vacancies > 0 else { return }
        host.journal.leaseDue(by: host.clock.timestamp(), of: host.app.name, limit: vacancies).whenDone(
            on: host.executor
        ) { result in
            for id in (try? result.get()) ?? [] {
                self.findUnused(id).whenDone(on: self.host.executor) { result in
                    switch result {
                    case .success(let session): self.caretaker.lookAfter(session)
                    case .failure: self.caretaker.leaveAlone(id, after: result)
                    }
                }
            }
        }
    }
}
