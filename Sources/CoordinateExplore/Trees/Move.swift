import Coordinate

/// A step that can be taken: with the values that no journal has, and what is known of its event.
final class Move: Sendable {
    let step: Step
    /// The payload with its secrets.
    let sent: PlainValue
    let entry: EventCatalog.Entry
    /// The text of the button for it.
    let title: String?
    /// True where it was offered with inputs.
    let isForm: Bool
    /// True where its payload is what the screen shows, and not what was entered.
    let isShown: Bool

    init(
        _ step: Step, sending sent: PlainValue, of entry: EventCatalog.Entry, title: String? = nil,
        isForm: Bool = false, isShown: Bool = true
    ) {
        self.step = step
        self.sent = sent
        self.entry = entry
        self.title = title
        self.isForm = isForm
        self.isShown = isShown
    }
}
