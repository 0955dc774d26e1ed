import Coordinate
import Testing

@testable import CoordinateSessions

/// The moments at which sessions in memory are due.
struct WakeScheduleTests {
    @Test func aWakeThatMovesOftenIsDueOnceAtItsLastTime() {
        let (schedule, other) = (WakeSchedule(), SessionID.random())
        schedule.record(Timestamp(seconds: 5), for: other, of: "Test")
        let session = SessionID.random()
        for second in 1...1_000 {
            schedule.record(Timestamp(seconds: second * 7 % 1_001 + 10), for: session, of: "Test")
        }
        let last = 1_000 * 7 % 1_001 + 10

        #expect(schedule.leaseDue(by: Timestamp(seconds: last - 1), of: "Test", limit: 9) == [other])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Other", limit: 9) == [])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Test", limit: 9) == [session])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Test", limit: 9) == [])
        schedule.endLeases(of: [session, other])
        #expect(schedule.leaseDue(by: Timestamp(seconds: 9_999), of: "Test", limit: 9) == [other, session])
    }
}
