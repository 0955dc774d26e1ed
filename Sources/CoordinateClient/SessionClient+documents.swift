extension SessionClient {
    /// Opens a deep link.
    ///
    /// ```swift
    /// try await client.open("/main/teams/team/ferrari")
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` if the path leads nowhere.
    @discardableResult
    public func open(
        _ path: String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Outcome {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await send(["path": .string(path)], "PUT", "/route", from: callSite)
            .decode(Document.Outcome.self, status: 200)
    }

    /// The route of this client's session. Creates a session if the client has none.
    ///
    /// ```swift
    /// #expect(try await client.route().path == "/splash")
    /// ```
    public func route(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Route {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await get("/route", from: callSite).decode(Document.Route.self, status: 200)
    }

    /// The document of this client's session.
    ///
    /// ```swift
    /// #expect(try await client.session().version == 0)
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` if the client has no session yet.
    public func session(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Session {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await get("/sessions/\(sessionID ?? "none")", from: callSite).decode(
            Document.Session.self, status: 200)
    }

    /// A page of the journal of this client's session.
    ///
    /// ```swift
    /// #expect(try await client.journal().events.map(\.event) == ["splash.didFinish"])
    /// ```
    public func journal(
        after version: Int = 0, limit: Int = 1_000,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Journal {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await get("/events?after=\(version)&limit=\(limit)", from: callSite).decode(
            Document.Journal.self, status: 200)
    }

    /// The route of this client's session after an event.
    ///
    /// ```swift
    /// #expect(try await client.route(at: 0).path == "/splash")
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` if there is no such version.
    public func route(
        at version: Int,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Route {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await get("/route?version=\(version)", from: callSite).decode(Document.Route.self, status: 200)
    }

    /// The difference between the routes of this client's session after two events.
    ///
    /// ```swift
    /// try await client.emit("teams.setFavorite", ["team": "ferrari"])
    /// let changes = try await client.changes(from: 2, to: 3)
    /// #expect(changes["/navigation/tabs/2/badge"]?.to == "1")
    /// ```
    ///
    /// - Parameters:
    ///   - version: The version of each change's `from`.
    ///   - other: The version of each change's `to`. It may be the lower one.
    /// - Throws: ``UnexpectedAnswer`` if there is no such version.
    public func changes(
        from version: Int, to other: Int,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Changes {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await get(
            "/sessions/\(sessionID ?? "none")/changes?from=\(version)&to=\(other)", from: callSite
        )
        .decode(Document.Changes.self, status: 200)
    }

    /// The whole journal of this client's session, a header and then one event per line, for
    /// `TestServer.client(replaying:)` and `CoordinatedApp.replay(_:)`.
    ///
    /// ```swift
    /// let journal = try await client.exportedJournal()
    /// ```
    public func exportedJournal(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> [UInt8] {
        let answer = try await get(
            "/events", headers: ["Accept": "application/x-ndjson"],
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        guard answer.status == 200 else { throw UnexpectedAnswer(answer: answer, expected: "200") }
        return answer.body
    }

    /// Creates a client in a new session with the first events of this client's session.
    ///
    /// ```swift
    /// let other = try await client.fork(at: 3)
    /// try await other.emit("navigation.back")
    /// #expect(try await client.route() != other.route())
    /// ```
    ///
    /// - Parameter work: `withheld` if pending work must not start in the new session.
    /// - Throws: ``UnexpectedAnswer`` if there is no such version.
    public func fork(
        at version: Int, work: Document.Session.Work? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> SessionClient {
        var request: [String: JSON] = ["version": .int(version)]
        if let work { request["work"] = .string(work.rawValue) }
        let answer = try await send(
            .object(request), "POST", "/sessions/\(sessionID ?? "none")/forks",
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        return inSession(try answer.decode(Document.Session.self, status: 201).id)
    }
}
