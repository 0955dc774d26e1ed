package import Coordinate
internal import Synchronization

extension Session {
    // MARK: Reading it

    /// The route of the last committed version; `nil` if it is not encoded yet, another server may have changed the
    /// session, or a timer is due.
    package var publishedRoute: (any EncodedRoute)? { shownAtOnce?.published }

    /// The state as of now; `nil` if another server may have changed the session, or a timer is due.
    private var shownAtOnce: Shown? {
        let shown = shown
        return shown.isReadable && !host.clock.hasReached(shown.nextTimer) ? shown : nil
    }

    /// The route of the last committed version, if it can be read without waiting.
    ///
    /// - Parameter known: The versions that the client has already. The session encodes no route for these.
    package func routeAtOnce(unless known: VersionCondition.Versions? = nil) -> RouteReading? {
        shownAtOnce?.reading(unless: known)
    }

    /// The route of the last committed version.
    ///
    /// - Parameter known: The versions that the client has already. The session encodes no route for these.
    package func route(
        unless known: VersionCondition.Versions? = nil
    ) async throws(SessionError) -> RouteReading {
        if let reading = routeAtOnce(unless: known) { return reading }
        let least = try await leastVersion()
        // The head shows changes that this server does not know of, so it need not wait for a turn under way.
        let shown = shown
        if let least, shown.version >= least, shown.quarantine == nil, !host.clock.hasReached(shown.nextTimer),
            let reading = shown.reading(unless: known)
        {
            return reading
        }
        return try await look(atLeast: least ?? 0) { state, tree in
            if known?.contains(tree.version) == true { return .unchanged(tree.version, state.published) }
            return .route(tree.version, route(of: tree, &state))
        }
    }

    /// The options that were set when the session was created: an object.
    package var options: PlainValue { beginning.options }

    /// Returns the navigation state of the last committed version, for a picture of the screen other than the encoded
    /// route.
    package func navigationState() async throws(SessionError) -> (version: Int, state: NavigationState) {
        try await lookAsNewAsAny { _, tree in (tree.version, tree.withLiveState { NavigationState(of: $0) }) }
    }

    /// Checks that a path leads somewhere in the app, without opening it.
    package func check(link: String) async throws(SessionError) {
        try await lookAsNewAsAny { _, tree throws(SessionError) in try tree.check(link: link) }
    }

    /// The session's journal up to the present version.
    package func journal() async throws(SessionError) -> JournalView {
        JournalView(head: try await host.head(of: id), host: host)
    }

    // MARK: Following it

    /// Adds a follower, which is notified of every version from now on.
    ///
    /// - Parameter welcome: Called first, under the session's lock, with the current version; returns whether to add
    ///   the follower.
    package func follow(
        _ follower: any SessionFollower, _ welcome: @Sendable (Int, any EncodedRoute) -> Bool
    ) async throws(SessionError) -> FollowerID? {
        let id = try await lookAsNewAsAny { state, tree -> FollowerID? in
            let route = route(of: tree, &state)
            show(state)
            return welcome(tree.version, route) ? add(follower) : nil
        }
        // Changes may have arrived after the tree was brought up to date, and before the subscription began.
        if id != nil, host.journal.isShared { receiveChange() }
        return id
    }

    package func unfollow(_ follower: FollowerID) {
        following.withLock { following in
            following.followers.remove(follower)
            updateSubscription(&following)
        }
    }

    private func add(_ follower: any SessionFollower) -> FollowerID {
        following.withLock { following in
            let id = following.followers.insert(follower)
            updateSubscription(&following)
            return id
        }
    }

    func notifyFollowers(of version: Int, _ route: any EncodedRoute) {
        following.withLock { following in
            following.followers.notify(of: version, route)
            updateSubscription(&following)
        }
    }

    func releaseFollowers(hasEnded: Bool) {
        following.withLock { following in
            following.followers.release(hasEnded: hasEnded)
            updateSubscription(&following)
        }
    }

    /// Updates the subscription after a follower was added or removed. Adding the first and removing the last count as
    /// uses.
    private func updateSubscription(_ following: inout Following) {
        if following.followers.isEmpty {
            if hasFollowers.exchange(false, ordering: .relaxed) { touch() }
            following.subscription = nil
        } else if !hasFollowers.exchange(true, ordering: .relaxed) {
            touch()
            following.subscription = host.journal.follow(id) { [weak self] in self?.receiveChange() }
        }
    }

    // MARK: Looking at the tree

    /// Calls a body with the tree of the committed version, as soon as there is a tree.
    ///
    /// - Parameter version: The least version that the tree must have.
    func look<Value>(
        atLeast version: Int = 0, _ body: @Sendable (inout State, SessionTree) throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        try await inTurn { () async throws(SessionError) in
            try checkIsOpen()
            if mayHaveDueTimer {
                try await buildTree(atLeast: version)
                try await fireDueTimers()
            }
            try await buildTree(atLeast: version)
            return try withState { state throws(SessionError) in
                guard let tree = state.tree else { throw .hasEnded }
                return try body(&state, tree)
            }
        }
    }

    /// Calls a body with a tree that includes everything that any server has acknowledged by now.
    private func lookAsNewAsAny<Value>(
        _ body: @Sendable (inout State, SessionTree) throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        try await look(atLeast: try await leastVersion() ?? 0, body)
    }

    /// The version of the journal's head, which has everything that any server has acknowledged by now; `nil` if this
    /// server knows that.
    private func leastVersion() async throws(SessionError) -> Int? {
        guard host.journal.isShared else { return nil }
        do throws(SessionError) {
            let head = try await host.head(of: id)
            updateNames(from: head.record)
            apply(host.app.crash(keepingFrom: head))
            return head.version
        } catch {
            if case .hasEnded = error { vanish() }
            throw error
        }
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
    let host: SessionHost

    /// Returns the entries after a version, oldest first, at most `limit`.
    package func entries(after version: Int, limit: Int) async throws(SessionError) -> [JournalEntry] {
        guard version < head.version, limit > 0 else { return [] }
        do throws(JournalError) {
            return try await host.journal.read(
                head.record.id, after: version, limit: min(limit, head.version - version))
        } catch {
            throw SessionError(error)
        }
    }
}
