internal import Coordinate

/// An action that a screen offers, and its place on the screen.
struct OfferedAction: Sendable {
    let action: Action
    /// `screen`, `row Ferrari`, `tab`, `back` or `dismiss`.
    let place: String

    var title: String { action.title }

    /// All actions of a screen, of its rows, of the tabs, back and dismiss.
    static func all(on visible: VisibleState) -> [OfferedAction] {
        func offer(_ actions: [Action?], at place: String) -> [OfferedAction] {
            actions.compactMap { action in action.map { OfferedAction(action: $0, place: place) } }
        }
        return offer(visible.screen.actions, at: "screen")
            + visible.screen.rows.flatMap { offer([$0.action, $0.delete] + $0.actions, at: "row \($0.title)") }
            + offer(visible.tabs.map(\.action), at: "tab") + offer([visible.back], at: "back")
            + offer([visible.dismiss], at: "dismiss")
    }

    /// The one action with a title. Actions that send the same event count as one.
    static func titled(_ title: String, on visible: VisibleState) throws(ToolError) -> Action {
        let all = all(on: visible)
        let matches = all.filter { $0.title.utf8.elementsEqual(title.utf8) }
        guard let first = matches.first?.action else { throw .noAction(title, offered: all) }
        guard matches.allSatisfy({ $0.action.event == first.event && $0.action.payload == first.payload }) else {
            throw .severalActions(title, matches)
        }
        return first
    }
}

extension Action {
    /// The payload of the form with what was typed in place of the values shown.
    func payload(typing input: PlainValue?) throws(ToolError) -> PlainValue {
        guard case .object(let typed)? = input else { return payload }
        for field in typed where !inputs.contains(where: { $0.field == field.name }) {
            throw .unknownField(["input", field.name], known: inputs.map(\.field))
        }
        return payload.setting(read(typed))
    }

    /// What was typed into the form. Numbers may be JSON text.
    func read(_ typed: [PlainField]) -> [PlainField] {
        typed.map { field in
            let kind = inputs.first { $0.field == field.name }?.type.kind
            return kind == .int || kind == .double ? PlainField(field.name, field.value.asNumber) : field
        }
    }
}
