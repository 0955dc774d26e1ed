public import Coordinate
public import CoordinateSessions
public import Logging
internal import Synchronization

/// A journal in a PostgreSQL database, which any number of servers can share.
///
/// ```swift
/// let journal = try PostgreSQLJournal("postgres://coordinate@db.example.com/coordinate")
/// let server = try Server(app: MyApp(), journal: journal)
/// ```
///
/// libpq reads the address; it also knows its environment variables, its service and password files, its options for
/// TLS, and several hosts: https://www.postgresql.org/docs/15/libpq-connect.html. The journal creates its tables when
/// it is opened for the first time, in the first schema of the `search_path`.
///
/// A method succeeds only once PostgreSQL has committed the change. The journal has a few connections, each with its
/// own thread. Jobs that arrive while a connection is busy are done together afterwards. While PostgreSQL cannot be
/// reached, all jobs are refused within two seconds; once it can be reached again, the journal resumes.
public final class PostgreSQLJournal: Journal {
    /// The purpose for which a journal is opened.
    public enum Access: Sendable {
        /// For a server: the journal creates the tables if necessary.
        case readWrite
        /// For a tool: the journal writes nothing, and refuses changes with ``JournalError/unavailable``. The tables
        /// must exist.
        case readOnly
    }

    private let access: Access
    private let appends: ConnectionWorker<AppendJob>
    private let heads: ConnectionWorker<HeadJob>
    private let changes: ConnectionWorker<ChangeJob>
    private let reads: [ConnectionWorker<ReadJob>]
    private let following: ConnectionWorker<FollowJob>
    private let leases: ConnectionWorker<LeaseJob>
    private let followers = Subscriptions()
    private let expiries = ExpiryBuffer()
    private let total = SessionTotal()
    private let clock: StoreClock
    private let commits = CommitCounter()
    private let readiness = Readiness()
    /// The thread that refuses jobs that have waited for too long.
    private let watch: GroupWorker<Never>

    /// Connects, and creates the tables if necessary.
    ///
    /// - Parameters:
    ///   - address: `postgres://…` or `postgresql://…`.
    ///   - logger: Logs when connections are lost. Its messages contain neither session ids nor the password.
    public convenience init(
        _ address: String, access: Access = .readWrite, logger: Logger = Logger(label: "coordinate.postgresql")
    ) throws(JournalOpeningError) {
        try self.init(address, access: access, logger: logger, leaseTime: nil)
    }

    /// - Parameters:
    ///   - time: The time for which a lease is valid without being renewed; `nil` for the default of all journals.
    ///   - error: The seconds by which a test sets the machine's clock ahead.
    init(
        _ address: String, access: Access = .readWrite, logger: Logger = Logger(label: "coordinate.postgresql"),
        leaseTime time: Duration?, clockAheadBy error: Int = 0
    ) throws(JournalOpeningError) {
        self.access = access
        let settings = try ConnectionSettings(address, isWriting: access == .readWrite)
        let clock = StoreClock(logger, machineAheadBy: error)
        self.clock = clock
        if try !Self.open(settings, access, total, clock) {
            logger.warning(
                "PostgreSQL runs without fsync or full_page_writes. Enable both, or a crash can lose data.")
        }

        let outages = Outages(logger)
        func link(_ statements: [Statement]) -> Link { Link(settings, statements, outages) }
        let (followers, expiries, total, commits) = (followers, expiries, total, commits)
        let append = AppendWork(commits: commits, followers: followers)
        let appends = ConnectionWorker<AppendJob>("appends", link(Statements.appends), limit: 512) {
            append(&$0, $1, $2)
        }
        let look = HeadWork(clock: clock)
        let heads = ConnectionWorker<HeadJob>("heads", link(Statements.heads)) { look(&$0, $1, $2) }
        let change = ChangeWork(expiries: expiries, total: total, commits: commits)
        let changes = ConnectionWorker<ChangeJob>("changes", link(Statements.changes), limit: 256) {
            change(&$0, $1, $2)
        }
        let read = ReadWork()
        let reads = (1...2).map { number in
            ConnectionWorker<ReadJob>("reads-\(number)", link(Statements.reads), limit: 16) { read(&$0, $1, $2) }
        }
        let follow = FollowWork(followers: followers)
        let pace = Pace()
        following = ConnectionWorker<FollowJob>(
            "following", link(Statements.following), idleTime: followers.isEmpty ? nil : pace.pause
        ) { link, _, _ in
            pace.measure { follow(&link) }
        }
        let lease = LeaseWork(time: time ?? .seconds(Self.leaseTime))
        let leases = ConnectionWorker<LeaseJob>("leases", link(Statements.leases)) { lease(&$0, $1, $2) }
        watch = GroupWorker(name: "pg-watch", idleTime: 0.25) { _ in
            appends.refuseOverdue()
            heads.refuseOverdue()
            changes.refuseOverdue()
            leases.refuseOverdue()
            for worker in reads { worker.refuseOverdue() }
            if clock.isOverdue() { heads.append(.time) }
            if access == .readWrite, total.isOverdue() { changes.append(.count) }
        }
        self.appends = appends
        self.heads = heads
        self.changes = changes
        self.reads = reads
        self.leases = leases
    }
}

extension PostgreSQLJournal {
    /// Adds a change; refused if the journal is only read.
    private func change<Value: Sendable>(
        _ job: (Promise<Value, JournalError>) -> ChangeJob
    ) -> Future<Value, JournalError> {
        access == .readWrite ? changes.append(job) : .failed(.unavailable)
    }

    /// Adds a request for leases; refused if the journal is only read.
    private func useLeases<Value: Sendable>(
        _ job: (Promise<Value, JournalError>) -> LeaseJob
    ) -> Future<Value, JournalError> {
        access == .readWrite ? leases.append(job) : .failed(.unavailable)
    }

    public var isShared: Bool { true }

    public var losesAnswers: Bool { true }

    public var clockOffset: Int { clock.offset }

    public var statistics: JournalStatistics { commits.statistics }

    public var count: Int { total.count }

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) -> Future<Void, JournalError> {
        change {
            .create(SessionInsertion(record: session, history: history, expiry: expiry, limit: limit, promise: $0))
        }
    }

    public func head(of session: SessionID) -> Future<SessionHead?, JournalError> {
        heads.append { .head(session, $0) }
    }

    public func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        guard access == .readWrite else { return .failed(.unavailable) }
        return appends.append { AppendJob(entry, to: session, $0) }
    }

    public func read(
        _ session: SessionID, after version: Int, limit: Int
    ) -> Future<[JournalEntry], JournalError> {
        let worker = reads[0].isBusy && !reads[1].isBusy ? reads[1] : reads[0]
        return worker.append { .read(session, after: version, limit: limit, $0) }
    }

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) -> Future<SessionID?, JournalError> {
        find(Statements.withKey, app) { $0.append(Array(key.utf8)) }
    }

    public func session(withReference reference: String, of app: String) -> Future<SessionID?, JournalError> {
        find(Statements.withReference, app) { $0.append(reference) }
    }

    private func find(
        _ statement: Statement, _ app: String, _ name: (inout Parameters) -> Void
    ) -> Future<SessionID?, JournalError> {
        var parameters = Parameters()
        parameters.append(app)
        name(&parameters)
        let call = Call(statement: statement, parameters: parameters)
        return (reads[0].isBusy && !reads[1].isBusy ? reads[1] : reads[0]).append { .find(call, $0) }
    }

    public func end(_ session: SessionID, at version: Int?) -> Future<Void, JournalError> {
        change { .end(session, at: version, $0) }
    }

    public func update(
        _ session: SessionRecord, replacing former: SessionRecord
    ) -> Future<Void, JournalError> {
        change { .update(session, replacing: former, $0) }
    }

    public func record(_ crash: CrashNote, of session: SessionID) -> Future<Void, JournalError> {
        change { .record(crash, of: session, $0) }
    }

    public func keep(_ session: SessionID, until expiry: Timestamp) {
        guard access == .readWrite, expiries.insert(session, expiry) else { return }
        changes.append(.keep(expiries, nil))
    }

    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        guard access == .readWrite else { return }
        changes.append(.clean(by: now, ended))
    }

    public func list(_ query: SessionQuery) -> Future<SessionPage, JournalError> {
        let (expiries, reads) = (expiries, reads[1])
        guard access == .readWrite, !expiries.isWritten else { return reads.append { .list(query, $0) } }
        let written: Future<Void, JournalError> = changes.append { .keep(expiries, $0) }
        let promise = Promise<SessionPage, JournalError>()
        written.whenDelivered { result in
            switch result {
            case .failure(let error): promise.fulfil(.failure(error))
            case .success:
                let page: Future<SessionPage, JournalError> = reads.append { .list(query, $0) }
                page.whenDelivered { promise.fulfil($0) }
            }
        }
        return .later(promise)
    }

    public func follow(
        _ session: SessionID, _ changed: @escaping @Sendable () -> Void
    ) -> (any JournalSubscription)? {
        let subscription = Subscription(followers, session, changed)
        following.append(FollowJob())
        return subscription
    }

    public func leaseDue(by now: Timestamp, of app: String, limit: Int) -> Future<[SessionID], JournalError> {
        useLeases { .due(by: now, app: app, limit: limit, $0) }
    }

    public func lease(_ session: SessionID) -> Future<Bool, JournalError> {
        useLeases { .lease(session, $0) }
    }

    public func renewLeases(of sessions: [SessionID]) -> Future<[SessionID], JournalError> {
        useLeases { .renew(sessions, $0) }
    }

    public func endLeases(of sessions: [SessionID]) {
        if access == .readWrite { leases.append(.end(sessions)) }
    }

    public func backOff(_ sessions: [SessionID], from now: Timestamp) {
        if access == .readWrite { leases.append(.backOff(sessions)) }
    }

    /// Deletes a session and its entries in one transaction. PostgreSQL keeps copies for a while: see
    /// ``Erasure/remnants``.
    public func erase(_ session: SessionID) -> Future<Erasure, JournalError> {
        change { .erase(session, $0) }
    }

    public func check() -> Future<Void, JournalError> {
        change { .probe(readiness, $0) }
    }

    public func close() {
        if access == .readWrite {
            changes.append(.keep(expiries, nil))
            leases.append(.endAll)
        }
        leases.close()
        changes.close()
        appends.close()
        heads.close()
        for worker in reads { worker.close() }
        following.close()
        watch.close()
    }
}

extension JournalProvider {
    /// Sessions in a PostgreSQL database, for any number of servers: `postgres://USER@HOST/DATABASE`. If a standby may
    /// take over, name both hosts, separated by a comma.
    public static let postgreSQL = JournalProvider(
        .uri(schemes: ["postgres", "postgresql"], form: "postgres://USER@HOST[,HOST]/DATABASE"),
        open: { address throws(JournalOpeningError) in try PostgreSQLJournal(address) },
        openForReading: { address throws(JournalOpeningError) in try PostgreSQLJournal(address, access: .readOnly) })
}
