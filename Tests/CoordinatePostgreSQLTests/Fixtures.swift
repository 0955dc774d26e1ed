import Coordinate
import CoordinateSessions
import Foundation
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

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
