import Coordinate

extension ExploredTree {
    /// Every move that is possible now: the offered actions, in the order of the screen, then the outcomes of work,
    /// then the timer that is due first. Each event with one payload is included once.
    func moves(in state: NavigationState) -> [Move] {
        var moves = Moves()
        for action in state.offered { moves.add(offered(action, at: state.leaf)) }
        if !state.pending.isEmpty { moves.add(outcomes()) }
        return moves.all
    }

    // MARK: Offers

    private func offered(_ action: Action, at leaf: String) -> [Move] {
        guard let entry = app.events.entry(named: action.event) else { return [] }
        let payloads =
            action.inputs.isEmpty ? [action.payload] : FormSamples(action, of: app, in: dependencies).payloads
        return payloads.enumerated().map { index, payload in
            Move(
                Step(event: entry.name, payload: entry.recordedFields(of: payload), at: leaf), sending: payload,
                of: entry, title: action.title, isForm: !action.inputs.isEmpty, isShown: index == 0)
        }
    }

    /// The move that opens a link.
    func opening(_ path: String) -> Move? {
        move(for: NavigationEvents.open(path), at: root.visibleLeaf.id)
    }

    // MARK: Outcomes

    private func outcomes() -> [Move] {
        let asked = root.askedWork
        let pending = root.pendingWork
        var moves: [Move] = []
        for (asked, pending) in zip(asked, pending) {
            guard case .work(let body) = asked.task else { continue }
            let values = app.brought(by: pending.name) + [()]
            let events = values.compactMap { body.done($0) } + [body.failed(.unexplained)]
            moves += events.compactMap { move(for: $0, at: pending.at, .work, of: pending.id) }
        }
        let timers = zip(asked, pending).filter { $0.1.due != nil }
        if let (first, timer) = timers.min(by: { ($0.1.due ?? now) < ($1.1.due ?? now) }),
            case .timer(let event) = first.task, let move = move(for: event, at: timer.at, .timer, of: timer.id)
        {
            moves.append(move)
        }
        return moves
    }

    private func move(
        for event: any DeclaredEvents, at place: String, _ origin: Step.Origin = .client, of pending: String? = nil
    ) -> Move? {
        let (name, payload) = event.encoded
        guard let entry = app.events.entry(named: name) else { return nil }
        let step = Step(
            event: name, payload: entry.recordedFields(of: payload), at: place, origin: origin, pending: pending)
        return Move(step, sending: payload, of: entry)
    }
}

/// A list of moves without duplicates.
private struct Moves {
    private struct Identity: Hashable {
        let event: String
        let sent: PlainValue
        let pending: String?
    }

    private(set) var all: [Move] = []
    private var known: Set<Identity> = []

    mutating func add(_ moves: [Move]) {
        for move in moves
        where known.insert(.init(event: move.step.event, sent: move.sent, pending: move.step.pending)).inserted {
            all.append(move)
        }
    }
}

/// A step that can be taken, with the secret values that no journal has, and the event's entry in the catalog.
final class Move: Sendable {
    let step: Step
    /// The payload with its secrets.
    let sent: PlainValue
    let entry: EventCatalog.Entry
    /// The text of its button.
    let title: String?
    /// True where it was offered with inputs.
    let isForm: Bool
    /// True where its payload is the one that the screen shows, without entered values.
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
