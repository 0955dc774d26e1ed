import Dispatch
import SeededGenerator
import Synchronization

@testable import CoordinateSessions

/// Lanes that a test moves, by a clock of its own.
final class Workbench: Sendable {
    private struct State {
        var now = ContinuousClock.now
        var work: [@Sendable () -> Void] = []
        var notes: [String] = []
        var tick: @Sendable () -> Duration = { .zero }
    }

    private let state = Mutex(State())

    /// - Parameter tick: How much time passes whenever somebody looks at the clock.
    init(tick: @escaping @Sendable () -> Duration = { .zero }) {
        state.withLock { $0.tick = tick }
    }

    /// A bench whose slices are over at random.
    convenience init(seed: UInt64) {
        let generator = Mutex(SeededGenerator(state: seed))
        self.init { .microseconds(generator.withLock { Int.random(in: 0...900, using: &$0) }) }
    }

    func lanes(_ count: Int = 1, longestStart: DispatchTimeInterval = .never) -> Lanes {
        Lanes(
            count: count,
            clock: {
                self.state.withLock { state in
                    state.now += state.tick()
                    return state.now
                }
            },
            longestStart: longestStart,
            on: { _, work in self.state.withLock { $0.work.append(work) } })
    }

    func pass(_ time: Duration) { state.withLock { $0.now += time } }

    func note(_ text: String) { state.withLock { $0.notes.append(text) } }

    /// What was noted since this was asked for last.
    var notes: [String] {
        state.withLock { state in
            defer { state.notes = [] }
            return state.notes
        }
    }

    /// Has the lanes do all there is to do. Returns whether there was anything.
    @discardableResult
    func run() -> Bool {
        var hasRun = false
        while let work = state.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) {
            hasRun = true
            work()
        }
        return hasRun
    }
}

/// Somebody who asks for something, and may leave.
final class Asker: Awaited {
    private let isHere = Atomic(true)

    var isAwaited: Bool { isHere.load(ordering: .relaxed) }

    func leave() { isHere.store(false, ordering: .relaxed) }
}
