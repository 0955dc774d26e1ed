import Coordinate
import CoordinateSessions
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// The tables of a journal, read by PostgreSQL's own client.
struct Database {
    let cluster: PostgreSQLCluster
    let address: String

    @discardableResult func execute(_ statement: String) async throws -> [String] {
        try await cluster.execute(statement, at: address)
    }

    func count(_ table: String) async throws -> Int {
        Int(try await execute("SELECT count(*) FROM \(table)").first ?? "") ?? -1
    }

    /// Checks the invariants: no session lacks an entry, and each due row, key and attribute belongs to an existing
    /// session.
    func expectSound() async throws {
        let gaps = try await execute(
            """
            SELECT s.base, v.version FROM coordinate_sessions s
            CROSS JOIN LATERAL generate_series(
                1, GREATEST(s.base, (SELECT max(version) FROM coordinate_entries WHERE session = s.id))) AS v(version)
            LEFT JOIN coordinate_lineage l ON l.session = s.id AND v.version BETWEEN l.first AND l.last
            LEFT JOIN coordinate_entries e
                ON e.version = v.version AND e.session = CASE WHEN v.version > s.base THEN s.id ELSE l.owner END
            WHERE e.session IS NULL
            """)
        #expect(gaps.isEmpty)
        #expect(
            try await execute(
                """
                SELECT count(*) FROM coordinate_lineage l
                WHERE NOT EXISTS (SELECT FROM coordinate_sessions s WHERE s.id = l.session)
                """) == ["0"])
        #expect(
            try await execute(
                """
                SELECT count(*) FROM coordinate_due d
                WHERE NOT EXISTS (SELECT FROM coordinate_sessions s WHERE s.id = d.session AND s.app = d.app)
                OR (d.owner IS NULL) <> (d.leased_until IS NULL)
                """) == ["0"])
        #expect(
            try await execute(
                """
                SELECT session FROM coordinate_keys k
                WHERE NOT EXISTS (SELECT FROM coordinate_sessions s WHERE s.id = k.session AND s.app = k.app)
                UNION ALL SELECT session FROM coordinate_attributes a WHERE NOT EXISTS (
                    SELECT FROM coordinate_sessions s
                    WHERE s.id = a.session AND s.app = a.app AND s.expires_at = a.expires_at)
                """) == [])
    }

    /// Runs a journal's clean-up until no garbage is left.
    func clean(_ journal: PostgreSQLJournal) async throws {
        try await waitUntil {
            journal.expire(by: Timestamp(seconds: 5))
            return try await count("coordinate_garbage") == 0
        }
    }

    /// Partitions the tables by the hash of the session's id.
    func partition(into count: Int) async throws {
        for (table, id) in [("sessions", "id"), ("entries", "session"), ("lineage", "session"), ("due", "session")] {
            let name = "coordinate_\(table)"
            let partitions = (0..<count).map { place in
                "CREATE TABLE \(name)_\(place) PARTITION OF \(name) FOR VALUES WITH (MODULUS \(count), REMAINDER \(place));"
            }
            try await execute(
                """
                ALTER TABLE \(name) RENAME TO whole;
                CREATE TABLE \(name) (LIKE whole INCLUDING ALL) PARTITION BY HASH (\(id));
                \(partitions.joined())
                INSERT INTO \(name) SELECT * FROM whole;
                DROP TABLE whole;
                """)
        }
    }

    /// Checks that the tables are empty once all sessions have ended.
    func expectEmpty(cleaning journal: PostgreSQLJournal) async throws {
        try await waitUntil {
            journal.expire(by: Timestamp(seconds: 5))
            return try await count("coordinate_sessions") == 0
        }
        try await clean(journal)
        for table in ["entries", "lineage", "garbage", "due", "keys", "attributes"] {
            #expect(try await count("coordinate_\(table)") == 0)
        }
    }
}

extension Task where Success == Void, Failure == any Error {
    /// The error of a change; `nil` if it succeeded.
    var outcome: JournalError? {
        get async { await CoordinatePostgreSQLTests.outcome { try await value } }
    }
}
