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
        for _ in 1..<5 {
            do {
                return try await pressOnce(title, inRow: row, event: event, entering: values, from: callSite)
            } catch let error as UnexpectedOutcome where error.problem?.type == "/problems/version-conflict" {
                // The session has changed, and the event was not accepted.
            }
        }
        return try await pressOnce(title, inRow: row, event: event, entering: values, from: callSite)
    }

    /// Presses an action if the session has not changed since the client read its route.
    private func pressOnce(
        _ title: String, inRow row: String?, event: String?, entering values: [String: JSON], from callSite: CallSite
    ) async throws -> Document.Outcome {
        let answer = try await get("/route", from: callSite)
        let route = try answer.decode(Document.Route.self, status: 200)
        var known: Set<Document.Action> = []
        // A row and the screen may offer the same action.
        let matches = route.actions(inRow: row).filter {
            $0.title == title && (event == nil || $0.event == event) && known.insert($0).inserted
        }
        guard let action = matches.first, matches.count == 1 else {
            throw PressError(title: title, row: row, event: event, route: route, matches: matches, callSite: callSite)
        }
        return try await emit(
            action, entering: values, ifMatch: answer.header("ETag"), expecting: .handled, from: callSite)
    }
}

extension Document.Route {
    /// All offered actions, or those of the rows with a name.
    func actions(inRow row: String?) -> [Document.Action] {
        row.map { screen.rows(named: $0).flatMap(\.offeredActions) } ?? offeredActions
    }
}

extension Document.Screen {
    /// The row with this id, or else the rows with this title.
    func rows(named name: String) -> [Document.Row] {
        let row = rows.filter { $0.id == name }
        return row.isEmpty ? rows.filter { $0.title == name } : row
    }
}
