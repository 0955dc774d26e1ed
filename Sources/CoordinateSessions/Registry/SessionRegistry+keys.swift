package import Coordinate

/// Sessions that a backend finds again.
extension SessionRegistry {
    /// The session with a key. This counts as a use, and does not bring the session into memory.
    package func session(
        withKey key: String, for client: ClientKey = .host
    ) async throws(SessionError) -> SessionSummary {
        try await summary(for: client) { () throws(JournalError) in
            try await host.journal.session(withKey: key, of: host.app.name)
        }
    }

    /// The session with a reference. This counts as a use, and does not bring the session into memory.
    package func session(
        withReference reference: String, for client: ClientKey = .host
    ) async throws(SessionError) -> SessionSummary {
        try await summary(for: client) { () throws(JournalError) in
            try await host.journal.session(withReference: reference, of: host.app.name)
        }
    }

    private func summary(
        for client: ClientKey, find: () async throws(JournalError) -> SessionID?
    ) async throws(SessionError) -> SessionSummary {
        let id: SessionID?
        do throws(JournalError) {
            id = try await find()
        } catch {
            throw SessionError(error)
        }
        guard let id else { throw .hasEnded }
        return try await summary(of: id, for: client)
    }

    /// Returns the session with a key, as it is, or creates one. Any number of these at once, on any servers, create one
    /// session. If the outcome of a creation is unknown, another call finds the session, or creates it.
    ///
    /// The other parameters are those of ``begin(options:with:events:key:attributes:for:)``.
    package func getOrBegin(
        key: String, options: PlainValue = .object([]), with first: EventInjection? = nil, events: [EventRequest] = [],
        attributes: [String: String] = [:], for client: ClientKey = .host
    ) async throws(SessionError) -> (summary: SessionSummary, isNew: Bool) {
        guard host.journal.findsSessions else { throw .keysUnsupported }
        // The session with the key may end, and another one begin, in the meantime.
        for _ in 0..<4 {
            do throws(SessionError) {
                return (try await session(withKey: key, for: client), false)
            } catch .hasEnded {}
            let new: NewSession
            do throws(SessionError) {
                new = try await begin(
                    options: options, with: first, events: events, key: key, attributes: attributes, for: client)
            } catch .keyTaken {
                continue
            }
            do throws(SessionError) {
                return (try await new.session.summary(), true)
            } catch .journal {
                // The session exists now.
                throw .journal(.outcomeUnknown)
            }
        }
        throw .keyTaken
    }

    /// Ends the session that has another session's key, if it has expired by the journal's clock.
    ///
    /// - Returns: Whether the key may be free now.
    func freeKey(of record: SessionRecord) async throws(JournalError) -> Bool {
        guard let key = record.key else { return false }
        guard let id = try await host.journal.session(withKey: key, of: record.app) else { return true }
        let now = host.clock.uptime()
        if let session = inMemory(id), !session.hasExpired(by: now) { return false }
        guard let head = try await host.journal.head(of: id) else { return true }
        guard head.expiresAt <= host.clock.moment(at: now) else { return false }
        try await host.journal.end(id, at: head.damage == nil ? head.version : nil)
        vanish(id)
        return true
    }
}
