public import Coordinate
public import CoordinateSessions

extension PostgreSQLJournal {
    public func leaseDue(by now: Timestamp, of app: String, limit: Int) async throws(JournalError) -> [SessionID] {
        try await useLeases { try $0.leaseDue(by: now, of: app, limit: limit, &$1) }
    }

    public func lease(_ session: SessionID) async throws(JournalError) -> Bool {
        guard access == .readWrite else { throw .unavailable }
        return try await leases.result { .lease(session, $0) }
    }

    public func renewLeases(of sessions: [SessionID]) async throws(JournalError) -> [SessionID] {
        try await useLeases { try $0.renew(sessions, &$1) }
    }

    public func endLeases(of sessions: [SessionID]) {
        changeLeases { work, link throws(PostgreSQLError) in
            try work.release(sessions, by: Statements.endLeases, &link)
        }
    }

    public func backOff(_ sessions: [SessionID], from now: Timestamp) {
        changeLeases { work, link throws(PostgreSQLError) in
            try work.release(sessions, by: Statements.backOff, &link)
        }
    }

    private func useLeases<Value: Sendable>(
        _ body: @escaping @Sendable (LeaseWork, inout Link) throws -> Value
    ) async throws(JournalError) -> Value {
        guard access == .readWrite else { throw .unavailable }
        return try await leases.result { [leaseWork] caller in
            .single(SingleJob(for: caller) { try body(leaseWork, &$0) })
        }
    }

    /// Appends a job about leases without a caller that waits.
    func changeLeases(
        _ body: @escaping @Sendable (LeaseWork, inout Link) throws(PostgreSQLError) -> Void
    ) {
        guard access == .readWrite else { return }
        leases.append(
            .single(SingleJob { [leaseWork] link throws(PostgreSQLError) in try body(leaseWork, &link) }))
    }
}
