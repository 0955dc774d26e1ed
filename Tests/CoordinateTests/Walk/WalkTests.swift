import Coordinate
import CoordinateExplore
import Foundation
import Testing

/// Random walks through an app that does everything. The invariants of the app and the promises of the library must
/// hold in every state.
///
/// `WALKS=20000`, as in `make walks`, walks longer, and `WALK_SEED=7` elsewhere.
struct WalkTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let walks = environment["WALKS"].flatMap { Int($0) } ?? 100
    private static let seed = environment["WALK_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: WalkApp.Style.allCases) func noWalkBreaksAPromise(style: WalkApp.Style) {
        let walks = WalkApp(style: style).walkAtRandom(Self.walks, steps: 60, seed: Self.seed)
        let failures = walks.failures.map { "\($0.detail)\n\(String(decoding: $0.lines, as: UTF8.self))" }
        #expect(failures.isEmpty)
        #expect(walks.events > Self.walks * 10)
    }
}
