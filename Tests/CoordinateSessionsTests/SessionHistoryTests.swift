import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A session's history, page by page.
struct SessionHistoryTests {
    @Test func aPageHasTheLimitedNumberOfEntriesAfterAVersion() throws {
        let registry = SessionRegistry.make(app: TestApp())
        let session = try registry.begin().now().session
        for _ in 0..<5 { _ = try session.inject(.make("navigation.back")).now() }
        for (after, limit, versions, next) in [
            (0, 2, [1, 2], 2), (3, 2, [4, 5], nil), (0, 5, [1, 2, 3, 4, 5], nil), (5, 1, [], nil), (9, 9, [], nil),
            (.max, 1_000, [], nil),
        ] as [(Int, Int, [Int], Int?)] {
            let page = try session.entries(after: after, limit: limit).now()
            #expect(page.entries.map(\.version) == versions)
            #expect(page.next == next)
        }
    }

    @Test func aViewHasNoEntriesAfterItsHead() throws {
        let registry = SessionRegistry.make(app: TestApp())
        let session = try registry.begin().now().session
        _ = try session.inject(.make("navigation.back")).now()
        let view = try session.journal().now()
        _ = try session.inject(.make("navigation.back")).now()
        let entries = try view.entries(after: 0, limit: 10, on: InlineExecutor.shared).now()
        #expect(entries.map(\.version) == [1])
    }
}
