import Coordinate
import CoordinateSessions
import MisbehavingJournal
import SessionFixtures
import Testing

import struct MisbehavingJournal.Mischief

/// The store that servers of random histories share: its pending work, and its leases.
struct SharedLeaseTests {
    private let store = SharedStore()
    private let schedule = PumpedSchedule(seed: 1)

    private func journal(_ mischief: Mischief = .none) -> MisbehavingJournal {
        MisbehavingJournal(store, seed: 1, mischief: mischief, on: schedule)
    }

    /// The result of a request, once all jobs are done.
    private func answer<Value>(_ question: Future<Value, JournalError>) throws -> Value {
        while schedule.pump() {}
        return try question.now()
    }

    private func add(_ journal: MisbehavingJournal, timer moment: Int) throws -> SessionID {
        let record = SessionRecord.make(timers: [moment])
        try answer(journal.create(record, with: [], until: Timestamp(seconds: 100), limit: 10))
        return record.id
    }

    private func due(_ journal: MisbehavingJournal, by moment: Int = 10) throws -> [SessionID] {
        try answer(journal.leaseDue(by: Timestamp(seconds: moment), of: "Racing", limit: 10))
    }

    @Test func aLeaseIsValidWhileItsServerRuns() throws {
        let (one, other) = (journal(), journal())
        let session = try add(one, timer: 10)
        #expect(store.wake(of: session) == Timestamp(seconds: 10))
        #expect(try due(one) == [session])
        #expect(try due(other) == [])
        #expect(try answer(other.lease(session)) == false)
        one.goAway()
        one.comeBack()
        #expect(try answer(one.renewLeases(of: [session])) == [session])
        one.goAway()
        #expect(store.leaseHolder(of: session) == nil)
        #expect(try due(other) == [session])
        one.comeBack()
        #expect(try answer(one.renewLeases(of: [session])) == [])
        #expect(store.leaseHolder(of: session) === other)
        other.die()
        #expect(try due(one) == [session])
    }

    @Test func aLeaseWhoseResultWasLostExpires() throws {
        var mischief = Mischief.none
        mischief.lostAnswer = 1_000
        let (one, other) = (journal(mischief), journal())
        let session = try add(other, timer: 10)
        let question = one.leaseDue(by: Timestamp(seconds: 10), of: "Racing", limit: 10)
        #expect(throws: JournalError.outcomeUnknown) { _ = try answer(question) }
        #expect(try due(other) == [session])
    }

    @Test func aLeaseMayLapse() throws {
        var mischief = Mischief.none
        mischief.lapse = 1_000
        let one = journal(mischief)
        let session = try add(one, timer: 10)
        #expect(try due(one) == [session])
        #expect(try answer(one.renewLeases(of: [session])) == [])
        #expect(try due(one) == [session])
    }
}
