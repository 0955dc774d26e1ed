public import Coordinate

extension SessionClient {
    /// Presses the action with a title, on the screen or around it.
    ///
    /// ```swift
    /// try await client.press("Check out")
    /// try await client.press("Log in", entering: ["user": "anna", "password": "open sesame"])
    /// try await client.press("Remove", inRow: "Desk lamp")
    /// ```
    ///
    /// The actions are those of the rows and the screen, Back, the tabs, and the dismissal of a modal. If the session
    /// changes while the client looks for the action, it looks again, up to five times.
    ///
    /// - Parameters:
    ///   - row: The title or id of the row that has the action; `nil` for any offered action.
    ///   - event: The full name of the action's event, if several actions have the title: `navigation.back`.
    ///   - values: The values to enter into the action's inputs. Other inputs keep their displayed values.
    /// - Throws: ``PressError`` if no action has the title, or if several different ones have it. ``UnknownInput`` if
    ///   the form has no such field. ``UnexpectedOutcome`` if no coordinator handles the event.
    @discardableResult
    public func press(
        _ title: String, inRow row: String? = nil, event: String? = nil, entering values: [String: JSON] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Outcome {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await press(from: callSite) { route, tag in
            var known: Set<Document.Action> = []
            // A row and the screen may offer the same action.
            let matches = route.actions(inRow: row).filter {
                $0.title == title && (event == nil || $0.event == event) && known.insert($0).inserted
            }
            guard let action = matches.first, matches.count == 1 else {
                throw PressError(
                    title: title, row: row, event: event, payload: nil, route: route, matches: matches,
                    callSite: callSite)
            }
            return try await emit(action, entering: values, ifMatch: tag, expecting: .handled, from: callSite)
        }
    }

    /// Presses the action that sends an event of the app's own enum.
    ///
    /// ```swift
    /// try await client.press(AppEvents.Catalogue.didSelect(.lamp))
    /// try await client.press(AppEvents.Account.logIn("anna", Secret("open sesame")))
    /// ```
    ///
    /// It presses like ``press(_:inRow:event:entering:fileID:filePath:line:column:)``, but knows the action by its event
    /// and its payload. The event also fills in the form: for the fields of inputs, its values are entered.
    ///
    /// - Throws: ``PressError`` if no action sends the event. ``UnexpectedOutcome`` if no coordinator handles it.
    @discardableResult
    public func press(
        _ event: some DeclaredEvents,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Outcome {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let (name, payload) = event.encoded
        let shown = JSON(payload)
        return try await press(from: callSite) { route, tag in
            guard route.offeredActions.contains(where: { $0.sends(name, shown) }) else {
                throw PressError(
                    title: nil, row: nil, event: name, payload: shown, route: route, matches: [], callSite: callSite)
            }
            return try await emit(
                name, JSON(event.sent.payload), at: nil, pending: nil, ifMatch: tag, expecting: .handled,
                from: callSite)
        }
    }

    /// Emits an action of the current route, which must not have changed before. Otherwise, it begins again.
    ///
    /// - Parameter emit: Finds the action in a route, and emits it if the session still has the version with the tag.
    private func press(
        from callSite: CallSite, _ emit: (Document.Route, _ tag: String?) async throws -> Document.Outcome
    ) async throws -> Document.Outcome {
        var attempts = 1
        while true {
            let answer = try await get("/route", from: callSite)
            do {
                return try await emit(answer.decode(Document.Route.self, status: 200), answer.header("ETag"))
            } catch let error as UnexpectedOutcome
                where error.problem?.type == "/problems/version-conflict" && attempts < 5
            {
                // The session has changed, and the event was not accepted.
                attempts += 1
            }
        }
    }
}

extension Document.Route {
    /// All offered actions, or those of the rows with a name.
    func actions(inRow row: String?) -> [Document.Action] {
        row.map { screen.rows(named: $0).flatMap(\.offeredActions) } ?? offeredActions
    }
}

extension Document.Action {
    /// Whether it sends an event, once its inputs are filled in.
    fileprivate func sends(_ event: String, _ payload: JSON) -> Bool {
        func fixed(_ payload: JSON) -> [String: JSON] {
            payload.object.filter { name, _ in !inputs.contains { $0.field == name } }
        }
        return self.event == event && fixed(self.payload) == fixed(payload)
    }
}

extension Document.Screen {
    /// The row with this id, or else the rows with this title.
    func rows(named name: String) -> [Document.Row] {
        let row = rows.filter { $0.id == name }
        return row.isEmpty ? rows.filter { $0.title == name } : row
    }
}
