internal import Synchronization

extension Session {
    /// Ends the session, for all servers: its tree is freed, its history deleted. It is not cancelled with the task.
    package func end(if condition: VersionCondition = .none) async throws(SessionError) {
        try await inTurn { () async throws(SessionError) in
            if hasEnded { throw .hasEnded }
            for attempt in 1...Self.attemptLimit {
                let version = shown.version
                guard condition.allows(version) else {
                    try await reconsider(.versionConflict(current: version), isFirst: attempt == 1)
                    continue
                }
                do throws(JournalError) {
                    try await host.journal.end(id, at: condition == .none ? nil : version)
                    host.counters.countAnswer(.success(()))
                    host.didEnd(id)
                    return dismiss()
                } catch .noSuchSession {
                    host.counters.countAnswer(.failure(.noSuchSession))
                    return dismiss()
                } catch {
                    host.counters.countAnswer(.failure(error))
                    guard error == .conflict else { throw SessionError(error) }
                    if quarantine != nil { throw .versionConflict(current: version) }
                    try await catchUp()
                    if isStopping { throw .draining }
                }
            }
            throw .tooBusy
        }
    }

    /// Handles the news that the journal no longer has the session.
    func vanish() {
        let isDone = inTurnAtOnce { if !hasEnded { dismiss() } }
        if !isDone { receiveChange() }
    }

    /// Releases everything: the session has ended. Only code that has the turn calls it.
    func dismiss() {
        isOver.store(true, ordering: .relaxed)
        releaseFollowers(hasEnded: true)
        withState { state in
            state.hasEnded = true
            state.published = nil
            discardTree(&state)
        }
        host.keeper.keeper?.cancelWork(of: id)
    }
}
