public import Coordinate
public import CoordinateSessions

/// Leases, which the journal may grant without reporting it, and may lose.
extension MisbehavingJournal {
    public func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] {
        try await ask {
            let sessions = self.store.leaseDue(by: now, of: app, limit: limit, for: self)
            return self.answer(sessions, havingLeased: sessions)
        }
    }

    public func lease(_ session: SessionID) async throws(JournalError) -> Bool {
        try await ask {
            let isLeased = self.store.lease(session, for: self)
            return self.answer(isLeased, havingLeased: isLeased ? [session] : [])
        }
    }

    /// A lease whose result was lost expires in the end.
    private func answer<Value>(_ value: Value, havingLeased sessions: [SessionID]) -> Result<Value, JournalError> {
        guard happens(\.lostAnswer) else { return .success(value) }
        counted(.lostAnswers)
        schedule.late { self.store.endLeases(of: sessions, by: self) }
        return .failure(.outcomeUnknown)
    }

    public func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] {
        try await ask {
            if self.happens(\.lapse), let session = self.choice(of: sessions) {
                self.store.endLeases(of: [session], by: self)
                self.counted(.lapses)
            }
            return .success(self.store.renewLeases(of: sessions, by: self))
        }
    }

    /// No caller waits for it, so it takes effect at once, and is never lost.
    public func endLeases(of sessions: [SessionID]) {
        if connection != .crashed { store.endLeases(of: sessions, by: self) }
    }
}
