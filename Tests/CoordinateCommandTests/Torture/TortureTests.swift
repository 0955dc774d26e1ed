import Foundation
import SeededGenerator
import Testing

/// Servers and PostgreSQL are ended in the middle of their work, again and again. No acknowledged event is lost, and
/// none happens twice.
///
/// `TORTURE_KILLS` is the number of ends, `TORTURE_SEED` the first seed, and `TORTURE_VARIANT` selects one variant:
/// `make torture`.
@Suite(.serialized) struct TortureTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["TORTURE_KILLS"].flatMap { Int($0) } ?? Fleet.Variant.available.count
    private static let seed = environment["TORTURE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: Fleet.Variant.available)
    func acknowledgedEventsAreNeitherLostNorRepeated(variant: Fleet.Variant) async throws {
        let runs = Fleet.Variant.available.count
        let torture = try await Torture(variant, seed: Self.seed)
        do {
            try await torture.run(kills: (Self.kills + runs - 1) / runs)
        } catch {
            torture.ledger.violation("The run failed: \(error)")
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
