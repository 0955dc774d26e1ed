public import Coordinate
internal import CoordinateSessions
internal import Synchronization

/// A clock that a test moves: give it to ``withServer(app:configuration:journal:clock:_:)``.
///
/// ```swift
/// let clock = TestClock()
/// try await withServer(app: MyApp(), clock: clock) { server in
///     let client = server.client()
///     try await client.emit("checkout.begin")
///     clock.advance(by: .seconds(300))
///     try await client.wait { $0.path == "/cart/expired" }
/// }
/// ```
///
/// Its servers use it for all times of their own: the time of events, of timers, and of sessions that expire. Requests
/// that wait, and pauses between attempts at work, use the real time. Several servers may share one clock.
public final class TestClock: Sendable {
    private struct State {
        /// The time since the beginning.
        var passed = Duration.zero
        var servers: [Int: @Sendable () -> Void] = [:]
        var nextServer = 0
    }

    private let beginning: Timestamp
    private let state = Mutex(State())

    /// Makes a clock that stands still until a test moves it.
    ///
    /// - Parameter beginning: The moment it shows at first; by default the beginning of the year 2026, in UTC.
    public init(at beginning: Timestamp = Timestamp(seconds: 1_767_225_600)) {
        self.beginning = beginning
    }

    /// The moment that the clock shows.
    ///
    /// ```swift
    /// #expect(clock.now == Timestamp(seconds: 1_767_225_600))
    /// ```
    public var now: Timestamp { Timestamp(seconds: beginning.seconds + seconds) }

    /// Moves the clock forward. Everything that is due by then has begun when this returns: wait for its outcome.
    ///
    /// ```swift
    /// clock.advance(by: .seconds(60))
    /// try await client.wait { $0.pending.isEmpty }
    /// ```
    ///
    /// - Parameter time: The time to add; nothing happens where it is negative.
    public func advance(by time: Duration) {
        let servers = state.withLock { state in
            state.passed += max(.zero, time)
            return state.servers.sorted { $0.key < $1.key }.map(\.value)
        }
        for lookAtClock in servers { lookAtClock() }
    }

    /// The whole seconds since the beginning.
    private var seconds: Int { Int(state.withLock(\.passed).components.seconds) }

    /// The clock in the form that sessions use. Its uptime has no particular beginning, but is never negative.
    var sessionClock: SessionClock {
        SessionClock(uptime: { self.seconds + 1_000 }, timestamp: { self.now })
    }

    /// Adds a function that is called whenever the clock was moved, until it is removed by `forget(_:)`.
    func add(_ lookAtClock: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextServer += 1
            state.servers[state.nextServer] = lookAtClock
            return state.nextServer
        }
    }

    func forget(_ server: Int) {
        state.withLock { $0.servers[server] = nil }
    }
}
