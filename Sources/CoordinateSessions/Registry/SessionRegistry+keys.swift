package import Coordinate

/// Sessions that a backend finds again.
extension SessionRegistry {
    /// The session with a key. This counts as a use, and does not bring the session into memory.
    package func session(withKey key: String, for client: ClientKey = .host) -> Future<SessionSummary, SessionError> {
        summary(of: host.journal.session(withKey: key, of: host.app.name), for: client)
    }

    /// The session with a reference. This counts as a use, and does not bring the session into memory.
    package func session(
        withReference reference: String, for client: ClientKey = .host
    ) -> Future<SessionSummary, SessionError> {
        summary(of: host.journal.session(withReference: reference, of: host.app.name), for: client)
    }

    private func summary(
        of found: Future<SessionID?, JournalError>, for client: ClientKey
    ) -> Future<SessionSummary, SessionError> {
        found.then(on: host.executor(of: client)) { result in
            switch result {
            case .success(let id?): self.summary(of: id, for: client)
            case .success(nil): .failed(.hasEnded)
            case .failure(let error): .failed(SessionError(error))
            }
        }
    }

    /// Returns the session with a key, as it is, or creates one. Any number of these at once, on any servers, create one
    /// session. If the outcome of a creation is unknown, another call finds the session, or creates it.
    ///
    /// The other parameters are those of ``begin(options:with:events:key:attributes:for:)``.
    package func getOrBegin(
        key: String, options: PlainValue = .object([]), with first: EventInjection? = nil, events: [EventRequest] = [],
        attributes: [String: String] = [:], for client: ClientKey = .host
    ) -> Future<(summary: SessionSummary, isNew: Bool), SessionError> {
        guard host.journal.findsSessions else { return .failed(.keysUnsupported) }
        return getOrBegin(key, for: client, attempts: 4) {
            self.begin(
                options: options, with: first, events: events, key: key, attributes: attributes, for: client)
        }
    }

    /// - Parameter attempts: The most times that the key is looked up: its session may end, and another one begin, in the
    ///   meantime.
    private func getOrBegin(
        _ key: String, for client: ClientKey, attempts: Int,
        _ begin: @escaping @Sendable () -> Future<NewSession, SessionError>
    ) -> Future<(summary: SessionSummary, isNew: Bool), SessionError> {
        let executor = host.executor(of: client)
        return session(withKey: key, for: client).then(on: executor) { known in
            switch known {
            case .success(let summary): return .now((summary, false))
            case .failure(.hasEnded): break
            case .failure(let error): return .failed(error)
            }
            return begin().then(on: executor) { new in
                switch new {
                case .success(let new):
                    return new.session.summary(for: client).mapResult(on: executor) { result in
                        // The session exists now, whatever the result of this is.
                        result.map { ($0, true) }.mapError {
                            if case .journal = $0 { .journal(.outcomeUnknown) } else { $0 }
                        }
                    }
                case .failure(.keyTaken) where attempts > 1:
                    return self.getOrBegin(key, for: client, attempts: attempts - 1, begin)
                case .failure(let error): return .failed(error)
                }
            }
        }
    }

    /// Ends the session that has another session's key, if it has expired.
    ///
    /// - Returns: Whether the key may be free now.
    func freeKey(of session: SessionRecord, for client: ClientKey) -> Future<Bool, SessionError> {
        guard let key = session.key else { return .now(false) }
        let executor = host.executor(of: client)
        return host.journal.session(withKey: key, of: session.app).then(on: executor) { result in
            switch result {
            case .success(let id?): self.endExpired(id, for: client)
            case .success(nil): .now(true)
            case .failure(let error): .failed(SessionError(error))
            }
        }
    }

    /// Ends a session if it has expired, by the journal's clock.
    private func endExpired(_ id: SessionID, for client: ClientKey) -> Future<Bool, SessionError> {
        let (executor, now) = (host.executor(of: client), host.clock.uptime())
        if let session = inMemory(id), !session.hasExpired(by: now) { return .now(false) }
        return host.journal.head(of: id).then(on: executor) { result in
            switch result {
            case .failure(let error): return .failed(SessionError(error))
            case .success(nil): return .now(true)
            case .success(let head?):
                guard head.expiresAt <= self.host.clock.moment(at: now) else { return .now(false) }
                return self.host.journal.end(id, at: head.damage == nil ? head.version : nil).mapResult(on: executor) {
                    if case .success = $0 {
                        self.inMemory(id)?.post(.input(.vanished), on: self.host.executor)
                        self.host.didEnd(id)
                    }
                    return $0.map { true }.mapError(SessionError.init)
                }
            }
        }
    }
}
