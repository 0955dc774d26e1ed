internal import Coordinate
internal import CoordinateSessions
internal import Synchronization

/// A job about leases.
enum LeaseJob: ConnectionJob {
    case lease(SessionID, JournalCaller<Bool>)
    /// Any other job.
    case single(SingleJob)

    func refuse() { fail(.unavailable) }

    func fail(_ error: JournalError) {
        switch self {
        case .lease(_, let caller): caller.resume(returning: .failure(error))
        case .single(let job): job.fail(error)
        }
    }
}

/// The work of the worker that leases sessions to this server, which is one owner among others.
///
/// If the result with a lease is lost, the lease expires, since this server does not renew it.
final class LeaseWork: Sendable {
    private let owner = Int64.random(in: .min ... .max)
    /// The time, in milliseconds, for which a lease is valid.
    private let time: Int32
    /// The sessions that this server may have leased: those that it leased, and has not given back.
    private let leased = Mutex<Set<SessionID>>([])

    /// The most sessions in one statement. An event in one of them waits until the statement is done with all.
    private static let limit = 1_000

    /// - Parameter time: The time for which a lease is valid without being renewed.
    init(time: Duration) {
        self.time = Int32(clamping: Int(time / .milliseconds(1)))
    }

    func callAsFunction(_ link: inout Link, _ jobs: [LeaseJob], _ intake: ConnectionWorker<LeaseJob>.Intake) {
        var remaining = jobs[...]
        while let job = remaining.first {
            // Jobs for a lease of one session each are done together.
            let asked = remaining.prefix(Self.limit).prefix { $0.session != nil }
            let group = asked.isEmpty ? [job] : Array(asked)
            do throws(PostgreSQLError) {
                if case .single(let job) = job { try job.carryOut(&link) } else { try lease(group, &link) }
            } catch {
                if case .noConnection = error { return intake.putBack(Array(remaining)) }
                for job in group { job.fail(error.ofChange) }
            }
            remaining = remaining.dropFirst(group.count)
        }
    }

    func renew(_ sessions: [SessionID], _ link: inout Link) throws(PostgreSQLError) -> [SessionID] {
        var renewed: [SessionID] = []
        for batch in sessions.batches(of: Self.limit) {
            renewed += try ask(Statements.renewLeases, batch, &link)
        }
        let lost = Set(sessions).subtracting(renewed)
        leased.withLock { $0.subtract(lost) }
        return renewed
    }

    /// Ends all leases of this server.
    func endAll(_ link: inout Link) throws(PostgreSQLError) {
        try release(leased.withLock { Array($0) }, by: Statements.endLeases, &link)
    }

    /// Gives leases back.
    func release(
        _ sessions: [SessionID], by statement: Statement, _ link: inout Link
    ) throws(PostgreSQLError) {
        for batch in sessions.batches(of: Self.limit) {
            _ = try link.ask(statement(.ids(batch), .long(owner)))
            leased.withLock { $0.subtract(batch) }
        }
    }

    func leaseDue(
        by now: Timestamp, of app: String, limit: Int, _ link: inout Link
    ) throws(PostgreSQLError) -> [SessionID] {
        let limit = max(0, limit)
        let newest = SessionBackoff.newest(of: limit)
        let rows = try link.ask(
            Statements.leaseDue(
                .text(app), .long(Int64(now.seconds)), .int(Int32(clamping: limit - newest)), .long(owner), .int(time),
                .int(Int32(min(limit, SessionBackoff.limit))), .int(Int32(clamping: newest))))
        leased.withLock { $0.formUnion(rows.sessions) }
        return rows.sessions
    }

    private func lease(_ jobs: [LeaseJob], _ link: inout Link) throws(PostgreSQLError) {
        let given = Set(try ask(Statements.lease, jobs.compactMap(\.session), &link))
        leased.withLock { $0.formUnion(given) }
        for case .lease(let session, let caller) in jobs { caller.resume(returning: .success(given.contains(session))) }
    }

    /// Runs a statement about leases on sessions, and returns those that the owner has leased now.
    private func ask(
        _ statement: Statement, _ sessions: [SessionID], _ link: inout Link
    ) throws(PostgreSQLError) -> [SessionID] {
        try link.ask(statement(.ids(sessions), .long(owner), .int(time))).sessions
    }
}

extension LeaseJob {
    /// The session to lease, if the job is for one lease.
    fileprivate var session: SessionID? {
        if case .lease(let session, _) = self { session } else { nil }
    }
}

extension [SessionID] {
    /// Returns the ids in batches, in their order.
    fileprivate func batches(of size: Int) -> [[SessionID]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
