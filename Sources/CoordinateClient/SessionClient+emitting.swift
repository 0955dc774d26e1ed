public import Coordinate

extension SessionClient {
    /// Injects an event into this client's session. Creates a session if the client has none.
    ///
    /// ```swift
    /// let outcome = try await client.emit("teams.didSelect", ["team": "ferrari"])
    /// #expect(outcome.handledBy == "AppCoordinator/MainCoordinator")
    /// ```
    ///
    /// - Parameters:
    ///   - coordinator: The id of the coordinator at which to emit the event; `nil` for the visible leaf.
    ///   - pending: The id of the work or timer whose outcome the event is, in a session with withheld work.
    ///   - expected: The expected outcome; `nil` if any outcome will do, also that no coordinator handles the event.
    /// - Throws: ``UnexpectedOutcome`` if the outcome is not the expected one. ``UnexpectedAnswer`` if no outcome is
    ///   expected and the server refuses the event.
    @discardableResult
    public func emit(
        _ event: String, _ payload: JSON = [:], at coordinator: String? = nil, pending: String? = nil,
        expecting expected: ExpectedOutcome? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Outcome {
        try await emit(
            event, payload, at: coordinator, pending: pending, expecting: expected,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Injects an event that the server must refuse.
    ///
    /// ```swift
    /// try await client.emit("orders.didShip", expecting: .refused("event-not-allowed"))
    /// ```
    ///
    /// - Returns: The server's problem document.
    /// - Throws: ``UnexpectedOutcome`` if the event is accepted, or refused for another reason.
    @discardableResult
    public func emit(
        _ event: String, _ payload: JSON = [:], at coordinator: String? = nil, pending: String? = nil,
        expecting refusal: ExpectedRefusal,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Problem {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let answer = try await post(event, payload, at: coordinator, pending: pending, from: callSite)
        guard answer.status != 200, let problem = try? answer.decode(Document.Problem.self), refusal.isMet(by: problem)
        else { throw UnexpectedOutcome(event: event, expected: "\(refusal)", answer: answer) }
        return problem
    }

    /// Sends an event of the app's own enum, with the texts of its secrets.
    ///
    /// ```swift
    /// try await client.send(AppEvents.Cart.put(.lamp, count: 2), expecting: .handled)
    /// ```
    ///
    /// The parameters and errors are those of `emit` with a name and a payload. Use it if your program contains the
    /// app's module: the compiler then checks both.
    @discardableResult
    public func send(
        _ event: some DeclaredEvents, at coordinator: String? = nil, pending: String? = nil,
        expecting expected: ExpectedOutcome? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Outcome {
        let (name, payload) = event.sent
        return try await emit(
            name, JSON(payload), at: coordinator, pending: pending, expecting: expected, fileID: fileID,
            filePath: filePath, line: line, column: column)
    }

    /// Sends an event of the app's own enum, which the server must refuse.
    ///
    /// ```swift
    /// try await client.send(AppEvents.Cart.offerDidExpire, expecting: .refused("event-not-allowed"))
    /// ```
    @discardableResult
    public func send(
        _ event: some DeclaredEvents, at coordinator: String? = nil, pending: String? = nil,
        expecting refusal: ExpectedRefusal,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Problem {
        let (name, payload) = event.sent
        return try await emit(
            name, JSON(payload), at: coordinator, pending: pending, expecting: refusal, fileID: fileID,
            filePath: filePath, line: line, column: column)
    }

    func emit(
        _ event: String, _ payload: JSON, at coordinator: String?, pending: String?, ifMatch tag: String? = nil,
        expecting expected: ExpectedOutcome?, from callSite: CallSite
    ) async throws -> Document.Outcome {
        let answer = try await post(event, payload, at: coordinator, pending: pending, ifMatch: tag, from: callSite)
        guard let expected else { return try answer.decode(Document.Outcome.self, status: 200) }
        guard let outcome = try? answer.decode(Document.Outcome.self, status: 200), expected.isMet(by: outcome) else {
            throw UnexpectedOutcome(event: event, expected: "\(expected)", answer: answer)
        }
        return outcome
    }

    private func post(
        _ event: String, _ payload: JSON, at coordinator: String?, pending: String?, ifMatch tag: String? = nil,
        from callSite: CallSite
    ) async throws -> ServerAnswer {
        var request: [String: JSON] = ["event": .string(event), "payload": payload]
        if let coordinator { request["at"] = .string(coordinator) }
        if let pending { request["pending"] = .string(pending) }
        let headers = tag.map { ["If-Match": $0] } ?? [:]
        return try await send(.object(request), "POST", "/events", headers: headers, from: callSite)
    }

    /// Emits the event of an action that the route offers.
    ///
    /// ```swift
    /// let route = try await client.route()
    /// try await client.emit(#require(route.navigation.back))
    /// try await client.emit(#require(route.screen.actions.first), entering: ["zip": "8001"])
    /// ```
    ///
    /// - Parameters:
    ///   - values: The values to enter into the action's inputs. Other inputs keep their displayed values.
    ///   - expected: The expected outcome; `nil` if any outcome will do.
    /// - Throws: ``UnknownInput`` if the form has no such field. ``UnexpectedOutcome`` if the outcome is not the
    ///   expected one.
    @discardableResult
    public func emit(
        _ action: Document.Action, entering values: [String: JSON] = [:], expecting expected: ExpectedOutcome? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Outcome {
        try await emit(
            action, entering: values, expecting: expected,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// - Parameter tag: The tag of the only version of the session that accepts the event; `nil` for any version.
    func emit(
        _ action: Document.Action, entering values: [String: JSON], ifMatch tag: String? = nil,
        expecting expected: ExpectedOutcome?, from callSite: CallSite
    ) async throws -> Document.Outcome {
        if let field = values.keys.sorted().first(where: { name in !action.inputs.contains { $0.field == name } }) {
            throw UnknownInput(field: field, known: action.inputs.map(\.field), callSite: callSite)
        }
        return try await emit(
            action.event, .object(action.payload.object.merging(values) { $1 }), at: nil, pending: nil, ifMatch: tag,
            expecting: expected, from: callSite)
    }
}

/// The error for an input that the form does not have.
public struct UnknownInput: ClientError, Equatable {
    public let field: String
    /// The fields of the form.
    public let known: [String]
    public let callSite: CallSite

    public var message: String {
        "The form has no input \"\(field)\". It has: \(known.isEmpty ? "none" : known.joined(separator: ", "))."
    }
}
