internal import CoordinateSessions

/// The tables.
///
/// ```
/// coordinate_schema     the version of the tables
/// coordinate_sessions   the sessions: record, expiry, and last crash
/// coordinate_entries    a session's own entries, from the version after `base`
/// coordinate_lineage    the owners of a session's entries up to `base`: a fork copies no entries
/// coordinate_due        the moments from which pending work is due, and its leases
/// coordinate_garbage    owners of entries that may not belong to any session any more
/// coordinate_keys       the keys of sessions
/// coordinate_attributes the attributes of sessions, with the expiries of these
/// ```
/// Statements that change them lock rows in this order: sessions, by their ids; then due rows, by their sessions; then
/// garbage, by its owners. Keys are added in their order.
enum Schema {
    /// The version of the tables that this program knows.
    private static let version = 1

    private static let tables = [
        "CREATE TABLE coordinate_schema (version int NOT NULL)",
        "INSERT INTO coordinate_schema VALUES (\(version))",
        // The reference and the key are also in `content`. The columns of the last crash are null if none was recorded.
        // Rows that change often have free space beside them for the next version, and are vacuumed early:
        // https://www.postgresql.org/docs/15/storage-hot.html.
        """
        CREATE TABLE coordinate_sessions (
            id text COLLATE "C" PRIMARY KEY, app text NOT NULL, content bytea NOT NULL, base int NOT NULL,
            base_pending int NOT NULL, expires_at bigint NOT NULL, work_withheld boolean NOT NULL,
            reference text COLLATE "C" NOT NULL, crash_version int, crash_is_repeated boolean, crash_event bytea,
            crash_app_version bytea, crash_times int)
        WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)
        """,
        "CREATE INDEX coordinate_sessions_expiry ON coordinate_sessions (expires_at, id)",
        "CREATE INDEX coordinate_sessions_reference ON coordinate_sessions (reference)",
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
        // `owner` and `leased_until` are null if no server has leased the session. `failures` is the number of failed
        // attempts to look after it.
        """
        CREATE TABLE coordinate_due (
            session text COLLATE "C" PRIMARY KEY, app text NOT NULL, due_at bigint NOT NULL, owner bigint,
            leased_until timestamptz, failures int NOT NULL DEFAULT 0)
        WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)
        """,
        "CREATE INDEX coordinate_due_first ON coordinate_due (app, due_at) WHERE failures = 0",
        "CREATE INDEX coordinate_due_rested ON coordinate_due (app, due_at) WHERE failures > 0",
        """
        CREATE TABLE coordinate_garbage (owner text COLLATE "C" PRIMARY KEY)
        WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)
        """,
        // Keys have their own table, since the sessions can be partitioned by their ids. Keys and values are bytes, and
        // never equal to another spelling.
        """
        CREATE TABLE coordinate_keys (
            session text COLLATE "C" PRIMARY KEY, app text NOT NULL, key bytea NOT NULL, UNIQUE (app, key))
        """,
        """
        CREATE TABLE coordinate_attributes (
            session text COLLATE "C", name text COLLATE "C", app text NOT NULL, value bytea NOT NULL,
            expires_at bigint NOT NULL, PRIMARY KEY (session, name))
        """,
        """
        CREATE INDEX coordinate_attributes_value
            ON coordinate_attributes (app, name, value, expires_at, session)
        """,
    ]

    /// Reads the schema in which unqualified tables are created, whether it contains a journal, and whether the
    /// server's settings are durable.
    private static let look = Statement(
        """
        SELECT current_schema(),
            EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'coordinate_schema'),
            current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'
        """)
    private static let readVersion = Statement("SELECT version FROM coordinate_schema")

    /// Creates the tables, or only checks that they exist.
    ///
    /// - Returns: Whether the server's settings are durable.
    static func open(_ connection: inout Connection, isWriting: Bool) throws(SchemaError) -> Bool {
        let state = try state(on: &connection)
        if state.version == 0 {
            guard isWriting else { throw .unusable("it contains no journal") }
            try create(on: &connection)
        }
        return state.isDurable
    }

    private static func state(on connection: inout Connection) throws(SchemaError) -> (version: Int, isDurable: Bool) {
        let rows = try ask(look(), on: &connection)
        guard !rows.isNull(0, 0) else { throw .unusable("no schema of its search_path exists. Create one") }
        let version = try rows.bool(0, 1) ? ask(readVersion(), on: &connection).int(0, 0) : 0
        guard version <= Self.version else {
            throw .unusable(
                "it was written by a newer version of this program (its schema is \(version), this program knows up to "
                    + "\(Self.version)). Update this program")
        }
        return (version, rows.bool(0, 2))
    }

    /// Creates the tables in one transaction, under a lock that keeps other servers from doing the same.
    private static func create(on connection: inout Connection) throws(SchemaError) {
        _ = try ask(Statement("BEGIN")(), on: &connection)
        for setting in ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] {
            _ = try ask(Statement("SET LOCAL \(setting) = 0")(), on: &connection)
        }
        // An arbitrary number, which is the same in all versions of this program.
        _ = try ask(Statement("SELECT pg_advisory_xact_lock(3708460719274381)")(), on: &connection)
        if try state(on: &connection).version == 0 {
            for statement in tables { _ = try ask(Statement(statement)(), on: &connection) }
        }
        _ = try ask(Statement("COMMIT")(), on: &connection)
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
}
