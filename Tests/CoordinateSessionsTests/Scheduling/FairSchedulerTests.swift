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
        private let bench: Workbench
        private let scheduler: FairScheduler
        private let time: Duration
        private let slices: Atomic<Int>
        private let isPaused: Bool
        private let hasCaller = Atomic(true)
        private let during: @Sendable (Int) -> Void

        init(
            _ name: String, for client: ClientKey, _ slices: Int, of time: Duration = .milliseconds(4),
            on scheduler: FairScheduler, _ bench: Workbench, isPaused: Bool = false,
            during: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            self.isPaused = isPaused
            (self.name, self.client, self.bench, self.scheduler) = (name, client, bench, scheduler)
            (self.time, self.during) = (time, during)
            self.slices = Atomic(slices)
        }

        var isAwaited: Bool { hasCaller.load(ordering: .relaxed) }

        func abandon() { hasCaller.store(false, ordering: .relaxed) }

        func advance(within slice: WorkSlice) -> FairScheduler.SliceResult {
            bench.record(name)
            bench.pass(time)
            if isPaused { return .paused }
            let left = slices.wrappingSubtract(1, ordering: .relaxed).newValue
            during(left)
            guard left == 0 else { return .more }
            scheduler.leave(self)
            return .done
        }

        func cancel(_ reason: FairScheduler.StopReason) {
            bench.record("\(name): \(reason)")
            scheduler.leave(self)
        }
    }

    private func enter(
        _ names: String, for client: ClientKey, _ slices: Int, of time: Duration = .milliseconds(4),
        on scheduler: FairScheduler
    ) {
        for name in names {
            #expect(scheduler.enter(Piece("\(name)", for: client, slices, of: time, on: scheduler, bench)))
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
            if left == 4 { #expect(scheduler.enter(late)) }
        }
        #expect(scheduler.enter(early))
        bench.run()
        #expect(bench.notes.joined() == "aaaaxaxaxaa")
    }

    @Test func theFirstJobsOfAClientTakeTurnsAndTheOthersWait() {
        let scheduler = bench.scheduler()
        enter("abcdefghij", for: alice, 2, on: scheduler)
        enter("x", for: bob, 1, on: scheduler)
        bench.run()
        #expect(bench.notes.joined() == "axbcdefghaibjcdefghij")
    }

    // MARK: Limits

    @Test func theNumberOfAClientsJobsIsLimitedAndThatOfTheHostOnlyWithAllOthers() {
        let scheduler = bench.scheduler()
        var queue = JobQueue()
        func count(of client: ClientKey) -> Int {
            var count = 0
            while queue.enter(Piece("a", for: client, 1, on: scheduler, bench)) { count += 1 }
            return count
        }
        #expect(count(of: alice) == 1_024)
        #expect(count(of: bob) == 1_024)
        #expect(count(of: .host) == 2_048)
    }

    // MARK: Canceling

    @Test func aJobThatHasNotStartedInTimeBehindOthersOfItsClientIsCanceled() async throws {
        let scheduler = bench.scheduler(longestStart: .milliseconds(1))
        enter("a", for: alice, 1, on: scheduler)
        enter("x", for: bob, 1, on: scheduler)
        enter("b", for: alice, 1, on: scheduler)
        while scheduler.jobCount == 3 { await Task.yield() }
        bench.run()
        #expect(bench.notes == ["b: \(FairScheduler.StopReason.tooBusy)", "a", "x"])
    }

    @Test func aWaitingJobStartsWhenAnotherIsCanceled() {
        let scheduler = bench.scheduler()
        let paused = (0..<8).map { Piece("\($0)", for: alice, 1, on: scheduler, bench, isPaused: true) }
        for job in paused { #expect(scheduler.enter(job)) }
        enter("a", for: alice, 1, on: scheduler)
        bench.run()
        #expect(bench.notes.joined() == "01234567")
        paused[3].cancel(.abandoned)
        bench.run()
        #expect(bench.notes == ["3: \(FairScheduler.StopReason.abandoned)", "a"])
    }

    @Test func aJobWithoutAWaitingCallerIsCanceledInItsTurn() {
        let scheduler = bench.scheduler()
        let (gone, other) = (
            Piece("a", for: alice, 9, on: scheduler, bench), Piece("b", for: alice, 1, on: scheduler, bench)
        )
        #expect(scheduler.enter(gone))
        #expect(scheduler.enter(other))
        gone.abandon()
        bench.run()
        #expect(bench.notes == ["a: \(FairScheduler.StopReason.abandoned)", "b"])
    }

    @Test func allJobsEndWithTheServer() {
        let scheduler = bench.scheduler()
        enter("a", for: alice, 5, on: scheduler)
        let stopping = Piece("x", for: bob, 5, on: scheduler, bench) { left in if left == 4 { scheduler.cancel() } }
        #expect(scheduler.enter(stopping))
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
