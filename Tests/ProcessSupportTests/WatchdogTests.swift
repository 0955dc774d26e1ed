import Foundation
import Synchronization
import Testing

@testable import ProcessSupport

@Suite(.serialized)
struct WatchdogTests {
    @Test func aThreadThatWaitsLongIsStuckUntilItContinues() async {
        let (thread, gate) = (BackgroundThread(name: "test"), DispatchSemaphore(value: 0))
        let (stalls, reports) = AsyncStream.makeStream(of: Watchdog.Stall.self)
        let watchdog = Watchdog(
            [.init("lane", [thread])], onStall: { reports.yield($0) }, onStandstill: { _, _ in })
        thread.async { gate.wait() }

        let stall = await stalls.first { _ in true }

        #expect(stall?.group == "lane")
        #expect(stall.map { $0.time >= .seconds(1) } == true)
        #expect(ThreadNote.isStuck(thread.thread))
        gate.signal()
        while ThreadNote.isStuck(thread.thread) { await Task.yield() }
        withExtendedLifetime(watchdog) {}
    }

    /// Of the time between two looks, what a thread without progress has not spent waiting for a processor.
    @Test(arguments: [(isReady: true, used: 40, own: 40), (true, 0, 0), (true, 400, 250), (false, 40, 250)])
    func timeInWhichAThreadWaitsForAProcessorIsNotItsOwn(isReady: Bool, used: Int, own: Int) {
        let former = ThreadUsage(isReady: true, processorTime: .seconds(7))
        let usage = ThreadUsage(isReady: isReady, processorTime: .seconds(7) + .milliseconds(used))
        #expect(usage.ownTime(in: .milliseconds(250), since: former) == .milliseconds(own))
    }

    @Test func theSystemReportsTheTimeThatAThreadUses() async throws {
        let thread = BackgroundThread(name: "test (a)")
        let usage = await withCheckedContinuation { continuation in
            thread.async {
                let file = ThreadUsageFile(of: thread.systemThread)
                var usage = file.usage
                while let now = usage, now.processorTime < .milliseconds(20) { usage = file.usage }
                continuation.resume(returning: usage)
            }
        }
        #expect(try #require(usage).isReady)
    }

    /// Threads that keep all processors busy leave almost no time for a thread with low priority. They also disturb all
    /// other tests, so this runs only with `WATCHDOG_LOAD`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["WATCHDOG_LOAD"] != nil))
    func aThreadWithoutAProcessorIsNotStuck() async throws {
        let thread = BackgroundThread(name: "test")
        let stalls = Mutex(0)
        let watchdog = Watchdog(
            [.init("lane", [thread])], onStall: { _ in stalls.withLock { $0 += 1 } }, onStandstill: { _, _ in })
        let others = BusyThreads(4 * ProcessInfo.processInfo.activeProcessorCount)

        let used = await withCheckedContinuation { continuation in
            thread.async {
                let end = ContinuousClock.now + .seconds(2)
                while ContinuousClock.now < end {}
                continuation.resume(returning: ThreadUsageFile(of: thread.systemThread).usage?.processorTime)
            }
        }

        others.stop()
        let time = try #require(used)
        if time < .milliseconds(900) { #expect(stalls.withLock { $0 } == 0, "after \(time) of processor time") }
        withExtendedLifetime(watchdog) {}
    }
}

/// Threads that use all of their processor time.
private final class BusyThreads: Sendable {
    private let isOver = Atomic(false)

    init(_ count: Int) {
        for _ in 0..<count {
            Thread.detachNewThread { [self] in
                while !isOver.load(ordering: .relaxed) {}
            }
        }
    }

    func stop() {
        isOver.store(true, ordering: .relaxed)
    }
}
