internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Dispatch

extension SessionTools {
    /// The time for which a call of the tool `wait` waits, at most 30 seconds.
    static func waitingTime(_ arguments: ToolArguments) throws(ToolError) -> Duration {
        .milliseconds(Int((try arguments.seconds("seconds", upTo: 30) ?? 10) * 1_000))
    }

    func wait(_ arguments: ToolArguments) async throws -> [UInt8] {
        guard let until = try arguments.choice("until", of: ["settled", "changed"]) else {
            throw ToolError.malformed("The argument \"until\" must be \"settled\" or \"changed\".", pointer: "/until")
        }
        let version = try arguments.int("version", in: 0...Int.max)
        let time = try Self.waitingTime(arguments)
        let session = try await session(in: arguments)
        let current = try await route(of: session).version
        let since = version ?? current
        guard since <= current else { throw SessionError.unknownVersion(current: current) }
        let follower = Follower(awaited.continuation) { version, route in
            until == "settled" ? route.published.isSettled : version != since
        }
        let newer = try await time > .zero ? route(of: session, for: follower, atMost: time) : route(of: session)
        // On a lane, because documents may be large.
        return try await withTaskExecutorPreference(sessions.host.scheduler) {
            // Replies to many clients may be created at once.
            guard !sessions.host.budget.isFull else { throw SessionError.memoryIsFull }
            let older = since == newer.version ? newer : try await route(of: session, at: since)
            return ScreenDocument.encode(
                newer, changed: ScreenChanges.phrases(from: older.visible, to: newer.visible))
        }
    }

    /// The first route of a session that a follower waits for; the current one when the waiting is over. In the
    /// meantime, the call occupies no thread and keeps no route.
    private func route(
        of session: Session, for follower: Follower, atMost time: Duration
    ) async throws -> PublishedRoute {
        let id = try await session.follow(follower) { follower.didCommit($0, $1) }
        defer { if let id { session.unfollow(id) } }
        // Unlike `Task.sleep`, it ends in time if the app's work occupies the cooperative pool.
        let timer = DispatchWorkItem { awaited.continuation.finish() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1), execute: timer)
        defer { timer.cancel() }
        if let result = await awaited.stream.first(where: { _ in true }) { return try result.get().published }
        if Task.isCancelled { throw SessionError.abandoned }
        return try await route(of: session)
    }
}

/// Reports the first version that meets a condition.
private final class Follower: SessionFollower {
    private let awaited: AsyncStream<Result<any EncodedRoute, SessionError>>.Continuation
    private let isMet: @Sendable (Int, any EncodedRoute) -> Bool

    init(
        _ awaited: AsyncStream<Result<any EncodedRoute, SessionError>>.Continuation,
        until isMet: @escaping @Sendable (Int, any EncodedRoute) -> Bool
    ) {
        self.awaited = awaited
        self.isMet = isMet
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        guard isMet(version, route) else { return true }
        awaited.yield(.success(route))
        return false
    }

    func didEnd() { awaited.yield(.failure(.hasEnded)) }
    func wasReleased() { awaited.yield(.failure(.draining)) }
}
