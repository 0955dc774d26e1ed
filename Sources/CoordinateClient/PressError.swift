/// The error for a screen that has no action, or several actions, with a title, or no action that sends an event.
public struct PressError: ClientError {
    /// The title that was searched for; `nil` for an event of the app's own enum.
    public let title: String?
    /// The row that was searched for the action; `nil` for the whole screen and its surroundings.
    public let row: String?
    /// The name of the event that the action must have; `nil` for any.
    public let event: String?
    /// The payload that the action must have, without secrets; `nil` for any.
    public let payload: JSON?
    /// The route that was searched.
    public let route: Document.Route
    /// The actions with the title: none, or several.
    public let matches: [Document.Action]
    public let callSite: CallSite

    public var message: String {
        let place = row.map { "in the row \"\($0)\" on \(route.path)" } ?? "on \(route.path)"
        guard let title else {
            let same = route.offeredActions.filter { $0.event == event }
            let events = (same.isEmpty ? route.offeredActions : same).map { Self.text($0.event, $0.payload) }
            return "No action \(place) sends \(Self.text(event ?? "", payload ?? [:])). " + Self.list(events)
                + pendingWork
        }
        guard matches.isEmpty else {
            let events = matches.map { Self.text($0.event, $0.payload) }
            return "\(matches.count) actions \(place) have the title \"\(title)\": \(events.joined(separator: ", ")). "
                + advice
        }
        if let row, route.screen.rows(named: row).isEmpty {
            return "No row on \(route.path) is named \"\(row)\". " + Self.list(quoted: route.screen.rows.map(\.title))
                + pendingWork
        }
        let actions = route.actions(inRow: row)
        let events = actions.filter { $0.title == title }.map(\.event)
        if let event, !events.isEmpty {
            return "No action \(place) with the title \"\(title)\" has the event \"\(event)\". "
                + Self.list(quoted: events) + pendingWork
        }
        return "No action \(place) has the title \"\(title)\". " + Self.list(quoted: actions.map(\.title)) + pendingWork
    }

    /// The way to choose one of several matches.
    private var advice: String {
        let rows = route.screen.rows.map(\.offeredActions)
        let areInRows = matches.allSatisfy { match in rows.contains { $0.contains(match) } }
        if areInRows, rows.allSatisfy({ row in matches.count { row.contains($0) } <= 1 }) {
            return "Name the row \(row == nil ? "" : "by its id ")with `inRow`, or emit one of the actions."
        }
        if Set(matches.map(\.event)).count == matches.count {
            return "Name the event with `event`, or emit one of the actions."
        }
        return "Emit one of the actions."
    }

    /// The advice to wait for work, after which the screen may offer the action.
    private var pendingWork: String {
        let names = route.pending.filter { $0.kind == "work" }.map { "\"\($0.name)\"" }
        guard !names.isEmpty else { return "" }
        return " \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") pending: call settle() first."
    }

    private static func text(_ event: String, _ payload: JSON) -> String {
        "\(event) \(String(decoding: payload.encoded, as: UTF8.self))"
    }

    private static func list(quoted names: [String]) -> String { list(names.map { "\"\($0)\"" }) }

    private static func list(_ texts: [String]) -> String {
        guard !texts.isEmpty else { return "There are none." }
        // A long list has the same buttons in every row.
        var known: Set<String> = []
        let names = texts.filter { known.insert($0).inserted }
        let others = names.count > 30 ? ", and \(names.count - 30) more" : ""
        return "There are: " + names.prefix(30).joined(separator: ", ") + others + "."
    }
}
