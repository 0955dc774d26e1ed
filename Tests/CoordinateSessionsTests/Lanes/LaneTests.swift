import Dispatch
import Synchronization
import Testing

@testable import CoordinateSessions

/// The order of jobs on the lanes, and their limits.
struct LaneTests {
    private let bench = Workbench()
    private let alice = Requester(number: 1)
    private let bob = Requester(number: 2)

    /// A job with a number of slices of the same length.
    private final class Piece: Lanes.Job {
        let name: String
        let requester: Requester
        let asker = Asker()
        private let bench: Workbench
        private let lanes: Lanes
        private let time: Duration
        private let slices: Atomic<Int>
        private let during: @Sendable (Int) -> Void

        init(
            _ name: String, for requester: Requester, _ slices: Int, of time: Duration = .milliseconds(4),
            on lanes: Lanes, _ bench: Workbench, during: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            (self.name, self.requester, self.bench, self.lanes) = (name, requester, bench, lanes)
            (self.time, self.during) = (time, during)
            self.slices = Atomic(slices)
        }

        var isAwaited: Bool { asker.isAwaited }

        func advance(within slice: WorkSlice) -> Lanes.Progress {
            bench.note(name)
            bench.pass(time)
            let left = slices.wrappingSubtract(1, ordering: .relaxed).newValue
            during(left)
            guard left == 0 else { return .more }
            lanes.leave(self)
            return .done
        }

        func giveUp(_ reason: SessionError) {
            bench.note("\(name): \(reason)")
            lanes.leave(self)
        }
    }

    private func enter(
        _ names: String, for requester: Requester, _ slices: Int, of time: Duration = .milliseconds(4), on lanes: Lanes
    ) {
        for name in names {
            #expect(lanes.enter(Piece("\(name)", for: requester, slices, of: time, on: lanes, bench), .patient))
        }
    }

    // MARK: Turns

    @Test func requestersHaveEqualTurnsHoweverMuchTheyRequest() {
        let lanes = bench.lanes()
        enter("abc", for: alice, 2, on: lanes)
        enter("x", for: bob, 3, on: lanes)
        bench.run()
        #expect(bench.notes.joined() == "axbxcxabc")
    }

    @Test func aRequesterWithLongTurnsHasFewerOfThem() {
        let lanes = bench.lanes()
        enter("a", for: alice, 3, of: .milliseconds(12), on: lanes)
        enter("x", for: bob, 6, on: lanes)
        bench.run()
        #expect(bench.notes.joined() == "axxxaxxxa")
    }

    @Test func aRequesterThatArrivesLateGetsNoExtraTurns() {
        let lanes = bench.lanes()
        let late = Piece("x", for: bob, 3, on: lanes, bench)
        let early = Piece("a", for: alice, 8, on: lanes, bench) { left in
            if left == 4 { #expect(lanes.enter(late, .patient)) }
        }
        #expect(lanes.enter(early, .patient))
        bench.run()
        #expect(bench.notes.joined() == "aaaaxaxaxaa")
    }

    // MARK: Limits

    @Test func theNumberOfARequestersPatientJobsIsLimited() {
        let lanes = bench.lanes()
        enter("abcdefgh", for: alice, 1, on: lanes)
        #expect(!lanes.enter(Piece("i", for: alice, 1, on: lanes, bench), .patient))
        #expect(lanes.enter(Piece("urgent", for: alice, 1, on: lanes, bench), .urgent))
        enter("x", for: bob, 1, on: lanes)
        bench.run()
        enter("i", for: alice, 1, on: lanes)
    }

    @Test func aRequesterWithoutAJobAlwaysHasRoomForOne() {
        let lanes = bench.lanes()
        for number in 1...4 { enter("abcdefgh", for: Requester(number: UInt64(number)), 1, on: lanes) }
        for number in 5...20 {
            let newcomer = Requester(number: UInt64(number))
            enter("x", for: newcomer, 1, on: lanes)
            #expect(!lanes.enter(Piece("y", for: newcomer, 1, on: lanes, bench), .patient))
        }
    }

    // MARK: Giving up

    @Test func theNumberOfARequestersLongJobsIsLimited() {
        let lanes = bench.lanes()
        var roster = LaneRoster()
        let jobs = "abcdefghij".map { Piece("\($0)", for: alice, 1, on: lanes, bench) }
        for job in jobs {
            let isIn = roster.enter(job, .urgent, at: .now)
            #expect(isIn)
            roster.ready(job, at: .now)
        }
        #expect(jobs.map(roster.isKeptWaiting) == [false] + Array(repeating: true, count: 9))
        for _ in jobs { _ = roster.next(at: .now) }
        #expect(jobs.map(roster.isKeptWaiting) == Array(repeating: false, count: 8) + [true, true])
        roster.leave(jobs[0])
        #expect(!roster.isKeptWaiting(jobs[8]))
        #expect(!roster.isKeptWaiting(Piece("x", for: .host, 1, on: lanes, bench)))
    }

    @Test(arguments: [Lanes.Urgency.urgent, .patient])
    func aJobThatWaitsBehindOthersOfItsRequesterGivesUp(urgency: Lanes.Urgency) async throws {
        let lanes = bench.lanes(longestStart: .milliseconds(1))
        #expect(lanes.enter(Piece("a", for: alice, 1, on: lanes, bench), urgency))
        #expect(lanes.enter(Piece("x", for: bob, 1, on: lanes, bench), urgency))
        #expect(lanes.enter(Piece("b", for: alice, 1, on: lanes, bench), urgency))
        while lanes.jobCount == 3 { await Task.yield() }
        bench.run()
        #expect(bench.notes == ["b: \(SessionError.tooBusy)", "a", "x"])
    }

    @Test func aJobWithoutAWaitingCallerIsGivenUpInItsTurn() {
        let lanes = bench.lanes()
        let (gone, other) = (Piece("a", for: alice, 9, on: lanes, bench), Piece("b", for: alice, 1, on: lanes, bench))
        #expect(lanes.enter(gone, .urgent))
        #expect(lanes.enter(other, .urgent))
        gone.asker.leave()
        bench.run()
        #expect(bench.notes == ["a: \(SessionError.givenUp)", "b"])
    }

    @Test func aJobThatWaitsTooLongIsRefused() {
        let lanes = bench.lanes()
        enter("a", for: alice, 1, on: lanes)
        #expect(lanes.enter(Piece("urgent", for: bob, 1, on: lanes, bench), .urgent))
        bench.pass(LaneRoster.longestWait + .milliseconds(1))
        bench.run()
        #expect(bench.notes == ["a: \(SessionError.tooBusy)", "urgent"])
        enter("a", for: alice, 1, on: lanes)
        bench.pass(LaneRoster.longestWait)
        bench.run()
        #expect(bench.notes == ["a"])
    }

    @Test func allJobsEndWithTheServer() {
        let lanes = bench.lanes()
        enter("a", for: alice, 5, on: lanes)
        let stopping = Piece("x", for: bob, 5, on: lanes, bench) { left in if left == 4 { lanes.cancel() } }
        #expect(lanes.enter(stopping, .urgent))
        bench.run()
        let notes = bench.notes
        #expect(notes.prefix(2) == ["a", "x"])
        #expect(Set(notes.dropFirst(2)) == ["a: \(SessionError.draining)", "x: \(SessionError.draining)"])
    }

    // MARK: At once

    @Test func workOnCallersThreadsIsLimited() {
        let lanes = bench.lanes()
        var count = 0
        while lanes.atOnce({ _ in bench.pass(.milliseconds(2)) }) != nil { count += 1 }
        #expect(count == 6)
        bench.pass(.milliseconds(20))
        #expect(lanes.atOnce { _ in bench.pass(.milliseconds(2)) } != nil)
        #expect(lanes.atOnce { _ in } == nil)
        bench.pass(.seconds(60))
        count = 0
        while lanes.atOnce({ _ in bench.pass(.milliseconds(2)) }) != nil { count += 1 }
        #expect(count == 6)
    }

    @Test func workOnACallersThreadSeesTheEndOfItsSlice() {
        let lanes = bench.lanes()
        let isOver = lanes.atOnce { slice in
            let before = slice.isOver
            bench.pass(Lanes.quickSlice)
            return [before, slice.isOver]
        }
        #expect(isOver == [false, true])
    }
}
