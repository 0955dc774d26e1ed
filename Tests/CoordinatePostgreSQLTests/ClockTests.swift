import Coordinate
import CoordinateSessions
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinatePostgreSQL

/// Servers with wrong clocks do no harm, since all use PostgreSQL's clock.
@Suite(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint))) struct ClockTests {
    private static let twoHours = 7_200

    @Test(arguments: [twoHours, -twoHours]) func aServerReportsHowWrongItsClockIs(error: Int) async throws {
        let address = try await PostgreSQLCluster.shared.makeAddress()
        let log = LogCapture()
        let journal = try PostgreSQLJournal(address, logger: log.logger, leaseTime: nil, clockAheadBy: error)
        defer { journal.close() }
        #expect(abs(journal.clockOffset + error) <= 1)
        #expect(log.lines.contains { $0.contains(error > 0 ? "ahead of PostgreSQL's" : "behind PostgreSQL's") })
        let right = try PostgreSQLJournal(address, logger: .silent)
        defer { right.close() }
        #expect(right.clockOffset == 0)
    }

    @Test func aServerWithAWrongClockCausesNothingTooEarly() async throws {
        let address = try await PostgreSQLCluster.shared.makeAddress()
        let journal = try PostgreSQLJournal(address, logger: .silent)
        defer { journal.close() }
        let now = SessionClock.system.timestamp()
        let record = SessionRecord.make(timers: [now.seconds + 3_600])
        try await journal.create(record, with: [], until: Timestamp(seconds: now.seconds + 3_600), limit: 10)
        let later = Timestamp(seconds: now.seconds + Self.twoHours)
        journal.expire(by: later)
        #expect(try await journal.leaseDue(by: later, of: "Racing", limit: 10) == [])
        // The clean-up runs before this.
        await #expect(throws: JournalError.noSuchSession) { try await journal.end(.random(), at: nil) }
        #expect(try await journal.head(of: record.id) != nil)
    }

    @Test(arguments: [twoHours, -twoHours])
    func sessionsInUseAreKeptByAServerWithAWrongClock(error: Int) async throws {
        let address = try await PostgreSQLCluster.shared.makeAddress()
        let right = try PostgreSQLJournal(address, logger: .silent)
        defer { right.close() }
        let wrong = try PostgreSQLJournal(address, logger: .silent, leaseTime: nil, clockAheadBy: error)
        defer { wrong.close() }
        let limits = SessionLimits.make(idleTime: 1_000)
        let registries = [(right, 0), (wrong, error)].map { journal, error in
            SessionRegistry.make(
                app: TestApp(), journal: journal, clock: .machine(aheadBy: error), limits: limits)
        }
        var sessions: [SessionID] = []
        for registry in registries {
            for _ in 0..<5 { sessions.append(try await registry.begin().session.id) }
        }
        for registry in registries { registry.sweep() }
        let now = SessionClock.system.timestamp().seconds
        for session in sessions {
            let head = try #require(try await right.head(of: session))
            #expect(abs(head.expiresAt.seconds - now - 1_100) < 60)
            #expect(abs(head.record.createdAt.seconds - now) < 60)
        }
    }
}
