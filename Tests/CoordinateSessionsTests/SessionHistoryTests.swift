import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// A session's history, whether it is short or long.
struct SessionHistoryTests {
    @Test(arguments: [0, 1, 999, 1_000, 1_001, 2_345])
    func itIsShownToItsEnd(count: Int) async throws {
        let registry = SessionRegistry.make(app: TestApp())
        let session = try registry.begin().now().session
        for _ in 0..<count { _ = try session.inject(.make("navigation.back")).now() }
        let shown = Shown()
        try await session.forEachEntry(begin: { shown.begin($0) }, { shown.add($0) }).value
        #expect(shown.record == (try session.summary().now().head.record))
        #expect(shown.versions == Array(1...max(1, count)).prefix(count).map { $0 })
    }

    @Test func aPageHasSoManyAfterAVersion() throws {
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
}

/// What was shown of a history.
private final class Shown: Sendable {
    private let state = Mutex<(record: SessionRecord?, versions: [Int])>((nil, []))

    var record: SessionRecord? { state.withLock { $0.record } }
    var versions: [Int] { state.withLock { $0.versions } }

    func begin(_ record: SessionRecord) { state.withLock { $0.record = record } }
    func add(_ entry: JournalEntry) { state.withLock { $0.versions.append(entry.version) } }
}
