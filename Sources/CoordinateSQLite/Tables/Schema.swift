internal import GRDB

/// The tables of a journal's file. Later versions add migrations, and never change existing ones.
///
/// ```
/// sessions   the sessions: record, expiry, and last crash
/// log        entries in the order in which they arrive
/// filed      the id up to which the log is filed
/// entries    the filed entries, by session and version
/// lineage    the owners of a fork's first entries: a fork copies no entries
/// garbage    owners of entries that may not belong to any session any more
/// due        the moments from which pending work is due
/// attributes the attributes of sessions, with the expiries of these
/// ```
enum Schema {
    /// The number in the file's header that identifies a journal: "Coor".
    static let applicationID = 0x436F_6F72

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);

                    -- `content` is the record as JSON, which also has the reference and the key; `base` the number of
                    -- entries that are the parent's, and `base_pending` the number of pieces of work pending after
                    -- those. The columns of the last crash are null if none was noted.
                    CREATE TABLE sessions (
                        id TEXT NOT NULL PRIMARY KEY,
                        app TEXT NOT NULL,
                        content BLOB NOT NULL,
                        base INTEGER NOT NULL,
                        base_pending INTEGER NOT NULL,
                        expires_at INTEGER NOT NULL,
                        work_withheld INTEGER NOT NULL,
                        reference TEXT NOT NULL,
                        key TEXT,
                        crash_version INTEGER,
                        crash_is_repeated INTEGER,
                        crash_event BLOB,
                        crash_app_version BLOB,
                        crash_times INTEGER
                    ) WITHOUT ROWID;
                    CREATE INDEX sessions_by_expiry ON sessions (expires_at, id);
                    CREATE UNIQUE INDEX sessions_by_reference ON sessions (reference);
                    CREATE UNIQUE INDEX sessions_by_key ON sessions (app, key) WHERE key IS NOT NULL;

                    -- Entries as they arrive. They are filed under their sessions later. An id is never reused.
                    -- `content` is the entry as JSON, `pending` the number of pieces of work pending after it.
                    CREATE TABLE log (
                        id INTEGER NOT NULL PRIMARY KEY,
                        session TEXT NOT NULL,
                        version INTEGER NOT NULL,
                        pending INTEGER NOT NULL,
                        mark INTEGER,
                        content BLOB NOT NULL
                    );

                    -- One row. The log's entries up to that id are all in `entries`.
                    CREATE TABLE filed (id INTEGER NOT NULL);
                    INSERT INTO filed VALUES (0);

                    CREATE TABLE entries (
                        session TEXT NOT NULL,
                        version INTEGER NOT NULL,
                        pending INTEGER NOT NULL,
                        mark INTEGER,
                        content BLOB NOT NULL,
                        PRIMARY KEY (session, version)
                    ) WITHOUT ROWID;

                    -- A fork's entries `first` to `last` are those of `owner`, which may have ended.
                    CREATE TABLE lineage (
                        session TEXT NOT NULL,
                        owner TEXT NOT NULL,
                        first INTEGER NOT NULL,
                        last INTEGER NOT NULL,
                        PRIMARY KEY (session, first)
                    ) WITHOUT ROWID;
                    CREATE INDEX lineage_by_owner ON lineage (owner, last);

                    -- The owners of entries that may not belong to any session any more.
                    CREATE TABLE garbage (owner TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;

                    -- The sessions with pending work, the moments at which they are due, and the number of consecutive
                    -- failures to look after them.
                    CREATE TABLE due (
                        session TEXT NOT NULL PRIMARY KEY,
                        app TEXT NOT NULL,
                        due_at INTEGER NOT NULL,
                        failures INTEGER NOT NULL DEFAULT 0
                    ) WITHOUT ROWID;
                    CREATE INDEX due_first ON due (app, due_at) WHERE failures = 0;
                    CREATE INDEX due_rested ON due (app, due_at) WHERE failures > 0;

                    CREATE TABLE attributes (
                        session TEXT NOT NULL,
                        name TEXT NOT NULL,
                        app TEXT NOT NULL,
                        value BLOB NOT NULL,
                        expires_at INTEGER NOT NULL,
                        PRIMARY KEY (session, name)
                    ) WITHOUT ROWID;
                    CREATE INDEX attributes_by_value ON attributes (app, name, value, expires_at, session);
                    """)
        }
        return migrator
    }()

    /// The `user_version` of a file that may have traces of an erased session.
    static let isErasing = 1

    /// What an erasure cannot reach.
    static let remnants = """
        Copies of the file keep what they have: backups, snapshots of the disk, and the blocks that the disk or its file \
        system has freed.
        """

    /// The leases of sessions in `due`: a table of the writer's connection, in memory, which ends with the connection.
    static let leases = """
        PRAGMA temp_store = MEMORY;
        CREATE TEMPORARY TABLE leases (session TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
        """
}
