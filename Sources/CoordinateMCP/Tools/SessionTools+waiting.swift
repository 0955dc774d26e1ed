internal import Coordinate
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

/// A call of the tool `wait`. No thread waits in the meantime.
final class WaitingCall: Sendable {
    private enum Phase {
        case new
        case following(Session, FollowerID)
        case over
    }

    private struct Shown {
        let version: Int
        let document: PlainValue
    }

    let time: Duration
    private let tools: SessionTools
    private let session: Future<Session, ToolError>
    /// The version since which changes are listed; `nil` for the one at the beginning.
    private let version: Int?
    private let waitsUntilSettled: Bool
    private let promise = Promise<[UInt8], ToolError>()
    private let phase = Mutex(Phase.new)
    /// The route at the beginning.
    private let first = Mutex<Shown?>(nil)

    init(
        _ tools: SessionTools, for session: Future<Session, ToolError>, since version: Int?, waitsUntilSettled: Bool,
        atMost seconds: Double
    ) {
        self.tools = tools
        self.session = session
        self.version = version
        self.waitsUntilSettled = waitsUntilSettled
        time = .milliseconds(Int(seconds * 1_000))
    }

    /// Begins to wait. The result is the session as it is when the waiting ends.
    func begin() -> Future<[UInt8], ToolError> {
        session.whenDone(on: tools.executor) { result in
            switch result {
            case .failure(let error): self.promise.fulfil(.failure(error))
            case .success(let session):
                self.tools.route(of: session).whenDone(on: self.tools.executor) { route in
                    switch route {
                    case .failure(let error): self.promise.fulfil(.failure(error))
                    case .success(let route): self.follow(session, from: route)
                    }
                }
            }
        }
        return .later(promise)
    }

    private func follow(_ session: Session, from route: (version: Int, document: PlainValue)) {
        if let version, version > route.version {
            return promise.fulfil(.failure(.session(.unknownVersion(current: route.version))))
        }
        first.withLock { $0 = Shown(version: route.version, document: route.document) }
        let known = version ?? route.version
        guard time > .zero, !isMet(by: route.version, isSettled: Self.isSettled(route.document), known) else {
            return finish(session, route)
        }
        let follower = Follower { version, route in
            let host = self.tools.host
            guard self.isMet(by: version, isSettled: host.isSettled(route), known) else { return true }
            self.tools.executor.enqueue { self.finish(session, (version, host.document(of: route))) }
            return false
        } didEnd: { hasEnded in
            self.tools.executor.enqueue {
                self.promise.fulfil(.failure(hasEnded ? .session(.hasEnded) : .interrupted))
            }
        }
        let end = DispatchTime.now() + .milliseconds(Int(time / .milliseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in self?.end() }
        session.follow(follower, for: tools.key) { follower.didCommit($0, $1) }
            .whenDone(on: tools.executor) { result in
                switch result {
                case .failure(let error): self.promise.fulfil(.failure(.session(error)))
                case .success(let id?): self.note(id, of: session)
                case .success(nil): break
                }
            }
    }

    private func isMet(by version: Int, isSettled: Bool, _ known: Int) -> Bool {
        waitsUntilSettled ? isSettled : version != known
    }

    /// Whether nothing but timers is pending.
    private static func isSettled(_ document: PlainValue) -> Bool {
        (document[field: "pending"]?.elements ?? []).allSatisfy { $0[field: "kind"] == .string("timer") }
    }

    private func note(_ follower: FollowerID, of session: Session) {
        let isOver = phase.withLock { phase in
            if case .over = phase { return true }
            phase = .following(session, follower)
            return false
        }
        if isOver { session.unfollow(follower, for: tools.key) }
    }

    /// Ends the waiting: its time is over, its client has left, or the server is stopping.
    func end() {
        guard promise.result == nil else { return }
        session.whenDone(on: tools.executor) { result in
            guard case .success(let session) = result else { return }
            self.tools.route(of: session).whenDone(on: self.tools.executor) { route in
                switch route {
                case .success(let route): self.finish(session, route)
                case .failure(let error): self.promise.fulfil(.failure(error))
                }
            }
        }
    }

    private func finish(_ session: Session, _ route: (version: Int, document: PlainValue)) {
        let phase = phase.withLock { phase in
            defer { phase = .over }
            return phase
        }
        if case .over = phase { return }
        if case .following(let session, let follower) = phase { session.unfollow(follower, for: tools.key) }
        let first = first.withLock { $0 }
        let since = version ?? first?.version ?? route.version
        if since == route.version { return fulfil(route.document, since: route.document) }
        if let first, first.version == since { return fulfil(route.document, since: first.document) }
        tools.route(of: session, at: since).whenDone(on: tools.executor) { older in
            switch older {
            case .success(let older): self.fulfil(route.document, since: older)
            case .failure(let error): self.promise.fulfil(.failure(error))
            }
        }
    }

    private func fulfil(_ document: PlainValue, since older: PlainValue) {
        let changed = ScreenChanges.phrases(from: older, to: document)
        promise.fulfil(.success(ScreenDocument.encode(document, changed: changed)))
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
