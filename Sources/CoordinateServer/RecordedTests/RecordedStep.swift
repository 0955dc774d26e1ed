internal import Coordinate
internal import CoordinateSessions

/// An event of a journal, as a test repeats it.
struct RecordedStep {
    /// The press of a button by its title.
    struct Press {
        let title: String
        /// The id of the row, if other buttons have the title.
        var row: String?
        /// The name of the event, if other buttons have the title.
        var event: String?
        /// The values that were entered into the form.
        let entries: [PlainField]
    }

    let version: Int
    let event: String
    let payload: PlainValue
    /// The coordinator; `nil` for the visible leaf, and for the one that requested the work.
    let at: String?
    /// The id of the work or the timer whose outcome it is.
    let pending: String?
    /// Whether the host emitted it, so that clients may not.
    let isFromHost: Bool
    /// The press that sends the event; `nil` if no single button does.
    let press: Press?
    /// The coordinator that handled it.
    let handledBy: String?
    /// The path after it.
    let path: String
    /// The names of the payload's fields that contain secrets, for which the text "secret" stands.
    let placeholders: [String]

    /// - Parameter visible: What the session showed before the event.
    init(_ entry: JournalEntry, of events: EventCatalog, from visible: VisibleState) {
        version = entry.version
        event = entry.event
        payload = events.entry(named: entry.event)?.fillingInSecrets(of: entry.payload) ?? entry.payload
        pending = entry.pending
        isFromHost = entry.origin != .client && entry.pending == nil
        handledBy = entry.handledBy
        path = entry.path
        let isAtLeaf = entry.at == visible.leaf
        at = isAtLeaf || pending != nil ? nil : entry.at
        let isPressable = isAtLeaf && entry.isHandled && pending == nil && !isFromHost
        press = isPressable ? Self.press(sending: event, payload, on: visible) : nil
        placeholders = payload.fields.filter { entry.payload[field: $0.name] != $0.value }.map(\.name)
    }

    /// The path of a link that a client opened; `nil` for other events.
    var link: String? {
        event == "navigation.open" && !isFromHost ? payload[field: "path"]?.string : nil
    }

    /// The body of a request that sends the event.
    var request: [PlainField] {
        var fields = [PlainField("event", .string(event))]
        if payload != .object([]) { fields.append(PlainField("payload", payload)) }
        if let at { fields.append(PlainField("at", .string(at))) }
        if let pending { fields.append(PlainField("pending", .string(pending))) }
        if isFromHost { fields.append(PlainField("origin", "host")) }
        return fields
    }

    /// Finds the button, or the form with the fewest entries, that sends an event, and can be told from all others.
    private static func press(sending event: String, _ payload: PlainValue, on visible: VisibleState) -> Press? {
        let offered: [(row: String?, action: Action)] =
            visible.screen.rows.flatMap { row in row.offered.map { (row.id, $0) } }
            + visible.offeredOutsideRows.map { (nil, $0) }
        let senders = offered.compactMap { row, action in
            action.event == event
                ? action.entries(sending: payload).map { (row: row, action: action, entries: $0) } : nil
        }
        for sender in senders.sorted(by: { $0.entries.count < $1.entries.count }) {
            let others = offered.filter { $0.action.title == sender.action.title && $0.action != sender.action }
            for (row, event) in [(nil, nil), (sender.row, nil), (nil, event), (sender.row, event)] {
                let isSingle = others.allSatisfy { other in
                    row.map { $0 != other.row } ?? false || event.map { $0 != other.action.event } ?? false
                }
                guard isSingle else { continue }
                return Press(title: sender.action.title, row: row, event: event, entries: sender.entries)
            }
        }
        return nil
    }
}
