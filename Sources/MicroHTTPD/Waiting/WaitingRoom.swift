internal import CMicroHTTPD
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The keeper of suspended connections: of streams, and of requests that wait for their answer.
///
/// Each resume makes its worker go through all its suspended connections. So they are not resumed one by one but on a
/// *tick*, all that are ready together: right away after a quiet time, else after a pause since the last tick that is
/// the longer the more there are. Once a second the sockets of the suspended are asked whether their clients are still
/// there, since libmicrohttpd does not look. An empty room does nothing at all.
///
/// ## What may touch a connection when
///
/// - Its worker suspends it, under the lock of what waits for it. This room's one thread resumes it, under the same
///   lock. So what is suspended when that thread looks at it remains so until that thread itself resumes it, and with
///   it the connection and its socket's number.
/// - At any other time it is its worker's alone, from the `Connection`'s first notification to its last. Between
///   the handler's answer and the completed callback, `Connection.stage` belongs to the worker, but for the moment
///   before a resume, when it is this thread's.
/// - A socket may be shut down by anyone at any time, under the lock of its `ConnectionTimeout`.
///
/// ## The order of locks
///
/// 1. libmicrohttpd's lock of a response, around its reader;
/// 2. the lock of one stream or parked request;
/// 3. the lock of a `ConnectionTimeout`, or libmicrohttpd's lock of a worker's connections.
///
/// The room's own lock and the registry's are taken with no other held, and none is taken within them. The owner's
/// closures are called with no lock held: `begin` on the worker, all others on a thread of their own, but for a
/// stand-in whose request came too late to be suspended, which its worker asks.
final class WaitingRoom: Sendable {
    enum Phase {
        case open
        /// The server is stopping: parked requests wait no longer, and answers that are being made are waited for.
        case closing
        /// Pieces that are sent now are the last.
        case ending
        /// No connection may be suspended any longer.
        case closed
    }

    private struct State {
        var phase = Phase.open
        var guests: [ObjectIdentifier: any Suspendable] = [:]
        var deadlines = Deadlines<ObjectIdentifier>()
        var ready: [any Suspendable] = []
        var isTickComing = false
        var lastTick: ContinuousClock.Instant?
        var nextWatch = ContinuousClock.now
        var alarm: (any DispatchSourceTimer)?
        /// The time at which the alarm goes off; nil where it is not set.
        var alarmTime: ContinuousClock.Instant?
    }

    /// The interval at which the clients of suspended connections are checked.
    static let watchPeriod = Duration.seconds(1)

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "MicroHTTPD.WaitingRoom")
    private let notices = DispatchQueue(label: "MicroHTTPD.WaitingRoom.notices")

    init() {
        state.withLock { state in
            let alarm = DispatchSource.makeTimerSource(queue: queue)
            alarm.setEventHandler { [weak self] in self?.lookAround() }
            alarm.activate()
            state.alarm = alarm
        }
    }

    deinit {
        state.withLock { $0.alarm?.cancel() }
    }

    var phase: Phase { state.withLock { $0.phase } }

    /// Admits a guest, unless the room is closed; it has to leave again. Returns the phase in which it came.
    func admit(_ guest: any Suspendable, until time: ContinuousClock.Instant? = nil) -> Phase {
        state.withLock { state in
            guard state.phase != .closed else { return .closed }
            if state.guests.isEmpty { state.nextWatch = .now + Self.watchPeriod }
            state.guests[ObjectIdentifier(guest)] = guest
            if let time { state.deadlines.enter(ObjectIdentifier(guest), at: time) }
            setAlarm(&state, to: time)
            return state.phase
        }
    }

    func leave(_ guest: any Suspendable) {
        let left = state.withLock { state in
            state.deadlines.remove(ObjectIdentifier(guest))
            return state.guests.removeValue(forKey: ObjectIdentifier(guest))
        }
        // Let go of outside the lock.
        _ = left
    }

    /// Has a guest resumed on the next tick.
    func ready(_ guest: any Suspendable) {
        let wait: Duration? = state.withLock { state in
            state.ready.append(guest)
            guard !state.isTickComing else { return nil }
            state.isTickComing = true
            return state.lastTick.map { $0 + Self.pause(among: state.guests.count) - .now } ?? .zero
        }
        guard let wait else { return }
        if wait <= .zero {
            queue.async { self.resumeReady() }
        } else {
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))) { self.resumeReady() }
        }
    }

    /// The least time from one tick to the next.
    ///
    /// It is many times what a worker takes to go through so many connections, and too short to be noticed.
    static func pause(among guests: Int) -> Duration {
        .microseconds(min(max(2 * guests, 50), 10_000))
    }

    /// Calls a closure of the owner's, which may wait for locks: neither the caller nor the room's thread wait for it.
    func notify(_ notice: @escaping @Sendable () -> Void) {
        notices.async(execute: notice)
    }

    // MARK: Stopping

    /// Tells all guests, and those that come later, that the server stops. Streams go on, as they may have to report
    /// effects of answers that are being made.
    func beginClosing() {
        for guest in enter(.closing) { guest.serverStops() }
    }

    /// Ends streams after their queued pieces: no answer is being made any more.
    func endStreams() {
        for guest in enter(.ending) { guest.serverHasAnswered() }
    }

    private func enter(_ phase: Phase) -> [any Suspendable] {
        state.withLock { state in
            state.phase = phase
            return Array(state.guests.values)
        }
    }

    /// Ends all guests that are left. When this returns, no connection is suspended, nor will be.
    ///
    /// - Returns: The connections on which an answer is still to be sent.
    func close() -> [Connection] {
        let (guests, connections) = queue.sync {
            let guests = state.withLock { state in
                state.phase = .closed
                return Array(state.guests.values)
            }
            let connections = guests.compactMap { $0.serverHasStopped() }
            for guest in guests { guest.resume() }
            return (guests, connections)
        }
        // The stand-ins are asked.
        finish()
        // All of them, not only those that are ready: one may just have been answered, and not be marked as ready yet.
        queue.sync {
            for guest in guests { guest.resume() }
        }
        return connections
    }

    /// Returns when the owner's closures have been called.
    func finish() {
        notices.sync {}
    }

    // MARK: On the room's thread

    private func resumeReady() {
        let ready = state.withLock { state in
            state.isTickComing = false
            state.lastTick = .now
            return exchange(&state.ready, with: [])
        }
        for guest in ready { guest.resume() }
    }

    private func lookAround() {
        let now = ContinuousClock.now
        let (due, isWatchDue) = state.withLock { state in
            state.alarmTime = nil
            let isWatchDue = state.nextWatch <= now
            if isWatchDue { state.nextWatch = now + Self.watchPeriod }
            return (state.deadlines.removeDue(by: now).compactMap { state.guests[$0] }, isWatchDue)
        }
        let next = due.map { ($0, $0.timeHasCome(now)) }
        if isWatchDue { findLeavers() }
        state.withLock { state in
            for (guest, time) in next where state.guests[ObjectIdentifier(guest)] != nil {
                if let time { state.deadlines.enter(ObjectIdentifier(guest), at: time) }
            }
            setAlarm(&state, to: state.deadlines.next)
        }
    }

    private func findLeavers() {
        var sockets: [pollfd] = []
        var watched: [any Suspendable] = []
        for guest in state.withLock({ Array($0.guests.values) }) {
            guard let socket = guest.watchedSocket else { continue }
            // That a client is gone altogether, poll reports in any case.
            sockets.append(pollfd(fd: socket, events: cmhd_peer_closed, revents: 0))
            watched.append(guest)
        }
        guard unsafe poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return }
        for (socket, guest) in zip(sockets, watched) where socket.revents != 0 {
            guest.clientLeft(isGone: socket.revents & Int16(POLLERR | POLLHUP) != 0)
            guest.resume()
        }
    }

    /// Sets the alarm to a time, unless it goes off earlier. Call it with the lock held.
    private func setAlarm(_ state: inout State, to time: ContinuousClock.Instant?) {
        guard !state.guests.isEmpty else { return }
        let time = min(time ?? state.nextWatch, state.nextWatch)
        if let alarmTime = state.alarmTime, alarmTime <= time { return }
        state.alarmTime = time
        let wait = max(.zero, time - .now)
        state.alarm?.schedule(
            deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1))), leeway: .milliseconds(1))
    }
}

/// Replaces a value, and returns the old one.
private func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
    let old = place
    place = value
    return old
}

/// A guest of the `WaitingRoom`, which suspends its connection at times: a stream, or a parked request.
///
/// All methods but `serverStops()` and `serverHasAnswered()` are called on the room's thread, and all with no lock
/// held.
protocol Suspendable: AnyObject, Sendable {
    /// The socket to be watched for a client that leaves: nil unless the connection is suspended.
    var watchedSocket: Int32? { get }

    /// Resumes the connection, if it is suspended and there is a reason to.
    func resume()

    /// Called when the client closed its sending side while the connection was suspended, and about once a second from
    /// then on.
    ///
    /// - Parameter isGone: True where it certainly reads nothing any more.
    func clientLeft(isGone: Bool)

    /// Called when the requested time has come. Returns the next one, if any.
    func timeHasCome(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant?

    /// Called when the server is about to stop, on the stopping thread: the guest should end in good order.
    func serverStops()

    /// Called when no answer is being made any more, on the stopping thread: nothing more has to be reported.
    func serverHasAnswered()

    /// Called when the server stops now. The guest must not suspend the connection again, and has to be ready to resume
    /// it with the next call, or once all notices so far are done. Returns the connection if an answer is still to be
    /// sent on it.
    func serverHasStopped() -> Connection?
}
