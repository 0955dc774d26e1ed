import Coordinate

extension ExploredTree {
    /// Returns every move that is possible now: the offered actions, in the order of the screen, then the outcomes of
    /// work, then the timer that is due first. Each event with one payload is included once.
    func moves(in state: NavigationState) -> Moves {
        var moves = Moves()
        // A tap on the selected tab goes back to its first screen. A link to it opens the screen anew.
        let selected = state.tabs.first(where: \.isSelected)?.action
        for action in state.offered {
            append(action, opening: action == selected ? nil : action.opens, at: state.leaf, to: &moves)
        }
        if !state.pending.isEmpty { appendOutcomes(to: &moves) }
        return moves
    }

    /// Returns the move that opens a link.
    func opening(_ path: String) -> Move? {
        move(for: NavigationEvents.open(path), at: root.id, .client, .link)
    }

    private func append(_ action: Action, opening path: String?, at leaf: String, to moves: inout Moves) {
        guard let entry = app.events.entry(named: action.event) else { return }
        func append(_ payload: PlainValue, _ source: Move.Source) {
            let step = Step(event: entry.name, payload: entry.recordedFields(of: payload), at: leaf)
            moves.insert(Move(step, sending: payload, of: entry, source, role: action.role, opens: path))
        }
        guard !action.inputs.isEmpty else { return append(action.payload, .button(action.title)) }
        let samples = FormSamples(action, app.samples)
        for (index, payload) in samples.payloads.enumerated() {
            append(
                payload,
                .form(.init(title: action.title, isShown: index == 0, withoutSamples: samples.withoutSamples)))
        }
    }

    // MARK: Outcomes

    private func appendOutcomes(to moves: inout Moves) {
        var first: (pending: PendingWork, due: Timestamp, event: any DeclaredEvents)?
        for (asked, pending) in zip(root.askedWork, root.pendingWork) {
            switch asked.task {
            case .work(let body): append(body, pending, to: &moves)
            case .timer(let event):
                guard let due = pending.due, first.map({ due < $0.due }) ?? true else { continue }
                first = (pending, due, event)
            }
        }
        guard let first else { return }
        let timer = Move.Source.timer(first.pending.name)
        if let move = move(for: first.event, at: first.pending.at, .timer, timer, of: first.pending.id) {
            moves.insert(move)
        }
    }

    /// Appends an event for each sample of the work's result, and one for its failure. Work without a result needs no
    /// sample.
    private func append(_ body: WorkBody, _ pending: PendingWork, to moves: inout Moves) {
        let samples = app.samples.brought(by: pending.name)
        let successes = (samples + [()]).compactMap { body.done($0) }
        if successes.isEmpty {
            let asker = root.coordinator(withID: pending.at).map { "\(type(of: $0))" } ?? pending.at
            moves.workWithoutSamples.append(
                .init(name: pending.name, type: body.value, asker: asker, hasOthers: !samples.isEmpty))
        }
        let outcomes = successes.map { ($0, false) } + [(body.failed(.unexplained), true)]
        for (event, isFailure) in outcomes {
            let source = Move.Source.work(pending.name, isFailure: isFailure)
            if let move = move(for: event, at: pending.at, .work, source, of: pending.id) { moves.insert(move) }
        }
    }

    private func move(
        for event: any DeclaredEvents, at place: String, _ origin: Step.Origin, _ source: Move.Source,
        of pending: String? = nil
    ) -> Move? {
        let (name, payload) = event.encoded
        guard let entry = app.events.entry(named: name) else { return nil }
        let step = Step(
            event: name, payload: entry.recordedFields(of: payload), at: place, origin: origin, pending: pending)
        return Move(step, sending: payload, of: entry, source)
    }
}
