extension CoordinatorNode {
    /// Presses the button with a title, on the screen or around it, as one turn. Call it on the root, in tests.
    ///
    /// ```swift
    /// try app.press("Check out")
    /// try app.press("Log in", entering: ["user": "anna", "password": "open sesame"])
    /// try app.press("Remove", inRow: "Desk lamp")
    /// try app.press("Catalogue", event: "navigation.back")
    /// ```
    ///
    /// The buttons are the actions in ``NavigationState/offered``: those of the rows and the screen, Back, the tabs,
    /// and the dismissal of a modal.
    ///
    /// - Parameters:
    ///   - title: The button's title.
    ///   - row: The title or the id of the row that has the action; `nil` for any offered action.
    ///   - event: The full name of the action's event, if actions with different events have the title: Back and a tab,
    ///     for example.
    ///   - values: The values for the action's inputs. The other inputs keep the values that they show.
    /// - Throws: ``PressFailure`` if there is not exactly one such action, if the form has no such input or refuses a
    ///   value, or if no coordinator handles the event. Otherwise, the failure of the turn.
    @discardableResult
    public final func press(
        _ title: String, inRow row: String? = nil, event: String? = nil, entering values: [String: PlainValue] = [:]
    ) throws -> Dispatch {
        let state = navigationState
        var offered = state.offered
        if let row {
            let rows = state.screen.rows(named: row)
            guard !rows.isEmpty else {
                throw PressFailure.noSuchRow(row, path: state.path, rows: state.screen.rows.map(\.title))
            }
            offered = rows.flatMap(\.offered)
        }
        if let event { offered.removeAll { $0.event != event } }
        // A row and the screen may offer the same action.
        let matches = offered.filter { $0.title == title }.reduce(into: [Action]()) { different, action in
            if !different.contains(action) { different.append(action) }
        }
        guard let action = matches.first else {
            throw PressFailure.notOffered(title, path: state.path, offered: offered.map(\.title))
        }
        guard matches.count == 1 else {
            throw PressFailure.ambiguous(title, path: state.path, events: matches.map(\.event))
        }
        let emission = try action.event(entering: values, in: ownDependencies)
        let dispatch = try turn { visibleLeaf.getRootViewController().emitEvent(emission) }
        guard dispatch.isHandled else { throw PressFailure.notHandled(title, event: action.event, path: state.path) }
        return dispatch
    }
}

/// An error of a press in a test: there is no such button, or pressing it had no effect.
public enum PressFailure: Error, Equatable, CustomStringConvertible {
    /// No action has the title.
    case notOffered(String, path: String, offered: [String])
    /// No row has the title or the id.
    case noSuchRow(String, path: String, rows: [String])
    /// Several different actions have the title.
    case ambiguous(String, path: String, events: [String])
    /// The form has no input for a field.
    case noSuchInput(String, event: String, known: [String])
    /// The form does not accept a value.
    case invalidValue(event: String, problem: String)
    /// No coordinator handled the event.
    case notHandled(String, event: String, path: String)

    public var description: String {
        switch self {
        case .notOffered(let title, let path, let offered):
            "No action at \(path) has the title \"\(title)\". There are: \(Self.list(offered))."
        case .noSuchRow(let row, let path, let rows):
            "No row at \(path) has the title or the id \"\(row)\". There are: \(Self.list(rows))."
        case .ambiguous(let title, let path, let events):
            "\(events.count) actions at \(path) have the title \"\(title)\": \(events.joined(separator: ", ")). "
                + (Set(events).count == 1 ? "Name the row with inRow." : "Name the event, too.")
        case .noSuchInput(let field, let event, let known):
            "The form of \(event) has no input \"\(field)\". It has: \(Self.list(known))."
        case .invalidValue(let event, let problem):
            "The form of \(event) does not accept the values: \(problem)."
        case .notHandled(let title, let event, let path):
            "\"\(title)\" at \(path) emits \(event), and no coordinator handled it."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}

extension Action {
    /// Returns the event with the values that a user entered.
    fileprivate func event(
        entering values: [String: PlainValue], in dependencies: (any AppDependenciesProtocol)?
    ) throws(PressFailure) -> any CoordinateEvents {
        guard !values.isEmpty, case .object(var fields) = payload else { return emission }
        for (name, value) in values {
            guard inputs.contains(where: { $0.field == name }) else {
                throw .noSuchInput(name, event: event, known: inputs.map(\.field))
            }
            fields.removeAll { $0.name == name }
            fields.append(PlainField(name, value))
        }
        do throws(PlainValueError) {
            return try emission.sameCase(with: .object(fields), in: dependencies)
        } catch {
            throw .invalidValue(event: event, problem: (error.path + [error.message]).joined(separator: " "))
        }
    }
}

extension DeclaredEvents {
    /// Returns an event of the same case with another payload.
    fileprivate func sameCase(
        with payload: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> any CoordinateEvents {
        guard let (declared, _) = Self.declaration.declared(self) else { return self }
        return try declared.details.decode(payload, dependencies)
    }
}

extension Screen {
    fileprivate func rows(named name: String) -> [Row] {
        let row = rows.filter { $0.id == name }
        return row.isEmpty ? rows.filter { $0.title == name } : row
    }
}
