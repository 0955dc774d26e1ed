import Coordinate
import CoordinateSessions
import Foundation
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// A moment after all others in these tests.
let later = Timestamp(seconds: 4_000_000_000)

extension Journal {
    /// Adds a session.
    func add(
        _ session: SessionRecord = .make(), with history: [JournalEntry] = [], until expiry: Timestamp = later,
        limit: Int = 1_000_000
    ) async throws -> SessionID {
        try await create(session, with: history, until: expiry, limit: limit).value
        return session.id
    }

    func fork(_ parent: SessionID, at version: Int) async throws -> SessionID {
        try await add(.make(parent: ForkPoint(session: parent, version: version)))
    }

    func entries(of session: SessionID) async throws -> [JournalEntry] {
        try await read(session, after: 0, limit: .max).value
    }

    /// Leases the sessions that are due.
    func due(by moment: Int, limit: Int = 100) async throws -> [SessionID] {
        try await leaseDue(by: Timestamp(seconds: moment), of: "Racing", limit: limit).value
    }

    /// Appends similar entries, up to a version.
    func append(upTo last: Int, after version: Int = 0, path: String = "/main/teams", to session: SessionID)
        async throws
    {
        for version in (version + 1)...last {
            try await append(.make(version: version, path: path), to: session).value
        }
    }
}

/// Runs the body with a journal in a new schema, and closes it after that.
///
/// - Parameter leaseTime: The time for which its leases are valid without being renewed; `nil` for the default.
nonisolated(nonsending) func withJournal<Result>(
    leaseTime: Duration? = nil, _ body: nonisolated(nonsending) (PostgreSQLJournal, String) async throws -> Result
) async throws -> Result {
    let address = try await PostgreSQLCluster.shared.makeAddress()
    let journal = try PostgreSQLJournal(address, leaseTime: leaseTime)
    defer { journal.close() }
    return try await body(journal, address)
}

/// Runs the body with two journals in a new schema.
///
/// - Parameter leaseTime: The time for which the first one's leases are valid without being renewed. The other one's
///   leases do not expire.
nonisolated(nonsending) func withJournals(
    leaseTime: Duration = .long,
    _ body: nonisolated(nonsending) (PostgreSQLJournal, PostgreSQLJournal, Database) async throws -> Void
) async throws {
    try await withJournal(leaseTime: leaseTime) { one, address in
        let other = try PostgreSQLJournal(address, leaseTime: .long)
        defer { other.close() }
        try await body(one, other, Database(cluster: .shared, address: address))
    }
}

extension Duration {
    /// Longer than any test.
    static let long = Duration.seconds(3_600)
}

/// Waits until a condition holds.
nonisolated(nonsending) func eventually(
    _ condition: nonisolated(nonsending) () async throws -> Bool, location: SourceLocation = #_sourceLocation
) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("The condition did not come true in time.", sourceLocation: location)
            return
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}
