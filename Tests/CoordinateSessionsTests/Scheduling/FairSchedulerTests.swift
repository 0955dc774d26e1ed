import Dispatch
import Synchronization
import Testing

@testable import CoordinateSessions

/// The order of jobs on the lanes, and their limits.
struct FairSchedulerTests {
    private let bench = Workbench()
    private let alice = ClientKey(number: 1)
    private let bob = ClientKey(number: 2)

    /// A job with a number of slices of the same length.
    private final class Piece: FairScheduler.Job {
        let name: String
        let client: ClientKey
        let asker = Asker()
        private let bench: Workbench
        private let scheduler: FairScheduler
        private let time: Duration
        private let slices: Atomic<Int>
        private let during: @Sendable (Int) -> Void

        init(
            _ name: String, for client: ClientKey, _ slices: Int, of time: Duration = .milliseconds(4),
            on scheduler: FairScheduler, _ bench: Workbench, during: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            (self.name, self.client, self.bench, self.scheduler) = (name, client, bench, scheduler)
            (self.time, self.during) = (time, during)
            self.slices = Atomic(slices)
        }

        var isAwaited: Bool { asker.isAwaited }

        func advance(within slice: WorkSlice) -> FairScheduler.SliceResult {
            bench.record(name)
            bench.pass(time)
            let left = slices.wrappingSubtract(1, ordering: .relaxed).newValue
            during(left)
            guard left == 0 else { return .more }
            scheduler.leave(self)
            return .done
        }

        func giveUp(_ reason: FairScheduler.StopReason) {
            bench.record("\(name): \(reason)")
            scheduler.leave(self)
        }
    }

    private func enter(
        _ names: String, for client: ClientKey, _ slices: Int, of time: Duration = .milliseconds(4),
        on scheduler: FairScheduler
    ) {
        for name in names {
            #expect(scheduler.enter(Piece("\(name)", for: client, slices, of: time, on: scheduler, bench), .patient))
        }
    }

    // MARK: Turns

    @Test func requestersHaveEqualTurnsHoweverMuchTheyRequest() {
        let scheduler = bench.scheduler()
        enter("abc", for: alice, 2, on: scheduler)
        enter("x", for: bob, 3, on: scheduler)
        bench.run()
        #expect(bench.notes.joined() == "axbxcxabc")
    }

    @Test func aClientWithLongTurnsHasFewerOfThem() {
        let scheduler = bench.scheduler()
        enter("a", for: alice, 3, of: .milliseconds(12), on: scheduler)
        enter("x", for: bob, 6, on: scheduler)
        bench.run()
        #expect(bench.notes.joined() == "axxxaxxxa")
    }

    @Test func aClientThatArrivesLateGetsNoExtraTurns() {
        let scheduler = bench.scheduler()
        let late = Piece("x", for: bob, 3, on: scheduler, bench)
        let early = Piece("a", for: alice, 8, on: scheduler, bench) { left in
            if left == 4 { #expect(scheduler.enter(late, .patient)) }
        }
        #expect(scheduler.enter(early, .patient))
        bench.run()
        #expect(bench.notes.joined() == "aaaaxaxaxaa")
    }

    @Test func aClientWhoseJobIsPausedCollectsNoCredit() {
        let scheduler = bench.scheduler()
        var queue = FairQueue()
        let early = Piece("a", for: alice, 1, on: scheduler, bench)
        let paused = Piece("x", for: bob, 1, on: scheduler, bench)
        func turn() -> String {
            guard let slot = queue.next(at: .now) else { return "" }
            queue.note(.milliseconds(4), for: slot.client)
            queue.ready(slot.job, at: .now)
            return slot.client == alice ? "a" : "x"
        }
        for job in [early, paused] { _ = queue.enter(job, .urgent, at: .now) }
        queue.ready(early, at: .now)
        for _ in 0..<10 { _ = turn() }
        queue.ready(paused, at: .now)
        let turns = (0..<4).map { _ in turn() }.joined()
        #expect(turns == "xaxa")
    }

    // MARK: Limits

    @Test func theNumberOfAClientsPatientJobsIsLimited() {
        let scheduler = bench.scheduler()
        enter("abcdefgh", for: alice, 1, on: scheduler)
        #expect(!scheduler.enter(Piece("i", for: alice, 1, on: scheduler, bench), .patient))
        #expect(scheduler.enter(Piece("urgent", for: alice, 1, on: scheduler, bench), .urgent))
        enter("x", for: bob, 1, on: scheduler)
        bench.run()
        enter("i", for: alice, 1, on: scheduler)
    }

    @Test func aClientWithoutAJobAlwaysHasRoomForOne() {
        let scheduler = bench.scheduler()
        for number in 1...4 { enter("abcdefgh", for: ClientKey(number: UInt64(number)), 1, on: scheduler) }
        for number in 5...20 {
            let newcomer = ClientKey(number: UInt64(number))
            enter("x", for: newcomer, 1, on: scheduler)
            #expect(!scheduler.enter(Piece("y", for: newcomer, 1, on: scheduler, bench), .patient))
        }
    }

    @Test func theNumberOfAClientsJobsIsLimitedAndThatOfTheHostOnlyWithAllOthers() {
        let scheduler = bench.scheduler()
        var queue = FairQueue()
        func count(of client: ClientKey) -> Int {
            var count = 0
            while queue.enter(Piece("a", for: client, 1, on: scheduler, bench), .urgent, at: .now) { count += 1 }
            return count
        }
        #expect(count(of: alice) == 1_024)
        #expect(count(of: bob) == 1_024)
        #expect(count(of: .host) == 2_048)
    }

    // MARK: Giving up

    @Test func theNumberOfAClientsLongJobsIsLimited() {
        let scheduler = bench.scheduler()
        var roster = FairQueue()
        let jobs = "abcdefghij".map { Piece("\($0)", for: alice, 1, on: scheduler, bench) }
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
        #expect(!roster.isKeptWaiting(Piece("x", for: .host, 1, on: scheduler, bench)))
    }

    @Test(arguments: [FairScheduler.Urgency.urgent, .patient])
    func aJobBehindOthersOfItsClientIsRefused(urgency: FairScheduler.Urgency) async throws {
        let scheduler = bench.scheduler(longestStart: .milliseconds(1))
        #expect(scheduler.enter(Piece("a", for: alice, 1, on: scheduler, bench), urgency))
        #expect(scheduler.enter(Piece("x", for: bob, 1, on: scheduler, bench), urgency))
        #expect(scheduler.enter(Piece("b", for: alice, 1, on: scheduler, bench), urgency))
        while scheduler.jobCount == 3 { await Task.yield() }
        bench.run()
        #expect(bench.notes == ["b: \(FairScheduler.StopReason.tooBusy)", "a", "x"])
    }

    @Test func aJobWithoutAWaitingCallerIsCancelledInItsTurn() {
        let scheduler = bench.scheduler()
        let (gone, other) = (
            Piece("a", for: alice, 9, on: scheduler, bench), Piece("b", for: alice, 1, on: scheduler, bench)
        )
        #expect(scheduler.enter(gone, .urgent))
        #expect(scheduler.enter(other, .urgent))
        gone.asker.leave()
        bench.run()
        #expect(bench.notes == ["a: \(FairScheduler.StopReason.givenUp)", "b"])
    }

    @Test func aJobThatWaitsTooLongIsRefused() {
        let scheduler = bench.scheduler()
        enter("a", for: alice, 1, on: scheduler)
        #expect(scheduler.enter(Piece("urgent", for: bob, 1, on: scheduler, bench), .urgent))
        bench.pass(FairQueue.longestWait + .milliseconds(1))
        bench.run()
        #expect(bench.notes == ["a: \(FairScheduler.StopReason.tooBusy)", "urgent"])
        enter("a", for: alice, 1, on: scheduler)
        bench.pass(FairQueue.longestWait)
        bench.run()
        #expect(bench.notes == ["a"])
    }

    @Test func allJobsEndWithTheServer() {
        let scheduler = bench.scheduler()
        enter("a", for: alice, 5, on: scheduler)
        let stopping = Piece("x", for: bob, 5, on: scheduler, bench) { left in if left == 4 { scheduler.cancel() } }
        #expect(scheduler.enter(stopping, .urgent))
        bench.run()
        let notes = bench.notes
        #expect(notes.prefix(2) == ["a", "x"])
        #expect(
            Set(notes.dropFirst(2)) == [
                "a: \(FairScheduler.StopReason.draining)", "x: \(FairScheduler.StopReason.draining)",
            ])
    }

    // MARK: At once

    @Test func workOnCallersThreadsIsLimited() {
        let scheduler = bench.scheduler()
        var count = 0
        while scheduler.atOnce({ _ in bench.pass(.milliseconds(2)) }) != nil { count += 1 }
        #expect(count == 6)
        bench.pass(.milliseconds(20))
        #expect(scheduler.atOnce { _ in bench.pass(.milliseconds(2)) } != nil)
        #expect(scheduler.atOnce { _ in } == nil)
        bench.pass(.seconds(60))
        count = 0
        while scheduler.atOnce({ _ in bench.pass(.milliseconds(2)) }) != nil { count += 1 }
        #expect(count == 6)
    }

    @Test func workOnACallersThreadSeesTheEndOfItsSlice() {
        let scheduler = bench.scheduler()
        let isOver = scheduler.atOnce { slice in
            let before = slice.isOver
            bench.pass(FairScheduler.quickSlice)
            return [before, slice.isOver]
        }
        #expect(isOver == [false, true])
    }
}
