import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A session's history, page by page.
struct SessionHistoryTests {
    @Test func aPageHasTheLimitedNumberOfEntriesAfterAVersion() async throws {
        let registry = SessionRegistry.make(app: TestApp())
        let session = try await registry.begin().session
        for _ in 0..<5 { _ = try await session.inject(.make("navigation.back")) }
        for (after, limit, versions, next) in [
            (0, 2, [1, 2], 2), (3, 2, [4, 5], nil), (0, 5, [1, 2, 3, 4, 5], nil), (5, 1, [], nil), (9, 9, [], nil),
            (.max, 1_000, [], nil),
        ] as [(Int, Int, [Int], Int?)] {
            let page = try await session.entries(after: after, limit: limit)
            #expect(page.entries.map(\.version) == versions)
            #expect(page.next == next)
        }
    }

    @Test func aViewHasNoEntriesAfterItsHead() async throws {
        let registry = SessionRegistry.make(app: TestApp())
        let session = try await registry.begin().session
        _ = try await session.inject(.make("navigation.back"))
        let view = try await session.journal()
        _ = try await session.inject(.make("navigation.back"))
        let entries = try await view.entries(after: 0, limit: 10)
        #expect(entries.map(\.version) == [1])
    }
}
