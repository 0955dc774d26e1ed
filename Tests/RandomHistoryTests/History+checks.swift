import Coordinate
import CoordinateSessions
import MisbehavingJournal
import SessionFixtures
import Synchronization

extension History {
    // MARK: During the history

    func recordUse(of session: SessionID, at time: Int? = nil) {
        let time = time ?? now
        ledger.state.withLock { $0.lastUse[session] = max($0.lastUse[session] ?? 0, time) }
    }

    /// Notes that a request with an event is under way, or no longer. If it gets no response, the outcome stays
    /// unknown.
    func pending(_ number: Int, _ request: Int, _ isPending: Bool) {
        ledger.state.withLock { state in
            if isPending {
                state.open[request] = number
            } else {
                state.open[request] = nil
            }
        }
    }

    func recordAccepted(_ number: Int, at version: Int, in session: SessionID, of request: Int) {
        let condition = ledger.state.withLock { state in
            state.events[number]?.isAccepted = true
            state.versions[session] = max(state.versions[session] ?? 0, version)
            return state.events[number]?.condition
        }
        if let condition, condition != version {
            ledger.violation("#\(request) was accepted at \(version), but allowed only at \(condition)")
        }
        guard let history = store.history(of: session), version >= 1, version <= history.count else {
            return ledger.violation("#\(request) was accepted as \(version), which is not committed")
        }
        if history[version - 1].payload.number != number {
            ledger.violation("#\(request) was accepted as \(version), which is another event")
        }
    }

    func recordRefused(_ number: Int, _ error: SessionError) {
        switch error {
        // Events accepted before the end are deleted with the session.
        case .journal(.outcomeUnknown), .outcomeUnavailable, .hasEnded:
            ledger.state.withLock { $0.events[number]?.isUncertain = true }
        default: break
        }
    }

    func checkFloor(_ version: Int, _ floor: Int, _ request: Int) {
        if version < floor { ledger.violation("#\(request) got \(version), although \(floor) existed before") }
    }

    /// Checks that the timers have fired that were due when a request arrived.
    ///
    /// - Parameters:
    ///   - version: The version that it was shown.
    ///   - floor: The version that existed when it arrived.
    func checkTimers(of session: SessionID, at version: Int, _ floor: Int, _ request: Int) {
        guard !store.isWorkWithheld(in: session) else { return }
        let time = moment(at: ledger.state.withLock { $0.requests[request].time })
        var tally = Tally(store.firstWork(of: session) ?? [])
        for entry in store.history(of: session)?.prefix(version) ?? [] { tally.take(entry) }
        for timer in tally.pending {
            // Another server may set a timer of an earlier time after the request has arrived.
            guard let due = timer.due, due < time, let setAt = Int(timer.id.prefix { $0 != "-" }), setAt <= floor else {
                continue
            }
            ledger.violation("#\(request) was shown \(version), although \(timer.id) was due")
        }
    }

    /// Checks that an error is allowed, and true.
    func check(_ error: SessionError, of request: Int, _ session: SessionID?, on server: Server) {
        if case .abandoned = error { ledger.count("abandoned") }
        switch error {
        case .hasEnded:
            // For a slow request it is unknown when its session's expiry was checked.
            guard let session, let expiry = store.expiry(of: session), expiry > moment(at: now),
                ledger.state.withLock({ $0.requests[request].time == now })
            else { return }
            ledger.violation("#\(request) reported that \(ledger.name(session)) has ended, but it has not")
        case .journal(.unavailable), .journal(.outcomeUnknown), .tooBusy, .outcomeUnavailable, .versionConflict,
            .unknownVersion, .unknownCoordinator, .unknownEvent:
            break
        case .draining where isDraining(server): break
        case .abandoned where ledger.state.withLock({ $0.requests[request].isAbandoned }): break
        case .eventNotAllowed where ledger.state.withLock({ $0.requests[request].text.hasPrefix("forbidden") }): break
        default: ledger.violation("#\(request) was refused because: \(error)")
        }
    }

    private func isDraining(_ server: Server) -> Bool { server.registry.host.scheduler.isCancelled }

    /// Checks, after the clock has moved, that no session expires that was used in time.
    func checkExpiry() {
        let now = now
        let (uses, watchers) = ledger.state.withLock { ($0.lastUse, $0.watchers) }
        for (session, use) in uses.sorted(by: { $0.value < $1.value }) {
            guard let expiry = store.expiry(of: session), expiry <= moment(at: now) else { continue }
            if use + Self.idleTime > now {
                ledger.violation("\(ledger.name(session)) expires at \(now), but was used at \(use)")
            }
            let followers = watchers.filter { $0.id == session && $0.isFollowing && !isGone($0.server) }
            if let follower = followers.first {
                ledger.violation("\(ledger.name(session)) expires at \(now), but #\(follower.request) follows it")
            }
        }
    }

    // MARK: At the end

    /// Waits until nothing is under way, and checks the final state.
    func finish() {
        ledger.trace("all faults end")
        for server in allServers { server.journal.endFaults() }
        while schedule.pump() {}
        settle()
        for server in allServers {
            checkRequests(of: server.number)
            checkFollowers(of: server)
        }
        checkEntries()
        checkWork()
        checkEvents()
        checkServersAgree()
        checkSightings()
        checkThatNothingIsLeft()
    }

    func checkRequests(of server: Int) {
        let requests = ledger.state.withLock { $0.requests }
        for (number, request) in requests.enumerated() where request.server == server && request.answers != 1 {
            ledger.violation("#\(number) got \(request.answers) responses: \(request.text)")
        }
    }

    /// Checks that the remaining followers have been notified of everything.
    func checkFollowers(of server: Server) {
        for watcher in ledger.state.withLock({ $0.watchers }) where watcher.server == server.number {
            guard watcher.isFollowing else { continue }
            guard !isDraining(server) else {
                ledger.violation("follower #\(watcher.request) was not released")
                continue
            }
            if !store.contains(watcher.id) {
                ledger.violation("follower #\(watcher.request) was not notified of the end")
            } else if watcher.last != store.version(of: watcher.id) {
                ledger.violation(
                    "follower #\(watcher.request) was last notified of \(watcher.last ?? -1), but there is "
                        + "\(store.version(of: watcher.id) ?? -1)")
            }
        }
    }

    private func checkEntries() {
        for session in store.allSessions {
            let name = ledger.name(session)
            let entries = store.history(of: session) ?? []
            let own = entries.dropFirst(store.inheritedVersion(of: session))
            if entries.map(\.version) != Array(1...max(1, entries.count)).prefix(entries.count).map({ $0 }) {
                ledger.violation("\(name) has a gap: \(entries.map(\.version))")
            }
            if Set(own.map(\.mark)).count != own.count { ledger.violation("\(name) has two entries with one mark") }
            let keys = own.compactMap(\.retry?.key)
            if Set(keys).count != keys.count { ledger.violation("\(name) has two entries with one key") }
            if zip(entries, entries.dropFirst()).contains(where: { $0.time > $1.time }) {
                ledger.violation("\(name) goes back in time")
            }
        }
    }

    private func checkEvents() {
        var places: [Int: [(session: SessionID, version: Int)]] = [:]
        for session in store.allSessions {
            for entry in (store.history(of: session) ?? []).dropFirst(store.inheritedVersion(of: session)) {
                if entry.pending == nil, let number = entry.payload.number {
                    places[number, default: []].append((session, entry.version))
                }
            }
        }
        let (events, open) = ledger.state.withLock { ($0.events, Set($0.open.values)) }
        for (number, event) in events.sorted(by: { $0.key < $1.key }) {
            let found = places[number] ?? []
            if event.isAccepted, found.count != 1 {
                ledger.violation("\(number) was accepted, but exists \(found.count) times")
            } else if !event.isAccepted, !event.isUncertain, !open.contains(number), let place = found.first {
                ledger.violation(
                    "\(number) was refused, but is version \(place.version) of \(ledger.name(place.session))")
            } else if found.count > 1 {
                ledger.violation("\(number) exists \(found.count) times")
            }
            if let condition = event.condition, let place = found.first, place.version != condition {
                ledger.violation("\(number) was allowed only at version \(condition), but is \(place.version)")
            }
        }
    }

    /// Reads every session on every server, and each version on one or all of them.
    private func checkServersAgree() {
        let sessions = ledger.state.withLock { $0.sessions }
        let isThorough = chance(1, of: 4)
        for session in sessions where store.contains(session) {
            let last = store.version(of: session) ?? 0
            let guide = random(of: allServers)?.number
            for server in allServers {
                let request = ledger.begin(
                    "route of \(ledger.name(session)) at the end", on: server.number, at: now)
                begin(on: server) { () async throws(SessionError) in
                    let session = try await server.registry.find(session)
                    let reading = try await session.route()
                    if case .route(last, let route) = reading {
                        self.see(route, last, of: session.id, by: "server \(server.number) at the end")
                    } else {
                        self.ledger.violation("server \(server.number) is not at \(last): \(reading)")
                    }
                    guard isThorough || server.number == guide else { return }
                    let seen = Versions(after: 0)
                    try await session.forEachRoute(after: 0, upTo: last) { version, route in
                        self.see(route, version, of: session.id, by: "server \(server.number) at the end")
                        seen.add(version)
                        return true
                    }
                    if !seen.isComplete(upTo: last) { self.ledger.violation("some versions are not shown") }
                } then: { result in
                    self.ledger.answer(request, "\(result)")
                    if case .failure(let error) = result { self.ledger.violation("#\(request): \(error)") }
                }
                while schedule.pump() {}
                if !ledger.isAnswered(request) { ledger.violation("#\(request) got no response") }
            }
        }
    }

    /// Checks that everything seen at a version follows from the entries up to it.
    private func checkSightings() {
        var pictures: [SessionID: [String]] = [:]
        for session in store.allSessions {
            var tally = Tally(store.firstWork(of: session) ?? [])
            var texts = [tally.text]
            for entry in store.history(of: session) ?? [] {
                tally.take(entry)
                texts.append(tally.text)
            }
            pictures[session] = texts
        }
        for sighting in ledger.state.withLock({ $0.sightings }) {
            let texts = pictures[sighting.session] ?? []
            guard sighting.version < texts.count, texts[sighting.version] == sighting.text else {
                let text = sighting.version < texts.count ? texts[sighting.version] : "none"
                ledger.violation(
                    "\(sighting.by) saw \(ledger.name(sighting.session)) at \(sighting.version) as \(sighting.text), "
                        + "but it was \(text)")
                continue
            }
        }
    }

    /// Checks that nothing stays under way, and that no object is retained without need.
    private func checkThatNothingIsLeft() {
        for watcher in ledger.state.withLock({ $0.watchers }) { watcher.leave() }
        for _ in 0..<2 {
            advance(by: 2 * Self.passivationTime, step: 2 * Self.passivationTime)
            while schedule.pump() {}
        }
        for server in allServers {
            let counters = server.registry.host.counters
            if counters.quarantined > 0 { ledger.violation("server \(server.number) has quarantined a session") }
            if counters.trees > 0 { ledger.violation("server \(server.number) has \(counters.trees) trees left") }
        }
    }
}

extension Ledger {
    func withWatcher(
        of id: SessionID, on server: History.Server, patience: Int, knowing known: Int?, in history: History
    ) -> (Int, Watcher) {
        let request = begin("follow", on: server.number, at: history.now)
        let watcher = Watcher(
            of: id, on: server.number, request: request, patience: patience, knowing: known, in: history)
        state.withLock { $0.watchers.append(watcher) }
        return (request, watcher)
    }
}
