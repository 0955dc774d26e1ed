internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Dispatch
internal import Synchronization

extension SessionTools {
    /// The longest time that a client can wait, in seconds.
    private static let longestWait = 30.0

    func wait(_ arguments: ToolArguments) throws(ToolError) -> ToolRun {
        guard let until = try arguments.choice("until", of: ["settled", "changed"]) else {
            throw .malformed("The argument \"until\" must be \"settled\" or \"changed\".", pointer: "/until")
        }
        let version = try arguments.int("version", in: 0...Int.max)
        let seconds = try arguments.seconds("seconds", upTo: Self.longestWait) ?? 10
        return .waiting(
            WaitingCall(
                self, for: try session(in: arguments), since: version, waitsUntilSettled: until == "settled",
                atMost: seconds))
    }
}

/// A call of the tool `wait`. In the meantime, it occupies no thread and keeps no route.
final class WaitingCall: Sendable {
    private struct State {
        /// The version since which changes are listed; `nil` before the session is found, if the client named none.
        var since: Int?
        /// The registration as a follower of the session; `nil` before it is complete.
        var following: (session: Session, id: FollowerID)?
        var isOver = false
    }

    let time: Duration
    private let tools: SessionTools
    private let session: Future<Session, ToolError>
    private let waitsUntilSettled: Bool
    private let promise = Promise<[UInt8], ToolError>()
    private let state: Mutex<State>

    init(
        _ tools: SessionTools, for session: Future<Session, ToolError>, since version: Int?, waitsUntilSettled: Bool,
        atMost seconds: Double
    ) {
        self.tools = tools
        self.session = session
        self.waitsUntilSettled = waitsUntilSettled
        time = .milliseconds(Int(seconds * 1_000))
        state = Mutex(State(since: version))
    }

    /// Begins to wait. The result is the session as it is when the waiting ends.
    func begin() -> Future<[UInt8], ToolError> {
        session.whenDone(on: tools.executor) { result in
            switch result {
            case .failure(let error): self.promise.fulfil(.failure(error))
            case .success(let session): self.follow(session)
            }
        }
        return .later(promise)
    }

    private func follow(_ session: Session) {
        let follower = Follower { version, route in
            guard self.isMet(by: version, route) else { return true }
            self.tools.executor.enqueue { self.finish(session, version, route) }
            return false
        } didEnd: { hasEnded in
            self.tools.executor.enqueue { self.fail(hasEnded ? .session(.hasEnded) : .interrupted) }
        }
        if time > .zero {
            let end = DispatchTime.now() + .milliseconds(Int(time / .milliseconds(1)))
            DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in self?.end() }
        }
        session.follow(follower, for: tools.key) { version, route in
            let since = self.state.withLock { state in
                state.since = state.since ?? version
                return state.since ?? version
            }
            guard since <= version else {
                self.tools.executor.enqueue { self.fail(.session(.unknownVersion(current: version))) }
                return false
            }
            guard self.time > .zero else {
                self.tools.executor.enqueue { self.finish(session, version, route) }
                return false
            }
            return follower.didCommit(version, route)
        }.whenDone(on: tools.executor) { result in
            switch result {
            case .failure(let error): self.fail(.session(error))
            case .success(let id?): self.setFollower(id, of: session)
            case .success(nil): break
            }
        }
    }

    private func isMet(by version: Int, _ route: any EncodedRoute) -> Bool {
        waitsUntilSettled ? route.published.isSettled : version != state.withLock { $0.since }
    }

    private func setFollower(_ follower: FollowerID, of session: Session) {
        let isOver = state.withLock { state in
            if !state.isOver { state.following = (session, follower) }
            return state.isOver
        }
        if isOver { session.unfollow(follower, for: tools.key) }
    }

    // MARK: The end

    /// Ends the waiting, with the session as it is now.
    func end() {
        guard !state.withLock(\.isOver) else { return }
        session.whenDone(on: tools.executor) { result in
            guard case .success(let session) = result else { return }
            session.route(for: self.tools.key).whenDone(on: self.tools.executor) { reading in
                switch reading {
                case .success(.route(let version, let route)): self.finish(session, version, route)
                case .success(.unchanged): self.fail(.interrupted)
                case .failure(let error): self.fail(.session(error))
                }
            }
        }
    }

    /// Ends the waiting of a client that no longer wants the result.
    func cancel() {
        fail(.session(.abandoned))
    }

    private func fail(_ error: ToolError) {
        if stop() { promise.fulfil(.failure(error)) }
    }

    /// Returns whether the call still waited. It no longer follows the session.
    private func stop() -> Bool {
        let (wasOver, following) = state.withLock { state in
            defer { (state.isOver, state.following) = (true, nil) }
            return (state.isOver, state.following)
        }
        if let following { following.session.unfollow(following.id, for: tools.key) }
        return !wasOver
    }

    private func finish(_ session: Session, _ version: Int, _ route: any EncodedRoute) {
        guard stop() else { return }
        let since = state.withLock { $0.since } ?? version
        let route = route.published
        let host = tools.sessions.host
        let older = since == version ? .now(route) : tools.route(of: session, at: since)
        // On a lane, because documents may be large.
        older.whenDone(on: host.scheduler) { older in
            // Replies to many clients may be created at once.
            guard !host.budget.isFull else { return self.promise.fulfil(.failure(.session(.memoryIsFull))) }
            self.promise.fulfil(
                older.map {
                    ScreenDocument.encode(route, changed: ScreenChanges.phrases(from: $0.visible, to: route.visible))
                })
        }
    }
}

/// Notifies a waiting call of each version.
private final class Follower: SessionFollower {
    private let commit: @Sendable (Int, any EncodedRoute) -> Bool
    private let end: @Sendable (_ hasEnded: Bool) -> Void

    init(
        _ commit: @escaping @Sendable (Int, any EncodedRoute) -> Bool,
        didEnd end: @escaping @Sendable (_ hasEnded: Bool) -> Void
    ) {
        self.commit = commit
        self.end = end
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool { commit(version, route) }
    func didEnd() { end(true) }
    func wasReleased() { end(false) }
}
