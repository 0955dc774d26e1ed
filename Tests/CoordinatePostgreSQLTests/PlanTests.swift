import CoordinateSessions
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// The generic plans that PostgreSQL makes once for each statement.
@Suite(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint))) struct PlanTests {
    /// If each session has one entry, the session's id alone finds it as well, and with few entries, so does reading
    /// all of them; but the plan is kept when there are many. PostgreSQL does not analyze tables with fewer than 50
    /// changes by itself.
    @Test(arguments: [
        Statements.append, Statements.appendAndSchedule, Statements.head, Statements.fork, Statements.read,
        Statements.list,
        Statements.listByID,
    ])
    func anEntryIsFoundByItsVersionHoweverFewEntriesThereAre(statement: Statement) async throws {
        try await withJournal { journal, address in
            let database = try await Database(cluster: .shared, address: address)
            for count in [0, 50, 100] {
                for _ in 0..<count { _ = try await journal.add(with: [.make(version: 1)]) }
                let plan = try plan(of: statement, at: address)
                let text = Comment(rawValue: plan.joined(separator: "\n"))
                let scans = zip(plan, plan.dropFirst()).filter { $0.0.contains("coordinate_entries_pkey") }
                #expect(!scans.isEmpty && scans.allSatisfy { $0.1.contains("Index Cond: ") }, text)
                #expect(!plan.contains { $0.contains("Join Filter") && $0.contains("version") }, text)
                try await database.execute("ANALYZE coordinate_sessions, coordinate_entries, coordinate_lineage")
            }
        }
    }

    /// A page of a list, and a key, are found by an index that has all of the condition, in the order of the page.
    @Test(arguments: [
        (Statements.listByAttribute, "coordinate_attributes_value", "ROW(expires_at"),
        (Statements.counts, "coordinate_attributes_value", "value ="),
        (Statements.keep, "coordinate_attributes_pkey", "session ="),
        (Statements.withKey, "coordinate_keys_app_key_key", "key ="),
        (Statements.withReference, "coordinate_sessions_reference", "reference ="),
    ])
    func aSessionIsFoundByAnIndex(statement: Statement, index: String, condition: String) async throws {
        try await withJournal { journal, address in
            for number in 0..<100 {
                _ = try await journal.add(.make(key: "\(number)", attributes: ["user": "\(number % 2)"]))
            }
            let database = try await Database(cluster: .shared, address: address)
            for table in ["coordinate_sessions", "coordinate_keys", "coordinate_attributes"] {
                let plan = try plan(of: statement, at: address)
                let text = Comment(rawValue: plan.joined(separator: "\n"))
                let scan = try #require(plan.firstIndex { $0.contains(" \(index)") }, text)
                #expect(plan[scan + 1].contains("Index Cond: ") && plan[scan + 1].contains(condition), text)
                #expect(!plan.contains { $0.contains("Seq Scan") }, text)
                if let limit = plan.firstIndex(where: { $0.contains("->  Limit") }) {
                    #expect(plan[limit + 1].contains("using \(index)"), text)
                }
                try await database.execute("ANALYZE \(table)")
            }
        }
    }

    private func plan(of statement: Statement, at address: String) throws -> [String] {
        let settings = try ConnectionSettings(address, isWriting: true)
        var connection = try Connection.open(settings, preparing: [], until: .now + .seconds(10))
        let count = try #require((1...30).last { statement.sql.contains("$\($0)") })
        let values = Array(repeating: "NULL", count: count).joined(separator: ", ")
        try connection.send([Statement("PREPARE it AS \(statement.sql)")()])
        _ = try connection.receive(until: .now + .seconds(10))
        try connection.send([Statement("EXPLAIN (COSTS OFF) EXECUTE it(\(values))")()])
        let rows = try #require(try connection.receive(until: .now + .seconds(10)).last)
        return (0..<rows.count).map { rows.text($0, 0) }
    }
}

extension Statement: CustomTestStringConvertible {
    public var testDescription: String { name ?? sql }
}
