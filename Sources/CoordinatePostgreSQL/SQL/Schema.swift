internal import CoordinateSessions

/// The tables, and the steps that update those of older versions.
///
/// ```
/// coordinate_sessions   the sessions: record, expiry, and last crash
/// coordinate_entries    a session's own entries, from the version after `base`
/// coordinate_lineage    the owners of a session's entries up to `base`: a fork copies no entries
/// coordinate_due        the moments from which pending work needs looking after, and its leases
/// coordinate_garbage    owners of entries that perhaps no session has any more
/// coordinate_totals     the number of sessions
/// ```
/// Statements that change them lock rows in this order: sessions, by their ids; then due rows, by their sessions; then
/// garbage, by its owners; then the totals.
enum Schema {
    /// The version of the tables that this program knows: the number of steps.
    static var version: Int { steps.count }

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
            // `owner` and `leased_until` are null where no server has leased the session.
            """
            CREATE TABLE coordinate_due (
                session text COLLATE "C" PRIMARY KEY, app text NOT NULL, due_at bigint NOT NULL, owner bigint,
                leased_until timestamptz)
            """,
            "CREATE INDEX coordinate_due_time ON coordinate_due (app, due_at)",
        ],
        [
            // All of these are null where no crash of the session was noted.
            """
            ALTER TABLE coordinate_sessions ADD COLUMN crash_version int, ADD COLUMN crash_is_repeated boolean,
                ADD COLUMN crash_event bytea, ADD COLUMN crash_app_version bytea, ADD COLUMN crash_times int
            """
        ],
    ]

    /// Reads the schema in which tables are made that are not qualified with one, whether there is a journal in it, and
    /// whether the server is set up to lose nothing.
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
        /// The number of sessions.
        let total: Int
        /// True where the server is set up to lose nothing.
        let isDurable: Bool
    }

    /// Makes the tables, or updates them, or only checks that they are up to date.
    static func open(_ connection: inout Connection, isWriting: Bool) throws(SchemaError) -> Opening {
        let state = try state(on: &connection)
        if isWriting {
            if state.version < version { try migrate(on: &connection) }
        } else {
            guard state.version > 0 else { throw .unusable("there is no journal in it") }
            guard state.version == version else {
                throw .unusable(
                    "it was written by an older version of this program: start a server on it once, which brings it "
                        + "up to date")
            }
        }
        return Opening(total: try ask(Statements.total.once(), on: &connection).int(0, 0), isDurable: state.isDurable)
    }

    private static func state(on connection: inout Connection) throws(SchemaError) -> State {
        let rows = try ask(look(), on: &connection)
        guard !rows.isNull(0, 0) else { throw .unusable("no schema of its search_path exists: create one") }
        let version = try rows.bool(0, 1) ? ask(readVersion(), on: &connection).int(0, 0) : 0
        guard version <= Self.version else {
            throw .unusable(
                "it was written by a newer version of this program (its schema is \(version), known is up to "
                    + "\(Self.version)): update this one")
        }
        return State(version: version, isDurable: rows.bool(0, 2))
    }

    /// Makes the tables, or updates them, under a lock that keeps other servers from doing the same.
    private static func migrate(on connection: inout Connection) throws(SchemaError) {
        _ = try ask(Statement("BEGIN")(), on: &connection)
        for setting in ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] {
            _ = try ask(Statement("SET LOCAL \(setting) = 0")(), on: &connection)
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

    private static func ask(_ call: Call, on connection: inout Connection) throws(SchemaError) -> Rows {
        do throws(PostgreSQLError) {
            try connection.send([call])
            guard let rows = try connection.receive(until: .now + .seconds(600)).last else {
                throw .noAnswer("there was no result")
            }
            return rows
        } catch {
            switch error {
            case .refused(let message) where message.code == "25006":
                throw .unusable("it is read only, a standby perhaps")
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
