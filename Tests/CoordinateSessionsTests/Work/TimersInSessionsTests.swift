import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Timers, which are part of the state: they fire once, without clients too, and do not extend a session's life.
@Suite(.timeLimit(.minutes(2))) struct TimersInSessionsTests {
    private let shop = Workshop()

    private func set(_ seconds: Int, in session: Session) async throws {
        try await session.take("setTimer", "seconds", .int(seconds))
    }

    @Test func anEditedForkLeavesATimerToItsOwnOutcome() async throws {
        let session = try await shop.begin()
        try await set(5, in: session)
        try await set(20, in: session)
        shop.clock.advance(by: 5)
        shop.registry.sweep()
        try await session.reaches(3)
        var edits = HistoryEdits()
        _ = edits.change(1, .drop)
        let fork = try await shop.registry.fork(session, at: 3, editing: edits)
        // The timer of version 2 has the same name as the one that fired.
        #expect(fork.report.kept == 1)
        #expect(fork.report.refused.count == 1)
    }

    @Test func aPassiveSessionIsWokenForItsTimer() async throws {
        let id = try await { () async throws in
            let session = try await shop.begin()
            try await set(600, in: session)
            return session.id
        }()
        shop.passivate()
        #expect(shop.registry.host.counters.trees == 0)
        shop.clock.advance(by: 290)
        shop.registry.sweep()
        let session = try await shop.registry.find(id)
        try await session.reaches(2)
        #expect(try await session.notes == ["fired"])
    }

    @Test func timersDoNotProlongASession() async throws {
        let shop = Workshop(limits: .make(idleTime: 100, passivationTime: 20))
        let id = try await { () async throws in
            let session = try await shop.begin()
            for seconds in stride(from: 10, through: 500, by: 10) { try await set(seconds, in: session) }
            return session.id
        }()
        for _ in 0..<115 {
            shop.clock.advance(by: 1)
            shop.registry.sweep()
        }
        #expect(await failure { try await shop.registry.find(id) }?.word == "hasEnded")
        #expect(shop.registry.count == 0)
    }

    // MARK: Time and chance

    @Test func aReplayedTurnHasTheSameTimeAndRandomNumbers() async throws {
        let session = try await shop.begin()
        for _ in 0..<3 {
            shop.clock.advance(by: 7)
            try await session.take("look")
            try await session.take("draw")
        }
        let notes = try await session.notes
        #expect(Set(notes).count == 6)
        #expect(try await session.route(at: 6).route?.state.screen.rows.map(\.title) == notes)
        shop.passivate()
        #expect(try await session.notes == notes)
        let fork = try await shop.registry.fork(session, at: 4)
        let copy = try await shop.registry.find(fork.head.record.id)
        #expect(try await copy.notes == Array(notes.prefix(4)))
        // The next number follows from the version, in the fork as in its parent.
        try await copy.take("look")
        try await copy.take("draw")
        #expect(try await copy.notes.last == notes.last)
    }

    @Test func timeNeverGoesBack() async throws {
        let session = try await shop.begin()
        try await session.take("look")
        shop.clock.advance(by: -50)
        try await session.take("look")
        #expect(Set(try await session.notes).count == 1)
    }
}
