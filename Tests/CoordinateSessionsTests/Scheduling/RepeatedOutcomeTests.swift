import Dispatch
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Repeated requests while the lanes are full.
struct RepeatedOutcomeTests {
    @Test func aRetryLearnsThatItsEventWasAcceptedIfTheOutcomeIsUnavailable() async throws {
        // Each reading of the clock advances it so far that only one entry is replayed at once.
        let bench = Workbench { .milliseconds(1) }
        let session = try SessionRegistry.make(
            app: TestApp(), scheduler: bench.scheduler(longestStart: .milliseconds(1))
        )
        .begin().now().session
        for _ in 1...9 { _ = try session.inject(.push(1)).now() }
        let event = EventInjection.make("navigation.back", retry: Retry(key: "a", body: [], isMinimal: false))
        let first = try session.inject(event).now()
        #expect(try session.inject(event).now() === first)
        _ = try session.inject(.push(1)).now()

        let client = ClientKey(number: 1, on: InlineExecutor.shared)
        session.recordUse(by: client)
        let lookBack = session.route(at: 9, for: client)
        let retry = session.inject(event, for: client)
        while retry.result == nil { await Task.yield() }
        guard case .failure(.outcomeUnavailable) = retry.result else {
            Issue.record("\(String(describing: retry.result))")
            return
        }
        bench.run()
        #expect(lookBack.result != nil)
        let again = session.inject(event)
        bench.run()
        #expect(try again.now().version == first.version)
    }
}
