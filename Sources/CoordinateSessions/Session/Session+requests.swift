package import Coordinate
internal import Synchronization

extension Session {
    // MARK: Changing it

    /// Accepts one event: runs its turn, and commits it. No effect of it is visible before the journal has it.
    package func inject(
        _ injection: EventInjection, for client: ClientKey = .host
    ) -> Future<EventOutcome, SessionError> {
        let promise = Promise<EventOutcome, SessionError>()
        submit(command(for: injection, fulfilling: promise, on: host.executor(of: client)))
        return .later(promise)
    }

    /// The command for an event.
    func command(
        for injection: EventInjection, fulfilling promise: Promise<EventOutcome, SessionError>,
        on executor: any Executor
    ) -> SessionCommand {
        SessionCommand(
            .event(injection, promise), on: executor, at: host.clock.uptime(),
            mark: host.journal.losesAnswers ? .random(in: 1 ... .max) : nil)
    }

    /// Ends the session, for all servers: its tree is freed, its history deleted.
    package func end(
        if condition: VersionCondition = .none, for client: ClientKey = .host
    ) -> Future<Void, SessionError> {
        let promise = Promise<Void, SessionError>()
        submit(SessionCommand(.end(condition, promise), on: host.executor(of: client)))
        return .later(promise)
    }

    // MARK: Reading it

    /// The route of the last committed version; `nil` if it is not encoded yet, another server may have changed the
    /// session, or a timer is due.
    package var publishedRoute: (any EncodedRoute)? {
        let shown = shown
        return shown.isReadable && !host.clock.hasReached(shown.nextTimer) ? shown.published : nil
    }

    /// The route of the last committed version.
    ///
    /// - Parameter known: The versions that the client has already. The session encodes no route for these.
    package func route(
        unless known: VersionCondition.Versions? = nil, for client: ClientKey = .host
    ) -> Future<RouteReading, SessionError> {
        let shown = shown
        if shown.isReadable, !host.clock.hasReached(shown.nextTimer), let reading = shown.reading(unless: known) {
            return .now(reading)
        }
        return lookAsNewAsAny(for: client) { head in
            // The head shows changes that this server does not know of, so it need not wait for a turn under way.
            let shown = self.shown
            guard let head, shown.version >= head.version, shown.quarantine == nil,
                !self.host.clock.hasReached(shown.nextTimer)
            else { return nil }
            return shown.reading(unless: known)
        } body: { session, state in
            guard let tree = state.tree else { return .failure(.hasEnded) }
            if known?.contains(tree.version) == true { return .success(.unchanged(tree.version, state.published)) }
            return .success(.route(tree.version, session.route(of: tree, &state)))
        }
    }

    /// The options that were set when the session was created: an object.
    package var options: PlainValue { beginning.options }

    /// Returns the navigation state of the last committed version, for a picture of the screen other than the encoded
    /// route.
    package func navigationState(
        for client: ClientKey = .host
    ) -> Future<(version: Int, state: NavigationState), SessionError> {
        look(for: client) { _, state in
            guard let tree = state.tree else { return .failure(.hasEnded) }
            return .success((tree.version, tree.withLiveState { NavigationState(of: $0) }))
        }
    }

    /// Checks that a path leads somewhere in the app, without opening it.
    package func check(link: String, for client: ClientKey = .host) -> Future<Void, SessionError> {
        look(for: client) { _, state in
            guard let tree = state.tree else { return .failure(.hasEnded) }
            return Result { () throws(SessionError) in try tree.check(link: link) }
        }
    }

    /// The session's journal up to the present version.
    package func journal(for client: ClientKey = .host) -> Future<JournalView, SessionError> {
        host.head(of: id, for: client).map(on: host.executor(of: client)) { JournalView(head: $0, host: self.host) }
    }

    // MARK: Following it

    /// Adds a follower, which is notified of every version from now on.
    ///
    /// - Parameter welcome: Called first, under the session's lock, with the current version; returns whether to add
    ///   the follower.
    package func follow(
        _ follower: any SessionFollower, for client: ClientKey = .host,
        _ welcome: @escaping @Sendable (Int, any EncodedRoute) -> Bool
    ) -> Future<FollowerID?, SessionError> {
        look(for: client) { session, state -> Result<(FollowerID?, Bool), SessionError> in
            guard let tree = state.tree else { return .failure(.hasEnded) }
            let route = session.route(of: tree, &state)
            session.show(state)
            guard welcome(tree.version, route) else { return .success((nil, false)) }
            let wasFollowed = state.subscription != nil
            let id = state.followers.insert(follower)
            session.updateSubscription(&state)
            return .success((id, !wasFollowed && state.subscription != nil))
        }.map(on: host.executor(of: client)) { id, isNewlyFollowed in
            // Changes may have arrived after the tree was brought up to date, and before the subscription began.
            if isNewlyFollowed { self.receiveChange() }
            return id
        }
    }

    package func unfollow(_ follower: FollowerID, for client: ClientKey = .host) {
        post(
            .call { session, state, _ in
                state.followers.remove(follower)
                session.updateSubscription(&state)
            }, on: host.executor(of: client))
    }

    /// Calls a body with the tree of the committed version, as soon as there is a tree.
    func look<Value: Sendable>(
        for client: ClientKey = .host,
        _ body: @escaping @Sendable (Session, inout State) -> Result<Value, SessionError>
    ) -> Future<Value, SessionError> {
        lookAsNewAsAny(for: client, atHand: { _ in nil }, body: body)
    }

    /// Calls a body with a tree that includes everything that any server has acknowledged by now.
    ///
    /// - Parameter atHand: Returns a value that needs no tree, given the head in the journal; `nil` if a tree is
    ///   needed.
    private func lookAsNewAsAny<Value: Sendable>(
        for client: ClientKey, atHand: @escaping @Sendable (SessionHead?) -> Value?,
        body: @escaping @Sendable (Session, inout State) -> Result<Value, SessionError>
    ) -> Future<Value, SessionError> {
        guard host.journal.isShared else { return look(atLeast: 0, for: client, body) }
        return host.head(of: id, for: client).then(on: host.executor(of: client)) { head in
            switch head {
            case .success(let head):
                self.updateNames(from: head.record)
                self.apply(self.host.app.crash(keepingFrom: head), on: self.host.executor(of: client))
                if let value = atHand(head) { return .now(value) }
                return self.look(atLeast: head.version, for: client, body)
            case .failure(let error):
                if case .hasEnded = error { self.post(.input(.vanished), on: self.host.executor) }
                return .failed(error)
            }
        }
    }

    private func look<Value: Sendable>(
        atLeast version: Int, for client: ClientKey,
        _ body: @escaping @Sendable (Session, inout State) -> Result<Value, SessionError>
    ) -> Future<Value, SessionError> {
        let promise = Promise<Value, SessionError>()
        let work = SessionCommand(
            .look(
                show: { session, state in
                    let result = body(session, &state)
                    return .call { promise.fulfil(result) }
                }, refuse: { error in .call { promise.fulfil(.failure(error)) } }, for: promise),
            on: host.executor(of: client), leastVersion: version)
        submit(work)
        return .later(promise)
    }
}

extension Session.Shown {
    /// The route of the committed version, or the fact that the client has it; `nil` if it must be encoded first.
    fileprivate func reading(unless known: VersionCondition.Versions?) -> RouteReading? {
        if known?.contains(version) == true { return .unchanged(version, published) }
        return published.map { .route(version, $0) }
    }
}

/// A session's route, unless the client has it already.
package enum RouteReading: Sendable {
    case route(Int, any EncodedRoute)
    /// The client has this version; with the route, if it is encoded.
    case unchanged(Int, (any EncodedRoute)?)
}

/// A session's journal up to a version. It retains no part of the session.
package struct JournalView: Sendable {
    package let head: SessionHead
    fileprivate let host: SessionHost

    /// Returns the entries after a version, oldest first, at most `limit`.
    package func entries(
        after version: Int, limit: Int, on executor: any Executor
    ) -> Future<[JournalEntry], SessionError> {
        guard version < head.version, limit > 0 else { return .now([]) }
        return host.journal.read(head.record.id, after: version, limit: min(limit, head.version - version))
            .mapResult(on: executor) { $0.mapError(SessionError.init) }
    }
}
