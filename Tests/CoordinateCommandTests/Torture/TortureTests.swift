import Foundation
import SeededGenerator
import Testing

/// Servers and PostgreSQL are ended in the middle of their work, again and again, and no client finds anything missing
/// that it was told of, or anything twice; also where another PostgreSQL takes over.
///
/// `TORTURE_KILLS` says how many are ended in all, `TORTURE_SEED` with which run it begins, and `TORTURE_VARIANT` which of
/// the runs is wanted alone: `make torture`.
@Suite(.serialized) struct TortureTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["TORTURE_KILLS"].flatMap { Int($0) } ?? Fleet.Variant.available.count
    private static let seed = environment["TORTURE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: Fleet.Variant.available)
    func nothingAcknowledgedIsLostAndNothingIsDoneTwice(variant: Fleet.Variant) async throws {
        let runs = Fleet.Variant.available.count
        let torture = try await Torture(variant, seed: Self.seed)
        do {
            try await torture.run(kills: (Self.kills + runs - 1) / runs)
        } catch {
            torture.ledger.violation("It could not go on: \(error)")
        }
        let words = torture.fleet.words
        if words.contains(where: { $0.contains(Fleet.password) }) { torture.ledger.violation("A password was logged") }
        let violations = torture.ledger.violations
        print(torture.summary)
        #expect(
            violations.isEmpty,
            """
            TORTURE_SEED=\(Self.seed), \(variant): \(violations.count) violations
            \(violations.prefix(10).joined(separator: "\n"))
            The servers' last words:
            \(words.suffix(20).joined(separator: "\n"))
            """)
    }
}
