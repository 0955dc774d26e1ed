public import Coordinate
public import CoordinateClient
internal import CoordinateSessions
internal import Synchronization

/// A clock that a test moves. Pass it to ``withServer(app:configuration:journal:clock:_:)``.
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
/// A server uses it for all its times: of events, timers and expiring sessions, and for time limits of work and pauses
/// between attempts. Work starts and fails by itself, so wait until its delay begins before you advance the clock:
///
/// ```swift
/// try await client.emit("checkout.pay")
/// clock.advance(by: try await clock.retryPause(of: "payment"))
/// clock.advance(by: try await clock.timeLimit(of: "payment"))
/// try await client.settle()
/// ```
///
/// Waiting requests use real time. Several servers may share one clock.
public final class TestClock: Sendable {
    private struct Alarm {
        let delay: WorkDelay
        /// The time since the clock's start.
        let due: Duration
        let action: @Sendable () -> Void
    }

    /// A test that waits until a delay begins.
    private struct Waiter {
        let kind: WorkDelay.Kind
        /// The name of the work; `nil` for any.
        let work: String?
        let remainder: AsyncStream<Duration?>.Continuation

        func isMet(by delay: WorkDelay) -> Bool {
            delay.kind == kind && (work == nil || delay.work == work)
        }
    }

    private struct State {
        /// The time since the start.
        var passed = Duration.zero
        var servers: [Int: @Sendable () -> Void] = [:]
        var alarms: [Int: Alarm] = [:]
        var waiters: [Int: Waiter] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        /// Removes and returns the alarms that are due, in order of their times.
        mutating func removeDueAlarms() -> [Alarm] {
            let due = alarms.filter { $0.value.due <= passed }
            for number in due.keys { alarms[number] = nil }
            return due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.map(\.value)
        }
    }

    private let beginning: Timestamp
    private let state = Mutex(State())

    /// Creates a clock that stands still until a test moves it.
    ///
    /// - Parameter beginning: The initial time, by default the start of the year 2026, in UTC.
    public init(at beginning: Timestamp = Timestamp(seconds: 1_767_225_600)) {
        self.beginning = beginning
    }

    /// The time that the clock shows.
    ///
    /// ```swift
    /// #expect(clock.now == Timestamp(seconds: 1_767_225_600))
    /// ```
    public var now: Timestamp { Timestamp(seconds: beginning.seconds + seconds) }

    /// Moves the clock forward. Everything that is due by then has begun when this returns; wait for its outcome. Work
    /// whose pause ends starts its next attempt, whose time limit begins now.
    ///
    /// ```swift
    /// clock.advance(by: .seconds(60))
    /// try await client.wait { $0.pending.isEmpty }
    /// ```
    ///
    /// - Parameter time: The time to add. A negative time has no effect.
    public func advance(by time: Duration) {
        let (alarms, servers) = state.withLock { state in
            state.passed += max(.zero, time)
            return (state.removeDueAlarms(), state.servers.sorted { $0.key < $1.key }.map(\.value))
        }
        for alarm in alarms { alarm.action() }
        for lookAtClock in servers { lookAtClock() }
    }

    /// Waits until work is running, and returns the remainder of its time limit.
    ///
    /// ```swift
    /// clock.advance(by: try await clock.timeLimit(of: "payment"))
    /// ```
    ///
    /// - Parameters:
    ///   - work: The name of the work; `nil` for any.
    ///   - limit: The longest time to wait, in real time.
    /// - Throws: ``NoSuchDelay`` if no such work is running by then.
    public func timeLimit(
        of work: String? = nil, atMost limit: Duration = .seconds(60),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Duration {
        try await remainder(
            of: .timeLimit, of: work, atMost: limit,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Waits until an attempt at work has failed and another one is scheduled, and returns the remainder of the pause
    /// before it.
    ///
    /// ```swift
    /// #expect(try await clock.retryPause(of: "payment") == .seconds(1))
    /// clock.advance(by: .seconds(1))
    /// ```
    ///
    /// - Parameters:
    ///   - work: The name of the work; `nil` for any.
    ///   - limit: The longest time to wait, in real time.
    /// - Throws: ``NoSuchDelay`` if no such work is pausing by then.
    public func retryPause(
        of work: String? = nil, atMost limit: Duration = .seconds(60),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Duration {
        try await remainder(
            of: .retryPause, of: work, atMost: limit,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    private func remainder(
        of kind: WorkDelay.Kind, of work: String?, atMost limit: Duration, from callSite: CallSite
    ) async throws -> Duration {
        let (remainders, continuation) = AsyncStream.makeStream(of: Duration?.self)
        let waiter = Waiter(kind: kind, work: work, remainder: continuation)
        let (number, present) = state.withLock { state in
            let number = state.nextNumber()
            let alarm = state.alarms.sorted { $0.key < $1.key }.map(\.value).first { waiter.isMet(by: $0.delay) }
            if alarm == nil { state.waiters[number] = waiter }
            return (number, alarm.map { $0.due - state.passed })
        }
        if let present { return present }
        defer { state.withLock { $0.waiters[number] = nil } }
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            continuation.yield(nil)
        }
        defer { timer.cancel() }
        let remainder = await remainders.first { _ in true } ?? nil
        try Task.checkCancellation()
        guard let remainder else {
            throw NoSuchDelay(isPause: kind == .retryPause, work: work, limit: limit, callSite: callSite)
        }
        return remainder
    }

    /// The whole seconds since the start.
    private var seconds: Int { Int(state.withLock(\.passed).components.seconds) }

    /// The clock for sessions. Its uptime has an arbitrary start, but is never negative.
    var sessionClock: SessionClock {
        SessionClock(
            uptime: { self.seconds + 1_000 }, timestamp: { self.now },
            alarm: { delay, action in
                guard delay.length > .zero else {
                    action()
                    return {}
                }
                let number = self.schedule(delay, action)
                return { self.state.withLock { $0.alarms[number] = nil } }
            })
    }

    private func schedule(_ delay: WorkDelay, _ action: @escaping @Sendable () -> Void) -> Int {
        let (number, waiters) = state.withLock { state in
            let number = state.nextNumber()
            state.alarms[number] = Alarm(delay: delay, due: state.passed + delay.length, action: action)
            return (number, state.waiters.values.filter { $0.isMet(by: delay) })
        }
        for waiter in waiters { waiter.remainder.yield(delay.length) }
        return number
    }

    /// Inserts a function that is called after each move of the clock, until `remove(_:)` removes it.
    func insert(_ lookAtClock: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            let number = state.nextNumber()
            state.servers[number] = lookAtClock
            return number
        }
    }

    func remove(_ server: Int) {
        state.withLock { $0.servers[server] = nil }
    }
}

/// The error for work that did not run, or did not pause before another attempt, while a test waited for it.
public struct NoSuchDelay: ClientError {
    /// Whether the test waited for a pause, not for a time limit.
    public let isPause: Bool
    /// The name of the work; `nil` for any.
    public let work: String?
    /// The time for which the test waited.
    public let limit: Duration
    public let callSite: CallSite

    public var message: String {
        let work = work.map { "No work \"\($0)\"" } ?? "No work"
        return isPause
            ? "\(work) paused before another attempt within \(limit). Check that it failed and has a retry policy."
            : "\(work) ran within \(limit). Check that an event requests it, and that the server uses this clock."
    }
}
