import Testing

@testable import CoordinateSessions

/// Ten thousand random lives of a session, in which the machine keeps what it promises.
struct SessionWalkTests {
    @Test(arguments: 0..<20)
    func whatAlwaysHoldsDoesSoOnARandomWalk(batch: Int) async {
        for seed in batch * 500..<(batch + 1) * 500 {
            // Other tests have clients and servers that do not wait for ever.
            await Task.yield()
            var walk = SessionWalk(seed: seed)
            do throws(SessionWalk.Violation) {
                try walk.go(steps: 60)
            } catch {
                var again = SessionWalk(seed: seed, isTraced: true)
                try? again.go(steps: 60)
                let trace = (again.trace ?? []).joined(separator: "\n")
                Issue.record("Walk \(seed): \(error.rule)\n\(trace)")
                return
            }
        }
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
