internal import Synchronization

/// A request whose connection is suspended until there is an answer: from whoever has it, or, past its time, from a
/// closure that stands in.
final class ParkedRequest: Sendable {
    private enum Phase {
        case arriving
        case waiting
        /// The stand-in is being asked.
        case expiring
        /// To be resumed for an answer.
        case answered(HTTPResponse)
        /// To be resumed, so that the connection is closed.
        case abandoned
        case resumed
    }

    private struct State {
        var phase = Phase.arriving
        var suspension: Suspension
        var onExpiry: (@Sendable () -> Void)?
        var hasExpired = false
        /// When the client closed its side.
        var leftAt: ContinuousClock.Instant?
    }

    /// How long a client that has closed its side is believed to still wait for an answer that is being made. That it has
    /// only said all that it has to say looks the same as that it is gone.
    static let faith = Duration.seconds(5)

    private let room: WaitingRoom
    /// Whether a server that begins to stop still waits for the answer.
    private let isWorkedOn: Bool
    private let otherwise: @Sendable () -> HTTPResponse
    private let allowance: HTTPAllowance?
    /// What it takes as long as anybody holds it, in bytes: some of its own, and what was made of the body, of which
    /// each byte can be a value.
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

    /// Answers, unless that has been done.
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

    /// Has the stand-in asked for the answer, unless there is one by then.
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

    /// Has something done when it expires; at once if it has.
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

    /// Takes it out of everyone else's hands.
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
