package import Coordinate
internal import Tracing

extension SessionRegistry {
    /// The number of sessions, both in memory and only in the journal.
    package var count: Int { host.journal.count }

    /// Whether there is certainly no room for another session. With a shared journal only the journal knows: other
    /// servers may have made room since the last count.
    package var isFull: Bool { !host.journal.isShared && count >= host.limits.maximumSessions }

    /// The reason why certainly no session can be created, even if unused ones are ended; `nil` if one may be created.
    package var shortage: SessionError? {
        guard isFull || host.budget.isFull, host.created.areAllUsed else { return nil }
        return refusal
    }

    /// The error with which a new session is refused if there is no room.
    var refusal: SessionError { isFull ? .tooManySessions : .memoryIsFull }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - options: The options that were set; the others have their defaults.
    ///   - first: Its first event. If it is refused, no session is created.
    ///   - events: The events that it accepts after that, all at the time of its creation. If one is refused, no session
    ///     is created, and the error is ``SessionError/eventRefused(at:_:)``.
    ///   - key: The key by which it is found. If another session of the app has it, the error is
    ///     ``SessionError/keyTaken``, unless that session has expired: then it is ended.
    ///   - client: The client that wants it. If the server is full, its own sessions without an event are ended
    ///     first.
    package func begin(
        options: PlainValue = .object([]), with first: EventInjection? = nil, events: [EventRequest] = [],
        key: String? = nil, attributes: [String: String] = [:], for client: ClientKey = .host
    ) async throws(SessionError) -> NewSession {
        guard host.journal.findsSessions || key == nil && attributes.isEmpty else { throw .keysUnsupported }
        guard attributes.count <= SessionRecord.maximumAttributes else { throw .tooManyAttributes }
        if isCrowded(for: client) { try await room(for: client) }
        guard events.isEmpty else {
            return try await begin(options, first?.event, events, key, attributes, client)
        }
        try host.app.checkOptions(options)
        let beginning = host.beginning(options, key: key)
        let tree = try SessionTree(host.app, beginning)
        let record = host.record(beginning, path: tree.path, begun: tree.root.pendingWork, attributes: attributes)
        var entries: [JournalEntry] = []
        var published: (any EncodedRoute)?
        var outcome: EventOutcome?
        var committed: CommittedEvent?
        if let first {
            guard first.condition.allows(0) else { throw .versionConflict(current: 0) }
            if first.isBoundToScreen { try tree.checkIsOffered(first.event) }
            let turn = try tree.apply(first.event, at: beginning.time)
            let mark: UInt64? = host.journal.losesAnswers ? .random(in: 1 ... .max) : nil
            let entry = turn.entry(1, at: beginning.time, in: tree, for: first, mark: mark)
            entries.append(entry)
            tree.version = 1
            if first.wantsRoute { published = host.route(of: tree, in: record.id) }
            outcome = EventOutcome(
                version: 1, turn: turn, path: entry.path, leaf: tree.root.visibleLeaf.id, route: published,
                turnTime: tree.turnTime)
            if host.hooks.didCommit != nil {
                committed = CommittedEvent(entry, (tree.screenName, tree.turnTime), of: SessionNames(record))
            }
        }
        let expiry = host.clock.uptime() + host.limits.idleTime + host.limits.idleTime / 10
        let session = Session(
            record, host: host, tree: tree, retry: first?.retry, published: published, until: expiry)
        let span = first.flatMap { host.app.tracing?.startSpan("commit", under: $0.event.traceparent) }
        do throws(SessionError) {
            try await create(record, with: entries, until: expiry, for: client)
            span?.end()
        } catch {
            span?.end(with: Result<Void, SessionError>.failure(error))
            throw error
        }
        if let committed { host.hooks.didCommit?(committed) }
        if let outcome { host.counters.countEvent(isHandled: outcome.turn.dispatch.isHandled) }
        let added = insert(session) ?? session
        if outcome == nil { host.created.insertUnused(record.id, of: client, usedAt: host.clock.uptime()) }
        added.notifyKeeperOfFirstWork()
        return NewSession(session: added, outcome: outcome)
    }

    /// Creates a session that has accepted some events. They may be many, so lanes run those that take long.
    private func begin(
        _ options: PlainValue, _ first: EventRequest?, _ events: [EventRequest], _ key: String?,
        _ attributes: [String: String], _ client: ClientKey
    ) async throws(SessionError) -> NewSession {
        guard !host.budget.isBusy else { throw .tooBusy }
        let beginning = host.beginning(options, key: key)
        try host.app.checkOptions(options)
        let replay = SharedReplay(
            try EditedReplay(
                host.app, beginning, accepting: events, after: first, maximumEvents: host.limits.maximumEvents,
                notesTurns: host.hooks.didCommit != nil),
            chargedTo: host.budget)
        // There is no recorded event: all of them come in between.
        let none = HistoryPages(of: .random(), in: host.journal, after: 0, upTo: 0)
        try await HistoryWalk(
            over: none, on: host.scheduler, for: client, between: { () throws(SessionError) in try replay.advance() }
        ).visitAll(beginningHere: events.count <= HistoryWalk.quickLimit) { _ throws(SessionError) in true }
        let expiry = host.clock.uptime() + host.limits.idleTime + host.limits.idleTime / 10
        let made = replay.session(in: host, until: expiry) { path, begun in
            host.record(beginning, path: path, begun: begun, attributes: attributes)
        }
        guard let (session, record, entries, turns) = made else { throw .abandoned }
        try await create(record, with: entries, until: expiry, for: client)
        for entry in entries { host.counters.countEvent(isHandled: entry.isHandled) }
        for (entry, turn) in zip(entries, turns) {
            host.hooks.didCommit?(CommittedEvent(entry, turn, of: SessionNames(record)))
        }
        let added = insert(session) ?? session
        added.notifyKeeperOfFirstWork()
        return NewSession(session: added, outcome: nil)
    }

    /// Creates a session with the first events of another one, without running them.
    ///
    /// - Parameters:
    ///   - withholdsWork: Whether the fork withholds its work. It does in any case if the original does.
    ///   - client: The client that wants it.
    package func fork(
        _ original: Session, at version: Int, withholdingWork withholdsWork: Bool = false, for client: ClientKey = .host
    ) async throws(SessionError) -> SessionSummary {
        let head = try await head(of: original, forkedAt: version)
        let recorded = head.record.beginning
        let record = host.copy(
            withholdsWork ? recorded.withholdingWork : recorded, path: head.record.path, begun: head.record.begun,
            parent: ForkPoint(session: original.id, version: version))
        return try await create(record, with: [], for: client)
    }

    /// The head of a session that can be forked at a version.
    func head(of original: Session, forkedAt version: Int) async throws(SessionError) -> SessionHead {
        let head = try await host.head(of: original.id)
        guard version <= head.version else { throw .unknownVersion(current: head.version) }
        let crash = host.app.crash(keepingFrom: head).map(Quarantine.crashed)
        if let reason = original.quarantine ?? crash, version >= reason.version { throw reason.error }
        return head
    }

    /// Creates a session from entries that have been replayed.
    func create(
        _ record: SessionRecord, with entries: any Sequence<JournalEntry> & Sendable, for client: ClientKey
    ) async throws(SessionError) -> SessionSummary {
        try await room(for: client)
        try await create(record, with: entries, until: host.expiry(afterUseAt: host.clock.uptime()), for: client)
        if record.sharedParent?.version == 0 {
            host.created.insertUnused(record.id, of: client, usedAt: host.clock.uptime())
        }
        do throws(SessionError) {
            return try await host.summary(of: record.id, state: .passive)
        } catch .journal {
            // The session exists now.
            throw .journal(.outcomeUnknown)
        }
    }

    /// Adds a session to the journal. Ends others if it needs their place or key. Once requested, this is not canceled.
    private func create(
        _ record: SessionRecord, with entries: any Sequence<JournalEntry> & Sendable, until expiry: Int,
        for client: ClientKey
    ) async throws(SessionError) {
        var attempts = 4
        while true {
            do throws(JournalError) {
                try await host.journal.create(
                    record, with: entries, until: host.clock.moment(at: expiry), limit: limit(for: client))
                host.counters.countAnswer(.success(()))
                host.created.insert(record.id, of: client)
                host.hooks.didBegin(record.id)
                return
            } catch {
                host.counters.countAnswer(.failure(error))
                let isFree =
                    switch error {
                    // A shared journal requests room only in its result.
                    case .tooManySessions where attempts > 0: await makeWay(for: client)
                    case .keyTaken where attempts > 0: (try? await freeKey(of: record)) ?? false
                    default: false
                    }
                guard isFree else { throw SessionError(error) }
                attempts -= 1
            }
        }
    }
}

/// A newly created session, and the outcome of its first event.
package struct NewSession: Sendable {
    package let session: Session
    package let outcome: EventOutcome?
}

extension SessionHost {
    /// The values from which a new session's tree is built, with the present time.
    func beginning(_ options: PlainValue, key: String? = nil) -> SessionBeginning {
        SessionBeginning(
            options: options, seed: .random(in: 0..<(1 << 53)), time: clock.timestamp(),
            reference: SessionRecord.newReference(), key: key)
    }

    /// The version 0 of a new session.
    func record(
        _ beginning: SessionBeginning, path: String, begun: [PendingWork], attributes: [String: String] = [:]
    ) -> SessionRecord {
        SessionRecord(
            id: .random(), reference: beginning.reference, key: beginning.key, app: app.name, appVersion: app.version,
            options: beginning.options, createdAt: beginning.time, seed: beginning.seed, path: path, begun: begun,
            attributes: attributes, isWorkWithheld: beginning.isWorkWithheld)
    }

    /// The version 0 of a fork or an import, whose tree begins like that of its original.
    func copy(
        _ beginning: SessionBeginning, path: String, begun: [PendingWork], parent: ForkPoint? = nil,
        isEdited: Bool = false
    ) -> SessionRecord {
        SessionRecord(
            id: .random(), app: app.name, appVersion: app.version, options: beginning.options,
            createdAt: clock.timestamp(), startedAt: beginning.time, startedAs: (beginning.reference, beginning.key),
            seed: beginning.seed, path: path, begun: begun, parent: parent, isEdited: isEdited,
            isWorkWithheld: beginning.isWorkWithheld)
    }
}
