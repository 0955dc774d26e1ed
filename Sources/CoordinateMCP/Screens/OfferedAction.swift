internal import Coordinate

/// An action that a route document offers, and its place on the screen.
struct OfferedAction: Sendable {
    let title: String
    let event: String
    let payload: PlainValue
    /// The fields of a form; empty for a button.
    let inputs: [PlainValue]
    /// `screen`, `row Ferrari`, `tab`, `back` or `dismiss`.
    let place: String

    init?(_ value: PlainValue?, at place: String) {
        guard let value, let title = value[field: "title"]?.string, let event = value[field: "event"]?.string else {
            return nil
        }
        self.title = title
        self.event = event
        payload = value[field: "payload"] ?? .object([])
        inputs = value[field: "inputs"]?.elements ?? []
        self.place = place
    }

    /// All actions of a route document: those of the screen, its rows, the tabs, back and dismiss.
    static func all(in document: PlainValue) -> [OfferedAction] {
        let screen = document[field: "screen"]
        let navigation = document[field: "navigation"]
        var actions = (screen?[field: "actions"]?.elements ?? []).compactMap { OfferedAction($0, at: "screen") }
        for row in screen?[field: "rows"]?.elements ?? [] {
            let place = "row \(row[field: "title"]?.string ?? "")"
            let rowActions = [row[field: "action"], row[field: "delete"]] + (row[field: "actions"]?.elements ?? [])
            actions += rowActions.compactMap { OfferedAction($0, at: place) }
        }
        for tab in navigation?[field: "tabs"]?.elements ?? [] {
            if let action = OfferedAction(tab[field: "action"], at: "tab") { actions.append(action) }
        }
        for place in ["back", "dismiss"] {
            if let action = OfferedAction(navigation?[field: place], at: place) { actions.append(action) }
        }
        return actions
    }
}

extension PlainValue {
    /// The elements of an array; `nil` if this is none.
    var elements: [PlainValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The object with some fields replaced or added.
    func setting(_ new: [PlainField]) -> PlainValue {
        guard case .object(let old) = self else { return .object(new) }
        var places = Dictionary(old.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var all = old
        for field in new {
            if let place = places[field.name] {
                all[place] = field
            } else {
                places[field.name] = all.count
                all.append(field)
            }
        }
        return .object(all)
    }
}
