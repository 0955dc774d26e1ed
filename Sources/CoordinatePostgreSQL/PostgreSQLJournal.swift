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

    let access: Access
    private let appends: ConnectionWorker<AppendJob>
    private let heads: ConnectionWorker<HeadJob>
    private let changes: ConnectionWorker<ChangeJob>
    private let reads: [ConnectionWorker<SingleJob>]
    private let following: ConnectionWorker<FollowJob>
    let leases: ConnectionWorker<LeaseJob>
    private let changeWork: ChangeWork
    let leaseWork: LeaseWork
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
    package init(
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
            ConnectionWorker<SingleJob>("reads-\(number)", link(Statements.reads), limit: 16) { read(&$0, $1, $2) }
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
            if access == .readWrite, total.isOverdue() {
                changes.append(.single(SingleJob { link throws(PostgreSQLError) in try change.count(&link) }))
            }
        }
        self.appends = appends
        self.heads = heads
        self.changes = changes
        self.reads = reads
        self.leases = leases
        changeWork = change
        leaseWork = lease
    }
}

extension PostgreSQLJournal {
    /// Makes a change, and returns once it is committed. It is made even if the caller's task is cancelled.
    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (ChangeWork, inout Link) throws -> Value
    ) async throws(JournalError) -> Value {
        guard access == .readWrite else { throw .unavailable }
        return try await changes.result { [changeWork] caller in
            .single(SingleJob(for: caller) { try body(changeWork, &$0) })
        }
    }

    public var isShared: Bool { true }

    public var losesAnswers: Bool { true }

    public var clockOffset: Int { clock.offset }

    public var statistics: JournalStatistics { commits.statistics }

    public var count: Int { total.count }

    public func create(
        _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
        limit: Int
    ) async throws(JournalError) {
        guard access == .readWrite else { throw .unavailable }
        try await changes.result { caller in
            .create(
                SessionInsertion(record: session, history: history, expiry: expiry, limit: limit, caller: caller))
        }
    }

    public func head(of session: SessionID) async throws(JournalError) -> SessionHead? {
        try await heads.result { .head(session, $0) }
    }

    public func append(_ entry: JournalEntry, to session: SessionID) async throws(JournalError) {
        guard access == .readWrite else { throw .unavailable }
        try await appends.result { AppendJob(entry, to: session, for: $0) }
    }

    /// The reader that is more likely to be free.
    private var reader: ConnectionWorker<SingleJob> { reads[0].isBusy && !reads[1].isBusy ? reads[1] : reads[0] }

    public func read(
        _ session: SessionID, after version: Int, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        try await reader.result {
            SingleJob(for: $0) { try ReadWork.read(session, after: version, limit: limit, &$0) }
        }
    }

    public var findsSessions: Bool { true }

    public func session(withKey key: String, of app: String) async throws(JournalError) -> SessionID? {
        try await find(Statements.withKey(.text(app), .bytes(Array(key.utf8))))
    }

    public func session(withReference reference: String, of app: String) async throws(JournalError) -> SessionID? {
        try await find(Statements.withReference(.text(app), .text(reference)))
    }

    private func find(_ call: Call) async throws(JournalError) -> SessionID? {
        try await reader.result { SingleJob(for: $0) { try $0.read(call).sessions.first } }
    }

    public func end(_ session: SessionID, at version: Int?) async throws(JournalError) {
        try await change { try $0.end(session, at: version, &$1) }
    }

    public func update(_ session: SessionRecord, replacing former: SessionRecord) async throws(JournalError) {
        try await change { try $0.update(session, replacing: former, &$1) }
    }

    public func record(_ crash: CrashNote, of session: SessionID) async throws(JournalError) {
        try await change { try $0.record(crash, of: session, &$1) }
    }

    public func keep(_ session: SessionID, until expiry: Timestamp) {
        if access == .readWrite, expiries.insert(session, expiry) { beginWritingExpiries() }
    }

    private func beginWritingExpiries() {
        Task.immediate(executorPreference: ResumingExecutor.shared) { try? await writeExpiries() }
    }

    /// Writes the moments until which sessions are kept.
    private func writeExpiries() async throws(JournalError) {
        do throws(JournalError) {
            try await change { try $0.expiries.flush(&$1) }
        } catch {
            expiries.endJob()
            throw .unavailable
        }
    }

    public func expire(by now: Timestamp, _ ended: @escaping @Sendable (SessionID, _ app: String) -> Void) {
        guard access == .readWrite else { return }
        changes.append(.clean(by: now, ended))
    }

    public func list(_ query: SessionQuery) async throws(JournalError) -> SessionPage {
        if access == .readWrite, !expiries.isWritten { try await writeExpiries() }
        return try await reads[1].result { SingleJob(for: $0) { try ReadWork.list(query, &$0) } }
    }

    public func follow(
        _ session: SessionID, _ changed: @escaping @Sendable () -> Void
    ) -> (any JournalSubscription)? {
        let subscription = Subscription(followers, session, changed)
        following.append(FollowJob())
        return subscription
    }

    /// Deletes a session and its entries in one transaction. PostgreSQL keeps copies for a while: see
    /// ``Erasure/remnants``.
    public func erase(_ session: SessionID) async throws(JournalError) -> Erasure {
        try await change { try $0.erase(session, &$1).get() }
    }

    public func check() async throws(JournalError) {
        try await change { [readiness] in try $0.probe(readiness, &$1) }
    }

    public func close() {
        if access == .readWrite { beginWritingExpiries() }
        changeLeases { work, link throws(PostgreSQLError) in try work.endAll(&link) }
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
