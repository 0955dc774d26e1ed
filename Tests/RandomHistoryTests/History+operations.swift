import Coordinate
import CoordinateSessions
import MisbehavingJournal
import SessionFixtures
import Synchronization

extension History {
    /// The operations of clients, operators and chance, with their weights.
    private static let operations: [(weight: Int, run: @Sendable (History, Server, SessionID) -> Void)] = [
        (3, { history, server, _ in history.create(on: server) }),
        (3, { history, server, _ in history.create(on: server, with: history.injection(into: nil)) }),
        (22, { $0.inject($0.injection(into: $2), into: $2, on: $1) }),
        (8, { $0.inject($0.injection(into: $2, isConditional: true), into: $2, on: $1) }),
        (5, { $0.inject($0.injection(into: $2, hasKey: true), into: $2, on: $1) }),
        (6, { history, server, _ in history.repeatInjection(on: server) }),
        (14, { $0.route(of: $2, on: $1) }),
        (3, { $0.route(of: $2, unless: $0.version(of: $2), on: $1) }),
        (4, { $0.route(of: $2, at: $0.version(of: $2) + $0.random(-3...1), on: $1) }),
        (6, { $0.follow($2, on: $1) }),
        (3, { history, _, _ in history.unfollow() }),
        (4, { $0.wait(for: $2, on: $1) }),
        (3, { $0.entries(of: $2, on: $1) }),
        (2, { $0.summary(of: $2, on: $1) }),
        (2, { $0.fork($2, at: $0.version(of: $2) + $0.random(-3...1), on: $1) }),
        (2, { $0.end($2, if: $0.chance(1, of: 3) ? $0.version(of: $2) : nil, on: $1) }),
        (5, { history, _, _ in history.advance(by: history.random(1...12)) }),
        (1, { history, _, _ in history.advance(by: history.random(20...130), isCalm: history.chance(1, of: 2)) }),
        (3, { history, server, _ in history.outage(of: server) }),
        (2, { history, server, _ in history.crash(server) }),
        (1, { history, server, _ in history.stop(server) }),
        (6, { history, server, _ in history.sweep(server) }),
        (6, { history, _, _ in history.abandon() }),
        (1, { $0.emitForbidden(into: $2, on: $1) }),
    ]
    private static let totalWeight = operations.reduce(0) { $0 + $1.weight }

    /// Makes one operation of a client, an operator, or chance.
    func operate() {
        guard let server = random(of: allServers) else { return }
        let sessions = ledger.state.withLock { $0.sessions }
        guard let session = random(of: sessions) else { return create(on: server) }
        if isBusy, chance(2, of: 3) { return keepBusy(server) }
        var rest = random(1...Self.totalWeight)
        for (weight, run) in Self.operations {
            rest -= weight
            if rest <= 0 { return run(self, server, session) }
        }
    }

    /// Lets work and timers follow each other closely, in few sessions.
    private func keepBusy(_ server: Server) {
        let sessions = ledger.state.withLock { $0.sessions.suffix(2) }
        guard let session = random(of: Array(sessions)) else { return }
        switch random(1...12) {
        case 1...6:
            let number = ledger.nextNumber()
            let name = random(of: ["time", "ask", "ask", "cancel", "push", "pop"]) ?? "ask"
            let payload = PlainValue.object([PlainField("number", .int(number))])
            ledger.state.withLock { $0.events[number] = Ledger.Event() }
            let event = EventRequest(name: "tally.\(name)", payload: payload, at: nil)
            inject(EventInjection(event, wantsRoute: false), into: session, on: server)
        case 7...8: sweep(server)
        case 9: advance(by: 1)
        case 10: advance(by: 2, isCalm: true)
        case 11: for _ in 0..<20 { schedule.pump() }
        default: chance(1, of: 3) ? crash(server) : outage(of: server)
        }
    }

    /// The latest version of a session that clients have seen.
    private func version(of session: SessionID) -> Int {
        ledger.state.withLock { $0.versions[session] ?? 0 }
    }

    private func sweep(_ server: Server) {
        ledger.trace("server \(server.number) sweeps")
        server.registry.sweep()
    }

    private func outage(of server: Server) {
        if chance(1, of: 2) {
            ledger.trace("the journal of server \(server.number) becomes unavailable")
            server.journal.disconnect()
        } else {
            ledger.trace("the journal of server \(server.number) is available again")
            server.journal.reconnect()
        }
    }

    // MARK: Requests

    /// Finds a session on a server, as every request does, and uses it.
    private func find(_ id: SessionID, on server: Server) async throws(SessionError) -> Session {
        let session = try await server.registry.find(id)
        recordUse(of: id)
        return session
    }

    /// Makes a request to a server, and checks what every response must satisfy.
    private func ask<Value: Sendable>(
        _ text: @autoclosure () -> String, of id: SessionID?, on server: Server,
        _ body: @escaping @Sendable (Int) async throws(SessionError) -> Value,
        then check: @escaping @Sendable (Int, Result<Value, SessionError>) -> Void
    ) {
        let request = ledger.begin(text(), on: server.number, at: now)
        let hadEnded = id.map { id in ledger.state.withLock { $0.ended.contains(id) } } ?? false
        let task = begin(on: server) { () async throws(SessionError) in
            try await body(request)
        } then: { result in
            self.ledger.answer(request, "\(result)")
            switch result {
            case .success:
                self.ledger.count("successes")
                if hadEnded { self.ledger.violation("#\(request) succeeded after the session's end") }
            case .failure(let error): self.check(error, of: request, id, on: server)
            }
            check(request, result)
        }
        tasks.withLock { $0[request] = task }
    }

    /// The client of a request leaves before it gets its response.
    private func abandon() {
        let open = ledger.state.withLock { state in state.requests.indices.filter { state.requests[$0].answers == 0 } }
        guard let request = random(of: open), let task = tasks.withLock({ $0[request] }) else { return }
        ledger.trace("the client of #\(request) leaves")
        ledger.state.withLock { $0.requests[request].isAbandoned = true }
        task.cancel()
    }

    // MARK: Events

    private func injection(into session: SessionID?, isConditional: Bool = false, hasKey: Bool = false)
        -> EventInjection
    {
        let number = ledger.nextNumber()
        let payload = PlainValue.object([PlainField("number", .int(number))])
        let event =
            switch random(1...30) {
            case 1...8:
                EventRequest(name: "tally.note", payload: payload, at: chance(1, of: 3) ? "TallyCoordinator" : nil)
            case 9...13: EventRequest(name: "tally.push", payload: payload, at: nil)
            case 14...16: EventRequest(name: "tally.pop", payload: payload, at: nil)
            // There is a second page only if one was pushed.
            case 17: EventRequest(name: "tally.note", payload: payload, at: "TallyCoordinator/PageCoordinator-2")
            case 18: EventRequest(name: "tally.nothing", payload: payload, at: nil)
            case 19...20: EventRequest(opening: "/tally/\(number)")
            case 21...24: EventRequest(name: "tally.time", payload: payload, at: nil)
            case 25...28: EventRequest(name: "tally.ask", payload: payload, at: nil)
            case 29: EventRequest(name: "tally.cancel", payload: payload, at: nil)
            default: EventRequest(name: "tally.called", payload: payload, at: nil, origin: .host)
            }
        let wantsRoute = chance(2, of: 3)
        var condition = VersionCondition.none
        var known = Ledger.Event()
        if isConditional, let session {
            let version = max(0, version(of: session) - (chance(1, of: 4) ? 1 : 0))
            condition = VersionCondition(isOneOf: .some([version]))
            known.condition = version + 1
        }
        let retry =
            hasKey && session != nil
            ? Retry(key: "key \(number)", fingerprint: UInt64(number), isMinimal: !wantsRoute) : nil
        let injection = EventInjection(event, if: condition, retry: retry, wantsRoute: wantsRoute)
        if let retry, let session {
            ledger.state.withLock { state in
                let key = Ledger.RetryKey(session: session, key: retry.key)
                state.retries[key] = Ledger.RetriedEvent(injection: injection, number: number)
                state.retryOrder.append(key)
            }
        }
        ledger.state.withLock { [known] in $0.events[number] = known }
        return injection
    }

    private func repeatInjection(on server: Server) {
        let retries = ledger.state.withLock { $0.retryOrder }
        guard let key = random(of: retries), let retried = ledger.state.withLock({ $0.retries[key] }) else { return }
        inject(retried.injection, into: key.session, on: server)
    }

    private func inject(_ injection: EventInjection, into id: SessionID, on server: Server) {
        let number = injection.event.payload.number ?? 0
        let retry = injection.retry.map { Ledger.RetryKey(session: id, key: $0.key) }
        ask(
            "inject \(injection.event.name) \(number) into \(ledger.name(id)) if \(injection.condition) "
                + "key \(injection.retry?.key ?? "none")", of: id, on: server
        ) { request async throws(SessionError) in
            self.pending(number, request, true)
            return try await self.find(id, on: server).inject(injection)
        } then: { request, result in
            self.pending(number, request, false)
            switch result {
            case .success(let outcome):
                self.recordAccepted(number, at: outcome.version, in: id, of: request)
                if let route = outcome.route { self.see(route, outcome.version, of: id, by: "outcome #\(request)") }
                guard let retry else { return }
                let former = self.ledger.state.withLock { state in
                    let former = state.retries[retry]?.version
                    state.retries[retry]?.version = outcome.version
                    return former
                }
                if let former, former != outcome.version {
                    self.ledger.violation(
                        "#\(request) is a repetition of version \(former), but produced \(outcome.version)")
                }
            case .failure(let error): self.recordRefused(number, error)
            }
        }
    }

    /// Emits an event that only the app may emit.
    private func emitForbidden(into id: SessionID, on server: Server) {
        let payload = PlainValue.object([PlainField("number", .int(ledger.nextNumber()))])
        let name = chance(1, of: 2) ? "tally.rang" : "tally.worked"
        let injection = EventInjection(EventRequest(name: name, payload: payload, at: nil), wantsRoute: false)
        ask("forbidden \(name) into \(ledger.name(id))", of: id, on: server) { _ async throws(SessionError) in
            try await self.find(id, on: server).inject(injection)
        } then: { request, result in
            if case .success = result { self.ledger.violation("#\(request) was taken") }
        }
    }

    // MARK: Sessions

    private func create(on server: Server, with first: EventInjection? = nil) {
        let number = first.map { $0.event.payload.number ?? 0 }
        let options = chance(1, of: 3) ? [PlainField("alarm", .int(random(1...20)))] : []
        ask("create, with \(number ?? 0)", of: nil, on: server) { request async throws(SessionError) in
            if let number { self.pending(number, request, true) }
            return try await server.registry.begin(options: .object(options), with: first)
        } then: { request, result in
            if let number { self.pending(number, request, false) }
            switch result {
            case .success(let new):
                let id = new.session.id
                self.ledger.know(id)
                self.recordUse(of: id)
                guard let number else { return }
                guard let outcome = new.outcome else {
                    return self.ledger.violation("#\(request) has no outcome")
                }
                self.recordAccepted(number, at: outcome.version, in: id, of: request)
                if let route = outcome.route { self.see(route, outcome.version, of: id, by: "outcome #\(request)") }
            case .failure(let error):
                if let number { self.recordRefused(number, error) }
            }
        }
    }

    private func fork(_ id: SessionID, at version: Int, on server: Server) {
        let version = max(0, version)
        let withholdsWork = chance(1, of: 3)
        let kind = withholdsWork ? " without its work" : ""
        ask("fork \(ledger.name(id)) at \(version)\(kind)", of: id, on: server) { _ async throws(SessionError) in
            try await server.registry.fork(
                self.find(id, on: server), at: version, withholdingWork: withholdsWork)
        } then: { request, result in
            guard case .success(let summary) = result else { return }
            let fork = summary.head.record.id
            if summary.head.record.isWorkWithheld != (withholdsWork || self.store.isWorkWithheld(in: id)) {
                self.ledger.violation("#\(request) forked \(self.ledger.name(id)), and got \(summary.head.record)")
            }
            self.ledger.know(fork)
            if summary.head.version < version || self.store.inheritedVersion(of: fork) != version {
                self.ledger.violation("#\(request) forked at \(version), and got \(summary.head.version)")
            }
        }
    }

    private func end(_ id: SessionID, if version: Int?, on server: Server) {
        let condition = version.map { VersionCondition(isOneOf: .some([$0])) } ?? .none
        ask("end \(ledger.name(id)) if \(version ?? -1)", of: nil, on: server) { _ async throws(SessionError) in
            try await server.registry.end(self.find(id, on: server), if: condition)
        } then: { request, result in
            guard case .success = result else { return }
            _ = self.ledger.state.withLock { $0.ended.insert(id) }
            if self.store.contains(id) { self.ledger.violation("#\(request) reported an end that did not happen") }
        }
    }

    private func summary(of id: SessionID, on server: Server) {
        let floor = store.version(of: id) ?? 0
        // A session is used when the request arrives, however long the response takes.
        let time = now
        ask("summary of \(ledger.name(id))", of: id, on: server) { _ async throws(SessionError) in
            try await server.registry.summary(of: id)
        } then: { request, result in
            guard case .success(let summary) = result else { return }
            self.recordUse(of: id, at: time)
            self.checkFloor(summary.head.version, floor, request)
            var tally = Tally(self.store.firstWork(of: id) ?? [])
            for entry in (self.store.history(of: id) ?? []).prefix(summary.head.version) { tally.take(entry) }
            if summary.head.pending != tally.pending.count {
                self.ledger.violation("#\(request) reported \(summary.head.pending) pending pieces")
            }
        }
    }

    // MARK: Reading

    private func route(of id: SessionID, unless known: Int? = nil, on server: Server) {
        let floor = store.version(of: id) ?? 0
        ask("route of \(ledger.name(id)) unless \(known ?? -1)", of: id, on: server) { _ async throws(SessionError) in
            try await self.find(id, on: server).route(unless: known.map { .some([$0]) })
        } then: { request, result in
            switch result {
            case .success(.route(let version, let route)):
                self.checkFloor(version, floor, request)
                self.checkTimers(of: id, at: version, floor, request)
                self.see(route, version, of: id, by: "reader #\(request)")
                if version == known { self.ledger.violation("#\(request) got a route that it knew") }
            case .success(.unchanged(let version, _)):
                self.checkFloor(version, floor, request)
                self.checkTimers(of: id, at: version, floor, request)
                if version != known { self.ledger.violation("#\(request) did not get a route that it did not know") }
            case .failure: break
            }
        }
    }

    private func route(of id: SessionID, at wanted: Int, on server: Server) {
        let wanted = max(0, wanted)
        let floor = store.version(of: id) ?? 0
        ask("route of \(ledger.name(id)) at \(wanted)", of: id, on: server) { _ async throws(SessionError) in
            try await self.find(id, on: server).route(at: wanted)
        } then: { request, result in
            switch result {
            case .success(.route(let version, let route)):
                if version != wanted { self.ledger.violation("#\(request) got another version") }
                self.see(route, version, of: id, by: "reader #\(request)")
            case .failure(.unknownVersion(let current)):
                if wanted <= floor || current < floor { self.ledger.violation("#\(request) did not find a version") }
            case .success, .failure: break
            }
        }
    }

    private func entries(of id: SessionID, on server: Server) {
        let floor = store.version(of: id) ?? 0
        let (after, limit) = (random(0...3), random(1...20))
        ask("entries of \(ledger.name(id)) after \(after)", of: id, on: server) { _ async throws(SessionError) in
            try await self.find(id, on: server).entries(after: after, limit: limit)
        } then: { request, result in
            guard case .success(let page) = result else { return }
            let there = self.store.history(of: id) ?? []
            if page.entries != Array(there.dropFirst(after).prefix(page.entries.count)) || page.entries.count > limit {
                self.ledger.violation("#\(request) got other entries")
            }
            if page.next == nil, floor > after { self.checkFloor(after + page.entries.count, floor, request) }
        }
    }

    // MARK: Following

    private func follow(_ id: SessionID, on server: Server) {
        let known = chance(1, of: 3) ? max(0, version(of: id) - random(0...3)) : nil
        let patience = chance(1, of: 4) ? random(1...3) : 1_000
        follow(id, after: known, patience: patience, on: server)
    }

    /// Waits for one version that the client does not know.
    private func wait(for id: SessionID, on server: Server) {
        follow(id, unless: version(of: id), patience: 1, on: server)
    }

    /// - Parameters:
    ///   - missed: The version after which the client also wants the versions that it missed; `nil` if it wants none.
    ///   - known: The only version that the client does not wait for; `nil` if it does not wait.
    private func follow(
        _ id: SessionID, after missed: Int? = nil, unless known: Int? = nil, patience: Int, on server: Server
    ) {
        let floor = store.version(of: id) ?? 0
        let (request, watcher) = ledger.withWatcher(of: id, on: server, patience: patience, knowing: known, in: self)
        ledger.trace("#\(request) follows \(ledger.name(id)) after \(missed ?? -1), or waits, knowing \(known ?? -1)")
        begin(on: server) { () async throws(SessionError) in
            let session = try await self.find(id, on: server)
            let place = try await session.follow(watcher) { version, route in watcher.welcome(version, route) }
            return (session, place)
        } then: { (result: Result<(Session, FollowerID?), SessionError>) in
            self.ledger.answer(request, "\(result)")
            switch result {
            case .failure(let error): self.check(error, of: request, id, on: server)
            case .success(let (session, place)):
                watcher.join(session, as: place)
                let first = watcher.first ?? -1
                self.checkFloor(first, floor, request)
                if let missed, missed < first {
                    self.catchUp(with: session, on: server, after: missed, upTo: first - 1, for: watcher)
                }
            }
        }
    }

    /// Shows a client the versions that it missed before it was welcomed.
    private func catchUp(
        with session: Session, on server: Server, after known: Int, upTo last: Int, for watcher: Watcher
    ) {
        let seen = Versions(after: known)
        begin(on: server) { () async throws(SessionError) in
            try await session.forEachRoute(after: known, upTo: last) { version, route in
                self.see(route, version, of: session.id, by: "follower #\(watcher.request) from the past")
                seen.add(version)
                return true
            }
        } then: { result in
            switch result {
            case .success:
                if !seen.isComplete(upTo: last) {
                    self.ledger.violation("follower #\(watcher.request) missed something of \(known)…\(last)")
                }
            case .failure: watcher.leave()
            }
        }
    }

    private func unfollow() {
        let watchers = ledger.state.withLock { $0.watchers }.filter { $0.isFollowing && !isGone($0.server) }
        guard let watcher = random(of: watchers) else { return }
        ledger.trace("follower #\(watcher.request) leaves")
        watcher.leave()
    }
}
