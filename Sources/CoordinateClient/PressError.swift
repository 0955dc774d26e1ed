/// The error for a screen that has no action, or several actions, with a title.
public struct PressError: ClientError {
    public let title: String
    /// The row that was searched for the action; `nil` for the whole screen and its surroundings.
    public let row: String?
    /// The route that was searched.
    public let route: Document.Route
    /// The actions with the title: none, or several.
    public let matches: [Document.Action]
    public let callSite: CallSite

    public var message: String {
        let place = row.map { "in the row \"\($0)\" on \(route.path)" } ?? "on \(route.path)"
        guard matches.isEmpty else {
            let events = matches.map { "\($0.event) \(String(decoding: $0.payload.encoded, as: UTF8.self))" }
            return "\(matches.count) actions \(place) have the title \"\(title)\": \(events.joined(separator: ", ")). "
                + "Name the row with `inRow`, or emit one of the actions."
        }
        if let row, route.screen.rows(named: row).isEmpty {
            return "No row on \(route.path) is named \"\(row)\". " + Self.list(route.screen.rows.map(\.title))
        }
        return "No action \(place) has the title \"\(title)\". " + Self.list(route.actions(inRow: row).map(\.title))
    }

    private static func list(_ titles: [String]) -> String {
        guard !titles.isEmpty else { return "There are none." }
        // A long list has the same buttons in every row.
        var known: Set<String> = []
        let names = titles.filter { known.insert($0).inserted }
        let rest = names.count > 30 ? ", and \(names.count - 30) more" : ""
        return "There are: " + names.prefix(30).map { "\"\($0)\"" }.joined(separator: ", ") + rest + "."
    }
}
