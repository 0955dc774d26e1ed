import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The first request after a restart, with a history of several pages.
struct RestartTests {
    /// A server that shares its journal reads until the journal has no more entries, since others may append some. The
    /// last of these entries leaves a page open, so the state shows whether it was read.
    @Test(arguments: [false, true], [63, 65, 249, 251, 501, 1_003])
    func anEventFollowsAllOfALongHistory(isShared: Bool, length: Int) async throws {
        let (app, journal) = (TestApp(), MemoryJournal())
        let former = try await SessionRegistry.make(app: app, journal: journal).begin().session
        for version in 1...length {
            _ = try await former.inject(version.isMultiple(of: 2) ? .make("navigation.back") : .push(version))
        }
        let shared = FaultyJournal(journal, isShared: isShared)
        let session = try await SessionRegistry.make(app: app, journal: shared).find(former.id)
        let outcome = try await session.inject(.push(7, wantsRoute: true))
        #expect(outcome.version == length + 1)
        let replayed = try await SessionRegistry.make(app: app, journal: journal).find(former.id).route().route
        #expect(try #require(outcome.route).asState.state == replayed?.state)
    }
}
