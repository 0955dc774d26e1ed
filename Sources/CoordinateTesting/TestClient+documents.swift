extension TestClient {
    /// Injects an event into this client's session; where it has none, a new one is made.
    ///
    /// ```swift
    /// let outcome = try await client.emit("teams.didSelect", ["team": "ferrari"])
    /// #expect(outcome.handledBy == "AppCoordinator/MainCoordinator")
    /// ```
    ///
    /// - Parameters:
    ///   - coordinator: The id of the coordinator at which it is emitted; nil for the visible leaf.
    ///   - pending: The id of the work or the timer whose outcome it is, in a session whose work is withheld.
    /// - Throws: ``UnexpectedAnswer`` where the event is refused. An event that no coordinator handles is an outcome.
    @discardableResult
    public func emit(
        _ event: String, _ payload: JSON = [:], at coordinator: String? = nil, pending: String? = nil
    ) async throws -> Document.Outcome {
        var request: [String: JSON] = ["event": .string(event), "payload": payload]
        if let coordinator { request["at"] = .string(coordinator) }
        if let pending { request["pending"] = .string(pending) }
        return try await post("/events", json: .object(request)).decode(Document.Outcome.self, status: 200)
    }

    /// Takes an action that the route offers.
    ///
    /// ```swift
    /// let route = try await client.route()
    /// try await client.emit(#require(route.navigation.back))
    /// try await client.emit(#require(route.screen.actions.first), entering: ["zip": "8001"])
    /// ```
    ///
    /// - Parameter values: The values that are entered into the action's inputs; the others stay as they are shown.
    /// - Throws: ``UnknownInput`` where the form has no such field.
    @discardableResult
    public func emit(
        _ action: Document.Action, entering values: [String: JSON] = [:]
    ) async throws -> Document.Outcome {
        if let field = values.keys.sorted().first(where: { name in !action.inputs.contains { $0.field == name } }) {
            throw UnknownInput(field: field, known: action.inputs.map(\.field))
        }
        return try await emit(action.event, .object(action.payload.object.merging(values) { $1 }))
    }

    /// Opens a deep link.
    ///
    /// ```swift
    /// try await client.open("/main/teams/team/ferrari")
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` where the path leads nowhere.
    @discardableResult
    public func open(_ path: String) async throws -> Document.Outcome {
        try await put("/route", json: ["path": .string(path)]).decode(Document.Outcome.self, status: 200)
    }

    /// The route of this client's session; where it has none, a new one is made.
    ///
    /// ```swift
    /// #expect(try await client.route().path == "/splash")
    /// ```
    public func route() async throws -> Document.Route {
        try await get("/route").decode(Document.Route.self, status: 200)
    }

    /// The document of this client's session.
    ///
    /// ```swift
    /// #expect(try await client.session().version == 0)
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` where the client has no session yet.
    public func session() async throws -> Document.Session {
        try await get("/sessions/\(sessionID ?? "none")").decode(Document.Session.self, status: 200)
    }

    /// A page of the journal of this client's session.
    ///
    /// ```swift
    /// #expect(try await client.journal().events.map(\.event) == ["splash.didFinish"])
    /// ```
    public func journal(after version: Int = 0, limit: Int = 1_000) async throws -> Document.Journal {
        try await get("/events?after=\(version)&limit=\(limit)").decode(Document.Journal.self, status: 200)
    }

    /// The route of this client's session after an event.
    ///
    /// ```swift
    /// #expect(try await client.route(at: 0).path == "/splash")
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` where there is no such version.
    public func route(at version: Int) async throws -> Document.Route {
        try await get("/route?version=\(version)").decode(Document.Route.self, status: 200)
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
    ///   - version: The version of the `from` of each change.
    ///   - other: The version of the `to` of each change; it may be the lower one.
    /// - Throws: ``UnexpectedAnswer`` where there is no such version.
    public func changes(from version: Int, to other: Int) async throws -> Document.Changes {
        try await get("/sessions/\(sessionID ?? "none")/changes?from=\(version)&to=\(other)")
            .decode(Document.Changes.self, status: 200)
    }

    /// The whole journal of this client's session, a header and then one event a line, for
    /// ``TestServer/client(replaying:)`` and for `CoordinatedApp.replay(_:)`.
    ///
    /// ```swift
    /// let journal = try await client.exportedJournal()
    /// ```
    public func exportedJournal() async throws -> [UInt8] {
        let answer = try await get("/events", headers: ["Accept": "application/x-ndjson"])
        guard answer.status == 200 else { throw UnexpectedAnswer(answer: answer, expected: "200") }
        return answer.body
    }

    /// Makes a client in a new session that has the first events of this client's.
    ///
    /// ```swift
    /// let other = try await client.fork(at: 3)
    /// try await other.emit("navigation.back")
    /// #expect(try await client.route() != other.route())
    /// ```
    ///
    /// - Parameter work: `withheld` if nothing that is pending may begin in the new session.
    /// - Throws: ``UnexpectedAnswer`` where there is no such version.
    public func fork(at version: Int, work: Document.Session.Work? = nil) async throws -> TestClient {
        var request: [String: JSON] = ["version": .int(version)]
        if let work { request["work"] = .string(work.rawValue) }
        let answer = try await post("/sessions/\(sessionID ?? "none")/forks", json: .object(request))
        return inSession(try answer.decode(Document.Session.self, status: 201).id)
    }
}

/// The error that a form has no such field.
public struct UnknownInput: Error, Equatable, CustomStringConvertible {
    public let field: String
    /// The fields that it has.
    public let known: [String]

    public var description: String {
        "The form has no input \"\(field)\". It has: \(known.isEmpty ? "none" : known.joined(separator: ", "))."
    }
}
