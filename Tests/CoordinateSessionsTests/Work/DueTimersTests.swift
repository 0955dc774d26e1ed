import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A session whose timers are due, and that is met before any sweep: their effect is there.
@Suite(.timeLimit(.minutes(2))) struct DueTimersTests {
    private let clock = ManualClock()

    private func registry(_ journal: any Journal = MemoryJournal()) -> SessionRegistry {
        .make(app: TurnApp(), journal: journal, clock: clock.clock)
    }

    /// A session whose timers, with their delays and names, were set a minute ago.
    private func session(in registry: SessionRegistry, _ timers: (Int, String)...) async throws -> Session {
        let session = try await registry.begin().session
        for (delay, name) in timers { try await session.set(delay, name) }
        #expect(try await session.title == "")
        clock.advance(by: 60)
        return session
    }

    @Test func aReaderSeesThem() async throws {
        let registry = registry()
        for read in [
            { session in try await session.title },
            { session in try await session.navigationState().state.screen.title },
            { session in
                let follower = CountingFollower()
                _ = try await session.follow(follower) { _, route in route.asState.state.screen.title == "a" }
                return try await session.title
            },
        ] as [(Session) async throws -> String?] {
            let session = try await session(in: registry, (10, "a"))
            #expect(session.publishedRoute == nil)
            #expect(try await read(session) == "a")
            #expect(try await session.summary().head.version == 2)
            let entry = try #require(try await session.journal.last)
            #expect(entry.origin == .timer)
            #expect(entry.pending == "1-1")
            #expect(entry.at == "TurnCoordinator")
        }
    }

    @Test func thePublishedRouteIsReadUntilTheyAreDue() async throws {
        let session = try await registry().begin().session
        try await session.set(10, "a")
        _ = try await session.title
        clock.advance(by: 9)
        #expect(session.publishedRoute?.asState.version == 1)
        clock.advance(by: 1)
        #expect(session.publishedRoute == nil)
    }

    @Test func theyPrecedeTheNextEventInTheOrderOfTheirTimes() async throws {
        let session = try await session(in: registry(), (30, "c"), (10, "a"), (20, "b"), (10, "a2"), (90, "later"))
        let error = await failure { try await session.inject(.set("next", after: 0, if: .only(5))) }
        #expect(error?.word == "versionConflict at 9")
        #expect(try await session.title == "aa2bc")
        #expect(try await session.journal.compactMap(\.pending) == ["2-1", "4-1", "3-1", "1-1"])
    }

    @Test(arguments: [false, true]) func theyFireAfterARestart(isRead: Bool) async throws {
        let journal = MemoryJournal()
        let id = try await session(in: registry(journal), (10, "a")).id
        let session = try await registry(journal).find(id)
        if isRead {
            let known = VersionCondition.Versions.some([1])
            #expect(try await session.route(unless: known).route?.state.screen.title == "a")
        } else {
            try await session.set(100, "b")
            #expect(try await session.journal.map(\.origin) == [.client, .timer, .client])
        }
    }

    // MARK: Timers that cannot fire

    @Test func aTimerWhoseTurnFailsBacksOff() async throws {
        let registry = registry()
        let session = try await session(in: registry, (10, "!"), (20, "a"))
        #expect(try await session.title == "a")
        // It blocks nothing, and the route is at hand again.
        #expect(session.publishedRoute != nil)
        // Each attempt costs the tree.
        let wakings = registry.host.counters.wakings
        try await session.set(100, "b")
        #expect(try await session.title == "a")
        #expect(registry.host.counters.wakings == wakings)
        clock.advance(by: 60)
        #expect(session.publishedRoute == nil)
        #expect(try await session.title == "a")
        #expect(registry.host.counters.wakings == wakings + 1)
    }

    @Test func aSessionThatTakesNoMoreEventsIsShown() async throws {
        let registry = SessionRegistry.make(app: TurnApp(), clock: clock.clock, limits: .make(maximumEvents: 1))
        let session = try await session(in: registry, (10, "a"))
        #expect(try await session.title == "")
        #expect(session.publishedRoute != nil)
    }
}

extension Session {
    fileprivate func set(_ delay: Int, _ name: String) async throws { _ = try await inject(.set(name, after: delay)) }

    fileprivate var title: String? { get async throws { try await state.screen.title } }
}
