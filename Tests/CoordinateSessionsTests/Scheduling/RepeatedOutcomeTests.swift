import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Repeated requests while the lanes are full.
struct RepeatedOutcomeTests {
    @Test func aRetryLearnsThatItsEventWasAcceptedIfTheOutcomeIsUnavailable() throws {
        // Each reading of the clock advances it so far that only one entry is replayed at once.
        let bench = Workbench { .milliseconds(1) }
        let session = try SessionRegistry.make(app: TestApp(), scheduler: bench.scheduler()).begin().now().session
        let versions = 2...(FairQueue.patientLimitPerClient + 1)
        for _ in 1...versions.upperBound { _ = try session.inject(.push(1)).now() }
        let event = EventInjection.make("navigation.back", retry: Retry(key: "a", body: [], isMinimal: false))
        let first = try session.inject(event).now()
        #expect(try session.inject(event).now() === first)
        _ = try session.inject(.push(1)).now()

        let looksBack = versions.map { session.route(at: $0) }
        let result = session.inject(event).result
        guard case .failure(.outcomeUnavailable) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        bench.run()
        #expect(looksBack.allSatisfy { $0.result != nil })
        let again = session.inject(event)
        bench.run()
        #expect(try again.now().version == first.version)
    }
}
