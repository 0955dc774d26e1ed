import Dispatch
import SeededGenerator
import SessionFixtures
import Synchronization

@testable import CoordinateSessions

/// FairScheduler that a test runs, with a clock that it moves.
final class Workbench: Sendable {
    private struct State {
        var now = ContinuousClock.now
        var work: [@Sendable () -> Void] = []
        var notes: [String] = []
        var tick: @Sendable () -> Duration = { .zero }
    }

    private let state = Mutex(State())

    /// - Parameter tick: The time that passes with each reading of the clock.
    init(tick: @escaping @Sendable () -> Duration = { .zero }) { state.withLock { $0.tick = tick } }

    /// Creates a bench whose slices end at random.
    convenience init(seed: UInt64) {
        let generator = Mutex(SeededGenerator(state: seed))
        self.init { .microseconds(generator.withLock { Int.random(in: 0...900, using: &$0) }) }
    }

    func scheduler(_ count: Int = 1, longestStart: DispatchTimeInterval = .never) -> FairScheduler {
        FairScheduler(
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

    func record(_ text: String) { state.withLock { $0.notes.append(text) } }

    /// The notes since the last call.
    var notes: [String] {
        state.withLock { state in
            defer { state.notes = [] }
            return state.notes
        }
    }

    /// Runs the lanes until no job is left, or a condition holds. Returns the number of slices.
    @discardableResult
    func run(until isDone: () -> Bool = { false }) -> Int {
        var slices = 0
        while !isDone(), let work = state.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) {
            slices += 1
            work()
        }
        return slices
    }
}

/// Begins a request whose steps run on the thread that causes them, such as that of a bench.
func begin<Value: Sendable>(_ request: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error> {
    Task.immediate(executorPreference: InlineExecutor.shared, operation: request)
}
