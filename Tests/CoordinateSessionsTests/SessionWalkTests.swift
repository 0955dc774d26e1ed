import Foundation
import SeededGenerator
import Testing

@testable import CoordinateSessions

/// Ten thousand random lives of a session, in which the machine keeps its promises.
struct SessionWalkTests {
    /// The number of random histories. Long runs belong to `make histories`.
    private static let batchSize =
        (ProcessInfo.processInfo.environment["RANDOM_HISTORIES"].flatMap { Int($0) } ?? 2_000) / 20

    @Test(arguments: 0..<20) func theInvariantsHoldOnARandomWalk(batch: Int) async {
        let violation = await onOneThread {
            Self.firstViolation(in: batch * Self.batchSize..<(batch + 1) * Self.batchSize)
        }
        if let violation { Issue.record("\(violation)") }
    }

    private static func firstViolation(in seeds: Range<Int>) -> String? {
        for seed in seeds {
            var walk = SessionWalk(seed: seed)
            do throws(SessionWalk.Violation) { try walk.go(steps: 60) } catch {
                var again = SessionWalk(seed: seed, isTraced: true)
                try? again.go(steps: 60)
                return "Walk \(seed): \(error.rule)\n\((again.trace ?? []).joined(separator: "\n"))"
            }
        }
        return nil
    }

    @Test func walksGoEverywhere() throws {
        var sights: Set<SessionWalk.Sight> = []
        for seed in 0..<300 {
            var walk = SessionWalk(seed: seed)
            try walk.go(steps: 60)
            sights.formUnion(walk.sights)
        }
        #expect(Set(SessionWalk.Sight.allCases).subtracting(sights) == [])
    }
}
