import Coordinate
import Foundation
import SeededGenerator
import Testing

/// Random walks in which path, breadcrumbs, routes and screen have to agree after every turn.
///
/// `RANDOM_STEPS=1000000`, as `make walks` has it, takes more steps; `RANDOM_WALK=417` takes that one walk alone, and tells what
/// it did.
struct RouteWalkTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let length = 60
    private static let parts = 8
    private static let count = (environment["RANDOM_STEPS"].flatMap { Int($0) } ?? 20_000) / length
    private static let chosenSeed = environment["RANDOM_WALK"].flatMap { UInt64($0) }

    @Test(.enabled(if: chosenSeed == nil), arguments: 0..<parts)
    func nothingEverDisagrees(part: Int) async {
        let faults = await onOneThread {
            let links = RouteWalk.Links()
            var faults: [String] = []
            for seed in stride(from: part, to: Self.count, by: Self.parts) where faults.count < 3 {
                if let fault = Self.fault(of: UInt64(seed), links) { faults.append("\(fault) in walk \(seed)") }
            }
            return faults
        }
        for fault in faults { Issue.record("\n\(fault)") }
    }

    @Test(.enabled(if: chosenSeed != nil))
    func oneWalkStepByStep() throws {
        let walk = RouteWalk.Walk(seed: try #require(Self.chosenSeed), links: RouteWalk.Links())
        for _ in 0..<Self.length { walk.step() }
        print(walk.history.joined(separator: "\n"))
        #expect(walk.fault == nil)
    }

    private static func fault(of seed: UInt64, _ links: RouteWalk.Links) -> String? {
        let walk = RouteWalk.Walk(seed: seed, links: links)
        for _ in 0..<length { walk.step() }
        if walk.fault == nil { walk.end() }
        return walk.fault.map { "\(walk.history.suffix(24).joined(separator: "\n"))\n\($0)" }
    }
}
