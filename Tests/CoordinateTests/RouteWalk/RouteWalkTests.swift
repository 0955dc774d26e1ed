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
    private static let count = (environment["RANDOM_STEPS"].flatMap { Int($0) } ?? 10_000) / length
    private static let chosenSeed = environment["RANDOM_WALK"].flatMap { UInt64($0) }

    @Test(.enabled(if: chosenSeed == nil), arguments: 0..<parts)
    func nothingEverDisagrees(part: Int) async {
        let (faults, counts) = await onOneThread {
            let links = RouteWalk.Links()
            var faults: [String] = []
            for seed in stride(from: part, to: Self.count, by: Self.parts) where faults.count < 3 {
                if let fault = Self.fault(of: UInt64(seed), links) { faults.append("\(fault) in walk \(seed)") }
            }
            return (faults, links.counts)
        }
        for fault in faults { Issue.record("\n\(fault)") }
        guard faults.isEmpty, Self.count >= 1_000 else { return }
        for deed in [
            "explained screens", "links", "links taken up", "modals on modals", "questions", "wishes that went on",
            "wishes that were dropped",
        ] {
            #expect(counts[deed] ?? 0 > 0, "no \(deed)")
        }
        print(
            "part \(part): \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
    }

    @Test(arguments: 0..<12 as Range<UInt64>) func theSameSeedIsTheSameWalk(seed: UInt64) {
        let walks = (0..<2).map { _ in RouteWalk.Walk(seed: seed, links: RouteWalk.Links()) }
        for walk in walks {
            for _ in 0..<Self.length { walk.step() }
        }
        #expect(walks[0].history == walks[1].history)
        #expect(walks[0].home.navigationState == walks[1].home.navigationState)
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
