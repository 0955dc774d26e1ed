import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A session's history, page by page.
struct SessionHistoryTests {
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
