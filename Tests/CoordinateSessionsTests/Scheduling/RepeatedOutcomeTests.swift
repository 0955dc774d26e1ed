import Dispatch
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Repeated requests while the lanes are full.
struct RepeatedOutcomeTests {
    @Test func aRetryLearnsThatItsEventWasAcceptedIfTheOutcomeIsUnavailable() async throws {
        // Each reading of the clock advances it so far that only one entry is replayed at once.
        let bench = Workbench { .milliseconds(1) }
        let scheduler = bench.scheduler(longestStart: .milliseconds(1))
        let session = try await SessionRegistry.make(app: TestApp(), scheduler: scheduler).begin().session
        for _ in 1...9 { _ = try await session.inject(.push(1)) }
        let event = EventInjection.make("navigation.back", retry: Retry(key: "a", body: [], isMinimal: false))
        let first = try await session.inject(event)
        #expect(try await session.inject(event) === first)
        _ = try await session.inject(.push(1))

        let client = ClientKey(number: 1)
        session.recordUse(by: client)
        let lookBack = begin { try await session.route(at: 9, for: client) }
        let retry = begin { try await session.inject(event) }
        bench.run { scheduler.jobCount == 2 }
        while scheduler.jobCount == 2 { await Task.yield() }
        bench.run()
        #expect(await failure { try await retry.value }?.word == "outcomeUnavailable")
        #expect(try await lookBack.value.route?.version == 9)
        let again = begin { try await session.inject(event) }
        bench.run()
        #expect(try await again.value.version == first.version)
    }
}
