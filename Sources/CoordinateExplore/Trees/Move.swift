import Coordinate

/// A possible step, with the secret values that journals lack, and the event's entry in the catalog.
final class Move: Sendable {
    let step: Step
    /// The payload with its secrets.
    let sent: PlainValue
    let entry: EventCatalog.Entry
    let source: Source
    /// What its action means to the user; `nil` if it is none, or one like any other.
    let role: Action.Role?
    /// The path that its action says it leads to; `nil` if it says none.
    let opens: String?

    enum Source: Sendable {
        /// A button: with its title.
        case button(String)
        case form(FormMove)
        case link
        /// The outcome of work with this name.
        case work(String, isFailure: Bool)
        /// The timer with this name.
        case timer(String)
    }

    /// A form that is sent.
    struct FormMove: Sendable {
        /// The text of its button.
        let title: String
        /// Whether its payload is the one that the screen shows, without entered values.
        let isShown: Bool
        /// The fields for which there are no samples.
        let withoutSamples: [String]
    }

    init(
        _ step: Step, sending sent: PlainValue, of entry: EventCatalog.Entry, _ source: Source,
        role: Action.Role? = nil, opens: String? = nil
    ) {
        self.step = step
        self.sent = sent
        self.entry = entry
        self.source = source
        self.role = role
        self.opens = opens
    }

    /// The text of its button; `nil` if the screen does not offer it.
    var title: String? {
        switch source {
        case .button(let title): title
        case .form(let form): form.title
        case .link, .work, .timer: nil
        }
    }

    /// The move in a few words: `"Check out"`, `open /cart`, `work "prices" fails`.
    var press: String {
        switch source {
        case .button(let title): "\"\(title)\""
        case .form(let form): "\"\(form.title)\"\(form.isShown ? "" : " with values")"
        case .link: "open \(step.payload[field: "path"]?.string ?? "a link")"
        case .work(let name, let isFailure): "work \"\(name)\" \(isFailure ? "fails" : "ends")"
        case .timer(let name): "timer \"\(name)\" fires"
        }
    }

    /// Whether the screen offers it.
    var isOffered: Bool { title != nil }

    var isForm: Bool { form != nil }

    var form: FormMove? {
        if case .form(let form) = source { form } else { nil }
    }

    /// Whether its payload is the one that the screen shows, without entered values.
    var isShown: Bool { form?.isShown ?? true }

    /// Whether it is the outcome of work, or of a timer.
    var isOutcome: Bool {
        switch source {
        case .work, .timer: true
        case .button, .form, .link: false
        }
    }
}

/// The moves in a state, without duplicates.
struct Moves: Sendable {
    private struct Identity: Hashable {
        let event: String
        let sent: PlainValue
        let pending: String?
        let opens: String?
    }

    private(set) var all: [Move] = []
    /// The pending work whose success cannot be tried.
    var workWithoutSamples: [WorkWithoutSamples] = []
    private var known: Set<Identity> = []

    mutating func insert(_ move: Move) {
        let identity = Identity(event: move.step.event, sent: move.sent, pending: move.step.pending, opens: move.opens)
        if known.insert(identity).inserted { all.append(move) }
    }
}

/// Work for whose result the app has no sample.
struct WorkWithoutSamples: Hashable, Sendable {
    let name: String
    /// The type of its result.
    let type: String
    /// The class of the coordinator that requested it.
    let asker: String
    /// Whether there are samples, of other types.
    let hasOthers: Bool
}
