internal import GRDB

/// Entries that go from the log to their sessions.
extension Transaction {
    /// Files entries of the log; some may have been before.
    func file(_ ids: ArraySlice<Int64>) throws {
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO entries
                SELECT session, version, pending, mark, content FROM json_each(?) CROSS JOIN log ON log.id = value
                """
        ).execute(arguments: [list])
    }

    /// Removes entries from the log that are filed, and returns whether there may be more of them.
    func removeFiled(limit: Int) throws -> Bool {
        try database.cachedStatement(
            sql: "DELETE FROM log WHERE id <= min(?1, (SELECT min(id) FROM log) + ?2 - 1)"
        ).execute(arguments: [filedID, limit])
        return database.changesCount > 0
    }
}
