package import Coordinate
internal import Synchronization

extension Session {
    // MARK: Changing it

    /// Accepts one event: runs its turn, and commits it. No effect of it is visible before the journal has it.
    package func inject(
        _ injection: EventInjection, for client: ClientKey = .host
    ) -> Future<EventOutcome, SessionError> {
        let promise = Promise<EventOutcome, SessionError>()
        submit(
            SessionCommand(
                .event(injection, promise), on: host.executor(of: client), at: host.clock.uptime(),
                mark: host.journal.losesAnswers ? .random(in: 1 ... .max) : nil))
        return .later(promise)
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

    /// The route of the last committed version; `nil` if it is not encoded yet, or another server may have changed the
    /// session.
    package var publishedRoute: (any EncodedRoute)? {
        let shown = shown
        return shown.isReadable ? shown.published : nil
    }

    /// The route of the last committed version.
    ///
    /// - Parameter known: The versions that the client has already. The session encodes no route for these.
    package func route(
        unless known: VersionCondition.Versions? = nil, for client: ClientKey = .host
    ) -> Future<RouteReading, SessionError> {
        let shown = shown
        if shown.isReadable, let reading = shown.reading(unless: known) { return .now(reading) }
        return lookAsNewAsAny(for: client) { head in
            // The head shows changes that this server does not know of, so it need not wait for a turn under way.
            let shown = self.shown
            guard let head, shown.version >= head.version, shown.quarantine == nil else { return nil }
            return shown.reading(unless: known)
        } body: { session, state in
            guard let tree = state.tree else { return .failure(.hasEnded) }
            if known?.contains(tree.version) == true { return .success(.unchanged(tree.version, state.published)) }
            return .success(.route(tree.version, session.route(of: tree, &state)))
        }
    }

    /// Returns the route as it was after an event.
    package func route(
        at version: Int, unless known: VersionCondition.Versions? = nil, for client: ClientKey = .host
    ) -> Future<RouteReading, SessionError> {
        before(version, for: client) {
            if known?.contains(version) == true { return .now(.unchanged(version, nil)) }
            return self.formerRoute(at: version, for: client)
                .map(on: self.host.executor(of: client)) { .route(version, $0) }
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

    /// Returns the routes as they were after two events.
    package func routes(
        at first: Int, and second: Int, for client: ClientKey = .host
    ) -> Future<(older: any EncodedRoute, newer: any EncodedRoute), SessionError> {
        let executor = host.executor(of: client)
        return before(max(first, second), for: client) {
            self.formerRoute(at: max(first, second), for: client).then(on: executor) { newer in
                switch newer {
                case .failure(let error): .failed(error)
                case .success(let newer) where first == second: .now((newer, newer))
                case .success(let newer):
                    self.formerRoute(at: min(first, second), for: client).map(on: executor) { ($0, newer) }
                }
            }
        }
    }

    private func formerRoute(at version: Int, for client: ClientKey) -> Future<any EncodedRoute, SessionError> {
        host.formerRoutes.share(with: .init(session: id, version: version), on: host.executor(of: client)) {
            self.replay(at: version, for: client) { tree, _ in self.host.route(of: tree, in: self.id) }
        }
    }

    /// Calls a closure with the routes after some events, oldest first, until it returns false.
    package func forEachRoute(
        after version: Int, upTo last: Int, for client: ClientKey = .host,
        _ visit: @escaping @Sendable (Int, any EncodedRoute) -> Bool
    ) -> Future<Void, SessionError> {
        guard version < last else { return .now(()) }
        return replay(
            at: last, for: client,
            visit: { tree, entry in
                guard entry.version > version else { return true }
                return visit(entry.version, self.host.route(of: tree, in: self.id))
            }, { _, _ in })
    }

    private func replay<Result: Sendable>(
        at version: Int, for client: ClientKey,
        visit: @escaping @Sendable (SessionTree, JournalEntry) -> Bool = { _, _ in true },
        _ body: @escaping @Sendable (SessionTree, HistoricalReplay.Replayed?) -> Result
    ) -> Future<Result, SessionError> {
        guard !host.budget.isBusy else { return .failed(.tooBusy) }
        let resized: HistoricalReplay.Resized = { [budget = host.budget] former, size in
            let change = MemoryBudget.size(ofTree: size, route: 0) - MemoryBudget.size(ofTree: former, route: 0)
            budget.charge(change, to: .replays)
        }
        return HistoricalReplay.at(
            version, of: id, beginning, in: host.journal, of: host.app, on: host.scheduler, resized: resized,
            for: client, executor: host.executor(of: client), isSlow: isSlow, visit: visit, body)
    }

    /// The outcome of an event that is in the journal, reproduced by a replay; with the route if the request wanted it.
    func retell(
        _ version: Int, wantsRoute: Bool, on executor: any Executor
    ) -> Future<EventOutcome, SessionError> {
        let client = ClientKey(number: client.number, on: executor)
        return host.formerOutcomes.share(
            with: .init(session: id, version: version, wantsRoute: wantsRoute), on: executor
        ) {
            self.replay(at: version, for: client) { tree, last in
                last.map { entry, turn in
                    let hadRoute = entry.retry.map { !$0.isMinimal } ?? wantsRoute
                    return EventOutcome(
                        version: version, turn: turn, path: tree.path, leaf: tree.root.visibleLeaf.id,
                        route: hadRoute ? self.host.route(of: tree, in: self.id) : nil)
                }
            }.mapResult(on: executor) { result in
                // Only version 0 has no event, and no request can have produced that.
                result.flatMap { $0.map(Result.success) ?? .failure(.unknownVersion(current: version)) }
            }
        }.mapResult(on: executor) { result in
            switch result {
            case .success, .failure(.hasEnded), .failure(.unknownVersion): result
            // The event is in the journal.
            case .failure: .failure(.cannotRetell)
            }
        }
    }

    /// The summary of the session. It needs no tree.
    package func summary(for client: ClientKey = .host) -> Future<SessionSummary, SessionError> {
        let (activity, path) = activity
        return host.summary(of: id, state: activity, path: path, for: client)
    }

    /// The summary of the session with its head in the journal, without counting as a use.
    func summary(of head: SessionHead) -> SessionSummary {
        let (activity, path) = activity
        let expiry = host.clock.moment(at: idleSince + host.limits.idleTime)
        // Other servers may know of a later use. The journal learns of it with an allowance for later ones.
        let elsewhere = Timestamp(seconds: head.expiresAt.seconds - host.limits.idleTime / 10)
        return SessionSummary(
            head: head, state: activity, path: path ?? head.path, expiresAt: max(expiry, elsewhere))
    }

    /// The state of the session, and the path of its tree if nothing is under way.
    private var activity: (SessionSummary.State, path: String?) {
        let shown = shown
        if let quarantine = shown.quarantine { return (quarantine.state, nil) }
        return shown.hasTree || isHeldUp ? (.live, shown.path) : (.passive, nil)
    }

    /// The session's journal up to the present version.
    package func journal(for client: ClientKey = .host) -> Future<JournalView, SessionError> {
        head(for: client).map(on: host.executor(of: client)) { JournalView(head: $0, host: self.host) }
    }

    private func head(for client: ClientKey) -> Future<SessionHead, SessionError> {
        host.head(of: id, for: client)
    }

    /// Runs a body on an earlier version, once it is certain that the version exists, and that no later crash is known.
    private func before<Value: Sendable>(
        _ version: Int, for client: ClientKey, _ body: @escaping @Sendable () -> Future<Value, SessionError>
    ) -> Future<Value, SessionError> {
        head(for: client).then(on: host.executor(of: client)) { head in
            switch head {
            case .failure(let error): .failed(error)
            case .success(let head) where version > head.version: .failed(.unknownVersion(current: head.version))
            case .success(let head):
                if let crash = self.host.app.crash(keepingFrom: head), version >= crash.version {
                    .failed(.crashed(crash))
                } else {
                    body()
                }
            }
        }
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
            let id = state.followers.add(follower)
            session.noteFollowers(&state)
            return .success((id, !wasFollowed && state.subscription != nil))
        }.map(on: host.executor(of: client)) { id, isNewlyFollowed in
            // Changes may have arrived after the tree was brought up to date, and before the subscription began.
            if isNewlyFollowed { self.noteChange() }
            return id
        }
    }

    package func unfollow(_ follower: FollowerID, for client: ClientKey = .host) {
        post(
            .call { session, state, _ in
                state.followers.remove(follower)
                session.noteFollowers(&state)
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
        return head(for: client).then(on: host.executor(of: client)) { head in
            switch head {
            case .success(let head):
                self.note(self.host.app.crash(keepingFrom: head), on: self.host.executor(of: client))
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

/// A session as clients receive it without a tree.
package struct SessionSummary: Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// The session has a tree here.
        case live
        /// The session has no tree until it is next used.
        case passive
        /// The session does not replay as it was recorded, or crashes the process, and accepts no more events.
        case quarantined
        /// An entry of the session cannot be read, and it accepts no more events.
        case damaged
    }

    package let head: SessionHead
    package let state: State
    /// The path of the tree, if there is one, else the recorded path.
    package let path: String
    package let expiresAt: Timestamp
}

extension SessionHost {
    func head(of session: SessionID, for client: ClientKey) -> Future<SessionHead, SessionError> {
        journal.head(of: session).mapResult(on: executor(of: client)) { result in
            switch result {
            case .failure(let error): .failure(SessionError(error))
            case .success(let head):
                if let head, head.record.app == self.app.name { .success(head) } else { .failure(.hasEnded) }
            }
        }
    }

    /// The state of a session that has no tree here.
    func state(ofPassive head: SessionHead) -> SessionSummary.State {
        if head.damage != nil { return .damaged }
        return app.crash(keepingFrom: head) == nil ? .passive : .quarantined
    }

    /// - Parameter path: The path of its tree; `nil` if it has none.
    func summary(
        of session: SessionID, state: SessionSummary.State, path: String? = nil, for client: ClientKey
    ) -> Future<SessionSummary, SessionError> {
        head(of: session, for: client).map(on: executor(of: client)) { head in
            // Requesting it counts as a use.
            let expiry = self.clock.timestamp().seconds.addingReportingOverflow(self.limits.idleTime)
            return SessionSummary(
                head: head, state: state == .passive ? self.state(ofPassive: head) : state, path: path ?? head.path,
                expiresAt: Timestamp(seconds: expiry.overflow ? .max : expiry.partialValue))
        }
    }
}
