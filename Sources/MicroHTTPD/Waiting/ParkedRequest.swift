internal import Synchronization

/// A request whose connection is suspended until it is answered, or, when its time is over, its `otherwise` closure has
/// made the response.
final class ParkedRequest: Sendable {
    private enum Phase {
        case arriving
        case waiting
        /// The `otherwise` closure is being called.
        case expiring
        /// The connection has to be resumed for an answer.
        case answered(HTTPResponse)
        /// The connection has to be resumed, to be closed.
        case abandoned
        case resumed
    }

    private struct State {
        var phase = Phase.arriving
        var suspension: Suspension
        var onExpiry: (@Sendable () -> Void)?
        var hasExpired = false
        /// The time at which the client closed its sending side.
        var leftAt: ContinuousClock.Instant?
    }

    /// The time for which a client that has closed its sending side is expected to still wait for an answer that is
    /// being made. A client that has just sent everything looks the same as one that is gone.
    static let faith = Duration.seconds(5)

    private let room: WaitingRoom
    /// True where a server that begins to stop still waits for the answer.
    private let isWorkedOn: Bool
    private let otherwise: @Sendable () -> HTTPResponse
    private let allowance: HTTPAllowance?
    /// The memory that it takes as long as anybody holds it, in bytes: some of its own, and the values made from the
    /// body, in which each byte may be one.
    private let size: Int
    private let state: Mutex<State>

    init(
        _ request: borrowing HTTPRequest,
        in room: WaitingRoom,
        isWorkedOn: Bool,
        otherwise: @escaping @Sendable () -> HTTPResponse,
        allowance: HTTPAllowance? = nil
    ) {
        self.allowance = allowance
        size = 2_048 + 16 * request.connection.body.count
        allowance?.use(size)
        self.room = room
        self.isWorkedOn = isWorkedOn
        self.otherwise = otherwise
        state = Mutex(State(suspension: Suspension(of: request)))
    }

    deinit {
        allowance?.use(-size)
    }

    var isWaiting: Bool {
        state.withLock { state in if case .waiting = state.phase { true } else { false } }
    }

    /// Suspends the connection; false if the server has stopped in the meantime. For the worker thread alone.
    func suspend() -> Bool {
        state.withLock { state in
            guard case .arriving = state.phase else { return false }
            state.suspension.connection.stage = .parked
            state.suspension.begin()
            state.phase = .waiting
            return true
        }
    }

    /// Answers the request, unless that has been done.
    func answer(with response: HTTPResponse) -> Bool {
        let isFirst = state.withLock { state in
            guard case .waiting = state.phase else { return false }
            state.phase = .answered(response)
            state.onExpiry = nil
            return true
        }
        if isFirst { room.ready(self) }
        return isFirst
    }

    /// Has the `otherwise` closure called, unless there is an answer by then.
    func expireSoon() {
        room.notify { self.expire() }
    }

    private func expire() {
        guard advance(to: .expiring) else { return }
        let response = otherwise()
        state.withLock { $0.phase = .answered(response) }
        room.ready(self)
        notifyOfExpiry()
    }

    /// Sets a closure that is called when it expires; at once if it has.
    func whenExpired(_ action: @escaping @Sendable () -> Void) {
        let hasExpired = state.withLock { state in
            switch state.phase {
            case .arriving, .waiting: state.onExpiry = action
            case .expiring, .answered, .abandoned, .resumed: break
            }
            return state.hasExpired
        }
        if hasExpired { room.notify(action) }
    }

    /// Moves on from waiting, where nothing else has done so first.
    private func advance(to phase: Phase) -> Bool {
        state.withLock { state in
            guard case .waiting = state.phase else { return false }
            state.phase = phase
            state.hasExpired = true
            return true
        }
    }

    private func notifyOfExpiry() {
        let action = state.withLock { state in
            defer { state.onExpiry = nil }
            return state.onExpiry
        }
        if let action { room.notify(action) }
    }
}

extension ParkedRequest: Suspendable {
    var watchedSocket: Int32? {
        state.withLock { state in
            if case .waiting = state.phase { state.suspension.socket } else { nil }
        }
    }

    func resume() {
        let isResumed = state.withLock { state in
            switch state.phase {
            case .answered(let response): state.suspension.connection.stage = .answered(response)
            case .abandoned: break
            case .arriving, .waiting, .expiring, .resumed: return false
            }
            state.phase = .resumed
            if state.suspension.isActive { state.suspension.end() }
            return true
        }
        if isResumed { room.leave(self) }
    }

    func clientLeft(isGone: Bool) {
        let isBelieved = state.withLock { state in
            let leftAt = state.leftAt ?? .now
            state.leftAt = leftAt
            return isWorkedOn && !isGone && leftAt.duration(to: .now) < Self.faith
        }
        if !isBelieved, advance(to: .abandoned) { notifyOfExpiry() }
    }

    func timeHasCome(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let isArriving = state.withLock { state in if case .arriving = state.phase { true } else { false } }
        guard !isArriving else { return now }
        expireSoon()
        return nil
    }

    func serverStops() {
        if !isWorkedOn { expireSoon() }
    }

    func serverHasAnswered() {}

    func serverHasStopped() -> Connection? {
        let connection: Connection? = state.withLock { state in
            switch state.phase {
            case .arriving: state.phase = .abandoned  // Its worker asks the stand-in.
            case .waiting, .expiring, .answered: break
            case .abandoned, .resumed: return nil
            }
            return state.suspension.connection
        }
        expireSoon()
        return connection
    }
}
