package import Coordinate

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
    ) -> Future<NewSession, SessionError> {
        guard host.journal.findsSessions || key == nil && attributes.isEmpty else { return .failed(.keysUnsupported) }
        guard attributes.count <= SessionRecord.maximumAttributes else { return .failed(.tooManyAttributes) }
        let begin: @Sendable () -> Future<NewSession, SessionError> = {
            events.isEmpty
                ? self.beginNow(options, first, key, attributes, client)
                : self.begin(options, first?.event, events, key, attributes, client)
        }
        return isCrowded(for: client) ? room(for: client).flatMap(on: host.executor(of: client), begin) : begin()
    }

    private func beginNow(
        _ options: PlainValue, _ first: EventInjection?, _ key: String?, _ attributes: [String: String],
        _ client: ClientKey
    ) -> Future<NewSession, SessionError> {
        do throws(SessionError) {
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
            return create(record, with: entries, until: expiry, for: client).mapResult(on: host.executor(of: client)) {
                [outcome, committed] result in
                span?.end(with: result)
                return result.map {
                    if let committed { self.host.hooks.didCommit?(committed) }
                    if let outcome { self.host.counters.countEvent(isHandled: outcome.turn.dispatch.isHandled) }
                    let added = self.insert(session) ?? session
                    if outcome == nil {
                        self.host.created.insertUnused(record.id, of: client, usedAt: self.host.clock.uptime())
                    }
                    added.notifyKeeperOfFirstWork(for: client)
                    return NewSession(session: added, outcome: outcome)
                }
            }
        } catch {
            return .failed(error)
        }
    }

    /// Creates a session that has accepted some events. They may be many, so lanes run those that take long.
    private func begin(
        _ options: PlainValue, _ first: EventRequest?, _ events: [EventRequest], _ key: String?,
        _ attributes: [String: String], _ client: ClientKey
    ) -> Future<NewSession, SessionError> {
        guard !host.budget.isBusy else { return .failed(.tooBusy) }
        let executor = host.executor(of: client)
        let beginning = host.beginning(options, key: key)
        let replay: SharedReplay
        do throws(SessionError) {
            try host.app.checkOptions(options)
            replay = SharedReplay(
                try EditedReplay(
                    host.app, beginning, accepting: events, after: first, maximumEvents: host.limits.maximumEvents,
                    notesTurns: host.hooks.didCommit != nil),
                chargedTo: host.budget)
        } catch {
            return .failed(error)
        }
        // There is no recorded event: all of them come in between.
        let none = HistoryPages(of: .random(), in: host.journal, after: 0, upTo: 0)
        return HistoryWalk.go(
            over: none, expecting: events.count, on: host.scheduler, for: client,
            between: { () throws(SessionError) in try replay.advance() }
        ) { _ throws(SessionError) in
            true
        }.flatMap(on: executor) {
            let expiry = self.host.clock.uptime() + self.host.limits.idleTime + self.host.limits.idleTime / 10
            let made = replay.session(in: self.host, until: expiry) { path, begun in
                self.host.record(beginning, path: path, begun: begun, attributes: attributes)
            }
            guard let (session, record, entries, turns) = made else { return .failed(.abandoned) }
            return self.create(record, with: entries, until: expiry, for: client).map(on: executor) {
                for entry in entries { self.host.counters.countEvent(isHandled: entry.isHandled) }
                for (entry, turn) in zip(entries, turns) {
                    self.host.hooks.didCommit?(CommittedEvent(entry, turn, of: SessionNames(record)))
                }
                let added = self.insert(session) ?? session
                added.notifyKeeperOfFirstWork(for: client)
                return NewSession(session: added, outcome: nil)
            }
        }
    }

    /// Creates a session with the first events of another one, without running them.
    ///
    /// - Parameters:
    ///   - withholdsWork: Whether the fork withholds its work. It does in any case if the original does.
    ///   - client: The client that wants it.
    package func fork(
        _ original: Session, at version: Int, withholdingWork withholdsWork: Bool = false, for client: ClientKey = .host
    ) -> Future<SessionSummary, SessionError> {
        head(of: original, forkedAt: version, for: client).flatMap(on: host.executor(of: client)) { head in
            let recorded = head.record.beginning
            let beginning = withholdsWork ? recorded.withholdingWork : recorded
            let record = self.host.copy(
                beginning, path: head.record.path, begun: head.record.begun,
                parent: ForkPoint(session: original.id, version: version))
            return self.create(record, with: [], for: client)
        }
    }

    /// The head of a session that can be forked at a version.
    func head(
        of original: Session, forkedAt version: Int, for client: ClientKey
    ) -> Future<SessionHead, SessionError> {
        host.head(of: original.id, for: client).mapResult(on: host.executor(of: client)) { result in
            result.flatMap { head in
                guard version <= head.version else { return .failure(.unknownVersion(current: head.version)) }
                let crash = self.host.app.crash(keepingFrom: head).map(Quarantine.crashed)
                if let reason = original.quarantine ?? crash, version >= reason.version {
                    return .failure(reason.error)
                }
                return .success(head)
            }
        }
    }

    /// Creates a session from entries that have been replayed.
    func create(
        _ record: SessionRecord, with entries: any Sequence<JournalEntry> & Sendable, for client: ClientKey
    ) -> Future<SessionSummary, SessionError> {
        room(for: client)
            .flatMap(on: host.executor(of: client)) {
                let expiry = self.host.expiry(afterUseAt: self.host.clock.uptime())
                return self.create(record, with: entries, until: expiry, for: client)
            }
            .flatMap(on: host.executor(of: client)) {
                if record.sharedParent?.version == 0 {
                    self.host.created.insertUnused(record.id, of: client, usedAt: self.host.clock.uptime())
                }
                return self.host.summary(of: record.id, state: .passive, for: client).mapResult(
                    on: self.host.executor(of: client)
                ) { result in
                    // The session exists now, whatever the result of this is.
                    result.mapError { if case .journal = $0 { .journal(.outcomeUnknown) } else { $0 } }
                }
            }
    }

    /// - Parameter attempts: The most sessions that may be ended for it. A shared journal requests that only in its
    ///   result.
    private func create(
        _ record: SessionRecord, with entries: any Sequence<JournalEntry> & Sendable, until expiry: Int,
        for client: ClientKey, attempts: Int = 4
    ) -> Future<Void, SessionError> {
        host.journal.create(
            record, with: entries, until: host.clock.moment(at: expiry), limit: limit(for: client)
        ).then(on: host.executor(of: client)) { result -> Future<Void, SessionError> in
            self.host.counters.countAnswer(result)
            switch result {
            case .success:
                self.host.created.insert(record.id, of: client)
                self.host.hooks.didBegin(record.id)
                return .now(())
            case .failure(.tooManySessions) where attempts > 0:
                return self.makeWay(for: client).then(on: self.host.executor(of: client)) { hasRoom in
                    guard case .success(true) = hasRoom else { return .failed(.tooManySessions) }
                    return self.create(record, with: entries, until: expiry, for: client, attempts: attempts - 1)
                }
            case .failure(.keyTaken) where attempts > 0:
                return self.freeKey(of: record, for: client).then(on: self.host.executor(of: client)) { isFree in
                    guard case .success(true) = isFree else { return .failed(.keyTaken) }
                    return self.create(record, with: entries, until: expiry, for: client, attempts: attempts - 1)
                }
            case .failure(let error): return .failed(SessionError(error))
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
