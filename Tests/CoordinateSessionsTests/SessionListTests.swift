import Coordinate
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The list of sessions: its order and its pages. Listing has no effect on the sessions.
struct SessionListTests {
    private let clock = ManualClock()
    private let app = TestApp()
    private let journal = FaultyJournal()

    private func registry(
        _ limits: SessionLimits = .make(idleTime: 1_000, passivationTime: 60), on journal: FaultyJournal? = nil
    ) -> SessionRegistry { .make(app: app, journal: journal ?? self.journal, clock: clock.clock, limits: limits) }

    private func begin(in registry: SessionRegistry) async throws -> SessionID { try await registry.begin().session.id }

    private func moment(in seconds: Int) -> Timestamp { clock.clock.moment(at: clock.clock.uptime() + seconds) }

    /// All pages, one after the other.
    private func list(
        _ registry: SessionRegistry, by limit: Int = 1_000, path: String? = nil, state: SessionSummary.State? = nil
    ) async throws -> [SessionSummary] {
        var sessions: [SessionSummary] = []
        var cursor: SessionCursor?
        repeat {
            let page = try await registry.list(limit: limit, after: cursor, path: path, state: state)
            #expect(page.sessions.count <= limit)
            sessions += page.sessions
            cursor = page.next
        } while cursor != nil
        return sessions
    }

    private func ids(_ sessions: [SessionSummary]) -> [SessionID] { sessions.map(\.head.record.id) }

    // MARK: Order

    /// Random uses of sessions, compared with the expected order.
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [false, true])
    func theLastUsedSessionIsFirst(seed: UInt64, isShared: Bool) async throws {
        var generator = SeededGenerator(state: seed)
        // Expiry in a shared journal is not exact, so no session expires there.
        let idleTime = isShared ? 20_000 : 1_000
        let registry = registry(
            .make(idleTime: idleTime, passivationTime: 60), on: FaultyJournal(isShared: isShared))
        var uses: [SessionID: Int] = [:]
        for step in 0..<200 {
            clock.advance(by: .random(in: 1...20, using: &generator))
            registry.sweep()
            let now = clock.clock.uptime()
            uses = uses.filter { $0.value + idleTime > now }
            let known = uses.keys.sorted().randomElement(using: &generator)
            switch (Int.random(in: 0..<6, using: &generator), known) {
            case (0, _), (_, nil): uses[try await begin(in: registry)] = now
            case (1, let known?):
                let fork = try await registry.fork(registry.find(known), at: 0)
                uses[known] = now
                uses[fork.head.record.id] = now
            case (2, let known?):
                _ = try await registry.summary(of: known)
                uses[known] = now
            case (3, let known?):
                _ = try await registry.find(known).inject(.push(step))
                uses[known] = now
            case (4, let known?):
                try await registry.end(registry.find(known))
                uses[known] = nil
            case (_, let known?):
                _ = try await registry.find(known)
                uses[known] = now
            }
            guard step % 10 == 0 else { continue }
            let listed = try await list(registry, by: .random(in: 1...20, using: &generator))
            #expect(Set(ids(listed)) == Set(uses.keys))
            #expect(listed.count == uses.count)
            let moments = listed.map { uses[$0.head.record.id] ?? 0 }
            #expect(moments == moments.sorted(by: >), "step \(step)")
            for (session, moment) in zip(listed, moments) where !isShared || session.state == .live {
                #expect(session.expiresAt == clock.clock.moment(at: moment + idleTime))
            }
        }
    }

    @Test func aUseOnAnotherServerCounts() async throws {
        let shared = FaultyJournal(isShared: true)
        let (here, there) = (registry(on: shared), registry(on: shared))
        let session = try await begin(in: here)
        clock.advance(by: 500)
        let other = try await begin(in: here)
        clock.advance(by: 300)
        _ = try await there.find(session).route()
        clock.advance(by: 10)
        for registry in [here, there] {
            let listed = try await list(registry)
            #expect(ids(listed) == [session, other])
            #expect(listed[0].expiresAt == moment(in: 990))
        }
        #expect(try await list(there).map(\.state) == [.live, .passive])
    }

    /// Otherwise the list would continue before the sessions with followers.
    @Test func aSessionWithFollowersIsListedOnce() async throws {
        let registry = registry()
        let sessions = try await (0..<20).asyncMap { _ in try await begin(in: registry) }
        for session in sessions {
            _ = try await registry.find(session).follow(CountingFollower()) { _, _ in true }
        }
        var seen: [SessionID] = []
        var cursor: SessionCursor?
        repeat {
            let page = try await registry.list(limit: 3, after: cursor)
            seen += ids(page.sessions)
            cursor = page.next
            clock.advance(by: 1)
        } while cursor != nil
        #expect(seen.count == 20)
        #expect(Set(seen) == Set(sessions))
    }

    // MARK: Listing is not a use

    @Test func listingIsNotAUse() async throws {
        let registry = registry(.make(idleTime: 100, passivationTime: 10))
        let passive = try await begin(in: registry)
        clock.advance(by: 20)
        registry.sweep()
        let live = try await begin(in: registry)
        for _ in 0..<3 {
            clock.advance(by: 25)
            let listed = try await list(registry)
            #expect(ids(listed) == [live, passive])
            #expect(listed.map(\.state) == [.live, .passive])
        }
        #expect(app.trees.value == 2)
        clock.advance(by: 5)
        // Without a sweep.
        await #expect(ids(try list(registry)) == [live])
        clock.advance(by: 20)
        await #expect(try list(registry).isEmpty)
        registry.sweep()
        #expect(registry.count == 0)
        #expect(app.trees.value == 2)
    }

    @Test func theJournalIsNotifiedOfNewUsesOnly() async throws {
        let registry = registry(.make(idleTime: 1_000, passivationTime: 1_000))
        let sessions = try await (0..<50).asyncMap { _ in try await begin(in: registry) }
        clock.advance(by: 1)
        _ = try await list(registry)
        let kept = journal.keeps
        for _ in 0..<3 { _ = try await list(registry, by: 7) }
        #expect(journal.keeps == kept)
        clock.advance(by: 1)
        _ = try await registry.find(sessions[20])
        await #expect(ids(try list(registry)).first == sessions[20])
        #expect((kept + 1...kept + 2).contains(journal.keeps))
    }

    /// The use comes between two steps: after the last use was read, or right before the journal is notified.
    @Test(arguments: [FaultyJournal.Call.isShared, .keep], [50, 150])
    func aUseWhileSessionsAreListedIsNotLost(call: FaultyJournal.Call, pause: Int) async throws {
        let journal = FaultyJournal()
        let registry = SessionRegistry.make(
            app: app, journal: journal, clock: clock.clock, limits: .make(idleTime: 1_000, passivationTime: 1_000))
        let session = try await begin(in: registry)
        clock.advance(by: pause)
        journal.before(call) { _ in _ = try? await registry.find(session) }
        _ = try await registry.list(limit: 10)
        #expect(try #require(try await journal.head(of: session)).expiresAt >= moment(in: 1_000))
    }

    // MARK: Filters

    @Test(arguments: [1, 2, 3, 10, 49, 50, 51]) func sessionsAreFilteredByState(limit: Int) async throws {
        let registry = registry()
        let passive = try await (0..<50).asyncMap { _ in try await begin(in: registry) }
        let changed = try await begin(in: registry)
        _ = try await registry.find(changed).inject(.push(1))
        clock.advance(by: 70)
        registry.sweep()
        app.fault.begin(.goesElsewhere)
        let live = try await (0..<50).asyncMap { _ in try await begin(in: registry) }
        await #expect(throws: SessionError.self) { try await registry.find(changed).route() }
        clock.advance(by: 1)
        for (state, sessions) in [
            (SessionSummary.State.live, live), (.passive, passive), (.quarantined, [changed]),
        ] {
            let listed = try await list(registry, by: limit, state: state)
            #expect(Set(ids(listed)) == Set(sessions))
            #expect(listed.count == sessions.count)
            #expect(listed.allSatisfy { $0.state == state })
        }
        await #expect(try list(registry, by: limit).count == 101)
    }

    @Test func oneRequestExaminesALimitedNumberOfSessions() async throws {
        let registry = registry(.make(maximumSessions: 20_000, idleTime: 1_000))
        for _ in 0..<11_000 {
            try await journal.create(
                registry.host.record(SessionBeginning(), path: "/stack", begun: []), with: [], until: moment(in: 500),
                limit: 20_000
            )
        }
        let live = try await begin(in: registry)
        let first = try await registry.list(limit: 10, state: .live)
        #expect(ids(first.sessions) == [live])
        #expect(first.next != nil)
        let second = try await registry.list(limit: 10, after: first.next, state: .live)
        #expect(second.sessions.isEmpty)
        #expect(second.next == nil)
    }

    @Test func aForgedCursorIsRefused() async throws {
        let registry = registry()
        for _ in 0..<2 { _ = try await begin(in: registry) }
        let cursor = try #require(try await registry.list(limit: 1).next?.description)
        #expect(SessionCursor(cursor)?.description == cursor)
        for text in ["", ".", "1", "x.y", cursor + "0", "1" + cursor, String(cursor.dropLast()), "." + cursor] {
            #expect(SessionCursor(text) == nil, "\(text)")
        }
    }
}
