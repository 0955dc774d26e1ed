import Coordinate
import SeededGenerator
import Testing

/// Random walks in which path, breadcrumbs, routes and screen have to agree after every turn.
struct RouteWalkTests {
    @Test func nothingEverDisagrees() async {
        let faults = await onOneThread {
            let links = RouteWalk.Links()
            var faults: [String] = []
            for seed in UInt64(0)..<2_000 where faults.count < 3 {
                let walk = RouteWalk.Walk(seed: seed, links: links)
                for _ in 0..<60 { walk.step() }
                if walk.fault == nil { walk.end() }
                if let fault = walk.fault {
                    faults.append("seed \(seed): \(fault)\n\(walk.history.suffix(24).joined(separator: "\n"))")
                }
            }
            return faults
        }
        for fault in faults { print(fault) }
        #expect(faults.count == 0)
    }
}
