internal import CoordinateSessions
internal import Foundation

/// The tables, and the steps that update the tables of older versions.
///
/// ```
/// coordinate_sessions   the sessions: record, expiry, and last crash
/// coordinate_entries    a session's own entries, from the version after `base`
/// coordinate_lineage    the owners of a session's entries up to `base`: a fork copies no entries
/// coordinate_due        the moments from which pending work is due, and its leases
/// coordinate_garbage    owners of entries that may not belong to any session any more
/// coordinate_keys       the keys of sessions
/// coordinate_attributes the attributes of sessions, with the expiries of these
/// coordinate_totals     unused; servers of an older version count sessions in it
/// ```
/// Statements that change them lock rows in this order: sessions, by their ids; then due rows, by their sessions; then
/// garbage, by its owners. Keys are added in their order.
enum Schema {
    /// The version of the tables that this program knows: the number of steps.
    static var version: Int { steps.count }
    /// The oldest version that tools can read. Later steps added nothing that they need.
    private static let readableVersion = 4

    private static let steps: [[String]] = [
        [
            """
            CREATE TABLE coordinate_sessions (
                id text COLLATE "C" PRIMARY KEY, app text NOT NULL, content bytea NOT NULL, base int NOT NULL,
                base_pending int NOT NULL, expires_at bigint NOT NULL)
            """,
            "CREATE INDEX coordinate_sessions_expiry ON coordinate_sessions (expires_at, id)",
            """
            CREATE TABLE coordinate_entries (
                session text COLLATE "C", version int, pending int NOT NULL, mark bigint, content bytea NOT NULL,
                PRIMARY KEY (session, version))
            """,
            """
            CREATE TABLE coordinate_lineage (
                session text COLLATE "C", first int, last int NOT NULL, owner text COLLATE "C" NOT NULL,
                PRIMARY KEY (session, first))
            """,
            "CREATE INDEX coordinate_lineage_owner ON coordinate_lineage (owner, last)",
            "CREATE TABLE coordinate_garbage (owner text COLLATE \"C\" PRIMARY KEY)",
            "CREATE TABLE coordinate_totals (sessions bigint NOT NULL)",
            "INSERT INTO coordinate_totals VALUES (0)",
        ],
        [
            // `owner` and `leased_until` are null if no server has leased the session.
            """
            CREATE TABLE coordinate_due (
                session text COLLATE "C" PRIMARY KEY, app text NOT NULL, due_at bigint NOT NULL, owner bigint,
                leased_until timestamptz)
            """,
            "CREATE INDEX coordinate_due_time ON coordinate_due (app, due_at)",
        ],
        [
            // All of these are null if no crash of the session was noted.
            """
            ALTER TABLE coordinate_sessions ADD COLUMN crash_version int, ADD COLUMN crash_is_repeated boolean,
                ADD COLUMN crash_event bytea, ADD COLUMN crash_app_version bytea, ADD COLUMN crash_times int
            """
        ],
        [
            // `slice` is null in rows of servers of an older version: `Statements.slice(of:)` computes it. `failures`
            // is the number of failed attempts to look after a session.
            """
            ALTER TABLE coordinate_sessions ADD COLUMN slice smallint, ADD COLUMN name text,
                ADD COLUMN work_withheld boolean NOT NULL DEFAULT false
            """,
            "ALTER TABLE coordinate_due ADD COLUMN failures int NOT NULL DEFAULT 0",
            "CREATE INDEX coordinate_due_first ON coordinate_due (app, due_at) WHERE failures = 0",
            "CREATE INDEX coordinate_due_rested ON coordinate_due (app, due_at) WHERE failures > 0",
            // Rows that change often have free space beside them for the next version, and are vacuumed early:
            // https://www.postgresql.org/docs/15/storage-hot.html.
            setParameters(
                of: "coordinate_sessions",
                "fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000"),
            setParameters(
                of: "coordinate_due",
                "fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000"),
            "ALTER TABLE coordinate_garbage SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)",
        ],
        [
            // The reference and the key are also in `content`. `reference` is null in rows of servers of an older
            // version: `Statements.fillIn` creates one. Keys have their own table, since the sessions can be
            // partitioned by their ids. Keys and values are bytes, and never equal to another spelling.
            "ALTER TABLE coordinate_sessions ADD COLUMN IF NOT EXISTS reference text COLLATE \"C\"",
            "CREATE INDEX IF NOT EXISTS coordinate_sessions_reference ON coordinate_sessions (reference)",
            """
            CREATE TABLE IF NOT EXISTS coordinate_keys (
                session text COLLATE "C" PRIMARY KEY, app text NOT NULL, key bytea NOT NULL, UNIQUE (app, key))
            """,
            """
            CREATE TABLE IF NOT EXISTS coordinate_attributes (
                session text COLLATE "C", name text COLLATE "C", app text NOT NULL, value bytea NOT NULL,
                expires_at bigint NOT NULL, PRIMARY KEY (session, name))
            """,
            """
            CREATE INDEX IF NOT EXISTS coordinate_attributes_value
                ON coordinate_attributes (app, name, value, expires_at, session)
            """,
        ],
    ]

    /// Returns a statement that sets storage parameters of a table, unless it is partitioned: then only its partitions
    /// can have them.
    private static func setParameters(of table: String, _ parameters: String) -> String {
        """
        DO $$ BEGIN
            IF (SELECT relkind FROM pg_class WHERE oid = '\(table)'::regclass) = 'r' THEN
                ALTER TABLE \(table) SET (\(parameters));
            END IF;
        END $$
        """
    }

    /// Reads the schema in which unqualified tables are created, whether it contains a journal, and whether the
    /// server's settings are durable.
    private static let look = Statement(
        """
        SELECT current_schema(),
            EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'coordinate_schema'),
            current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'
        """)
    private static let readVersion = Statement("SELECT version FROM coordinate_schema")

    private struct State {
        let version: Int
        let isDurable: Bool
    }

    /// The facts that are known once the tables exist.
    struct Opening {
        /// Whether the server's settings are durable.
        let isDurable: Bool
    }

    /// The time that an attempt to change the tables waits for locks. Other servers' statements wait behind it.
    private static let lockTimeout = "500ms"
    /// The time after which the journal stops trying to change the tables, and the time between two messages about it.
    private static let patience = (all: Duration.seconds(600), report: Duration.seconds(5))
    /// The number of rows that are filled in in one transaction.
    private static let batch: Int32 = 5_000

    /// Creates or updates the tables, or only checks that they are up to date.
    ///
    /// - Parameter report: Called with the progress of a long update.
    static func open(
        _ connection: inout Connection, isWriting: Bool, _ report: (String) -> Void
    ) throws(SchemaError) -> Opening {
        let state = try state(on: &connection)
        if isWriting {
            if state.version < version { try migrate(on: &connection, report) }
            do throws(SchemaError) {
                try fillIn(on: &connection, report)
            } catch {
                report("Some sessions in PostgreSQL have no slice or reference yet. The next start adds them.")
            }
        } else {
            guard state.version > 0 else { throw .unusable("it contains no journal") }
            guard state.version >= readableVersion else {
                throw .unusable(
                    "it was written by an older version of this program. Start a server with it once to bring it "
                        + "up to date")
            }
        }
        return Opening(isDurable: state.isDurable)
    }

    private static func state(on connection: inout Connection) throws(SchemaError) -> State {
        let rows = try ask(look(), on: &connection)
        guard !rows.isNull(0, 0) else { throw .unusable("no schema of its search_path exists. Create one") }
        let version = try rows.bool(0, 1) ? ask(readVersion(), on: &connection).int(0, 0) : 0
        guard version <= Self.version else {
            throw .unusable(
                "it was written by a newer version of this program (its schema is \(version), this program knows up to "
                    + "\(Self.version)). Update this program")
        }
        return State(version: version, isDurable: rows.bool(0, 2))
    }

    /// Creates or updates the tables.
    ///
    /// A statement that waits for a lock makes all others wait behind it. So each attempt waits only for a moment, and
    /// is then repeated. Other servers work in between.
    private static func migrate(on connection: inout Connection, _ report: (String) -> Void) throws(SchemaError) {
        let start = ContinuousClock.now
        var nextReport = start
        var pause = 0.1
        while true {
            do throws(SchemaError) {
                return try migrateAtOnce(on: &connection)
            } catch {
                guard case .locked(let reason) = error else { throw error }
                _ = try ask(Statement("ROLLBACK")(), on: &connection)
                guard start.duration(to: .now) < patience.all else { throw .locked(reason) }
                if ContinuousClock.now >= nextReport {
                    report("The tables cannot be updated while other connections use them. Retrying: \(reason)")
                    nextReport = .now + patience.report
                }
                Thread.sleep(forTimeInterval: pause)
                pause = min(2, pause * 2)
            }
        }
    }

    /// Changes the tables in one transaction, under a lock that keeps other servers from doing the same.
    private static func migrateAtOnce(on connection: inout Connection) throws(SchemaError) {
        _ = try ask(Statement("BEGIN")(), on: &connection)
        for (setting, value) in [
            ("statement_timeout", "0"), ("lock_timeout", "'\(lockTimeout)'"),
            ("idle_in_transaction_session_timeout", "0"),
        ] {
            _ = try ask(Statement("SET LOCAL \(setting) = \(value)")(), on: &connection)
        }
        // An arbitrary number, which is the same in all versions of this program.
        _ = try ask(Statement("SELECT pg_advisory_xact_lock(3708460719274381)")(), on: &connection)
        let before = try Self.state(on: &connection).version
        if before == 0 {
            _ = try ask(Statement("CREATE TABLE coordinate_schema (version int NOT NULL)")(), on: &connection)
            _ = try ask(Statement("INSERT INTO coordinate_schema VALUES (0)")(), on: &connection)
        }
        for step in steps[before...].joined() { _ = try ask(Statement(step)(), on: &connection) }
        _ = try ask(Statement("UPDATE coordinate_schema SET version = \(version)")(), on: &connection)
        _ = try ask(Statement("COMMIT")(), on: &connection)
    }

    /// Writes the missing slices and references of sessions, some at a time, in the order of ids. Servers of an older
    /// version create sessions without them.
    private static func fillIn(on connection: inout Connection, _ report: (String) -> Void) throws(SchemaError) {
        guard try ask(Statements.lacks(), on: &connection).bool(0, 0) else { return }
        var (last, count) = ("", 0)
        while true {
            let rows = try ask(
                Statements.fillIn {
                    $0.add(last)
                    $0.add(batch)
                }, on: &connection)
            guard rows.count == 1, !rows.isNull(0, 0) else { return }
            last = rows.text(0, 0)
            count += Int(batch)
            if count.isMultiple(of: 100_000) {
                report("Adding slices and references to the sessions in PostgreSQL: \(count) so far.")
            }
        }
    }

    static func ask(_ call: Call, on connection: inout Connection) throws(SchemaError) -> Rows {
        do throws(PostgreSQLError) {
            try connection.send([call])
            guard let rows = try connection.receive(until: .now + .seconds(600)).last else {
                throw .noAnswer("there was no result")
            }
            return rows
        } catch {
            switch error {
            // lock_not_available
            case .refused(let message) where message.code == "55P03": throw .locked(message.description)
            case .refused(let message) where message.code == "25006":
                throw .unusable("it is read-only; it may be a standby")
            case .refused(let message), .doubtful(let message): throw .unusable(message.description)
            case .noConnection(let reason), .noAnswer(let reason): throw .unreachable(reason)
            }
        }
    }
}

/// The reason why the tables cannot be used.
enum SchemaError: Error {
    case unusable(String)
    case unreachable(String)
    /// Other connections use the tables.
    case locked(String)
}
