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
/// Its servers go by it in all that is theirs: the time of events, when a timer is due, when a session expires. Requests
/// that wait, and pauses between attempts at work, take the time they take. Several servers may share one.
public final class TestClock: Sendable {
    private struct State {
        /// Since the beginning.
        var passed = Duration.zero
        var servers: [Int: @Sendable () -> Void] = [:]
        var nextServer = 0
    }

    private let beginning: Timestamp
    private let state = Mutex(State())

    /// Makes a clock that stands still.
    ///
    /// - Parameter beginning: By default the beginning of the year 2026, in UTC.
    public init(at beginning: Timestamp = Timestamp(seconds: 1_767_225_600)) {
        self.beginning = beginning
    }

    /// The moment it shows.
    ///
    /// ```swift
    /// #expect(clock.now == Timestamp(seconds: 1_767_225_600))
    /// ```
    public var now: Timestamp { Timestamp(seconds: beginning.seconds + seconds) }

    /// Moves it on. What is due by then is begun before this returns: wait for what comes of it.
    ///
    /// ```swift
    /// clock.advance(by: .seconds(60))
    /// try await client.wait { $0.pending.isEmpty }
    /// ```
    ///
    /// - Parameter time: Nothing happens where it is below zero.
    public func advance(by time: Duration) {
        let servers = state.withLock { state in
            state.passed += max(.zero, time)
            return state.servers.sorted { $0.key < $1.key }.map(\.value)
        }
        for lookAtClock in servers { lookAtClock() }
    }

    /// The whole seconds since the beginning.
    private var seconds: Int { Int(state.withLock(\.passed).components.seconds) }

    /// The clock as sessions know it. Their uptime has no particular beginning, but is never below zero.
    var sessionClock: SessionClock {
        SessionClock(uptime: { self.seconds + 1_000 }, timestamp: { self.now })
    }

    /// Has somebody look at the clock whenever it was moved, until they are forgotten.
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
