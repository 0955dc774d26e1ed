internal import Coordinate
internal import Synchronization

// What the session does when the machine has decided.

extension Session {
    /// The deliveries to make once nothing is locked. The first one needs no allocation.
    struct Outbox: Sendable {
        private var first: Delivery?
        private var others: [Delivery] = []

        mutating func append(_ delivery: Delivery) {
            if first == nil { first = delivery } else { others.append(delivery) }
        }

        mutating func append(_ body: @escaping @Sendable () -> Void) {
            append(.call(body))
        }

        func deliver() {
            first?.deliver()
            for delivery in others { delivery.deliver() }
        }
    }

    func carryOut(
        _ effects: Effects<SessionCommand>, _ state: inout State, _ outbox: inout Outbox
    ) {
        var effects = effects
        while let effect = effects.popFirst() {
            switch effect {
            case .findDueTimers(let work):
                effects.append(advance(with: .dueTimers(dueTimers(before: work, &state)), &state))
            case .apply(let work):
                let input = work.begin() ? apply(work, &state) : .refused(.tooBusy)
                effects.append(advance(with: input, &state))
            case .append(let work):
                guard let underWay = state.underWay else { continue }
                let span = host.app.tracing?.startSpan("commit", under: underWay.entry.traceparent)
                switch underWay.append(to: host.journal, of: id) {
                case .now(let result):
                    span?.end(with: result)
                    if case .failure(.full) = result { state.isFull = true }
                    effects.append(advance(with: .appended(counted(result)), &state))
                case .later(let promise):
                    outbox.append {
                        promise.whenDelivered { result in
                            span?.end(with: result)
                            self.post(.input(.appended(self.counted(result))), on: work.executor)
                        }
                    }
                }
            case .publish(let work): publish(work, &state, &outbox)
            case .show(let work):
                _ = work.begin()
                if case .look(let show, _, _) = work.operation { outbox.append(show(self, &state)) }
            case .repeatOutcome(let work, let version):
                _ = work.begin()
                if case .event(let injection, let promise) = work.operation {
                    if let outcome = state.outcome, outcome.version == version {
                        outbox.append(.outcome(.success(outcome), promise))
                        continue
                    }
                    outbox.append {
                        self.repeatOutcome(version, wantsRoute: injection.wantsRoute, on: work.executor)
                            .whenDelivered(promise.fulfil)
                    }
                }
            case .refuse(let work, let error):
                _ = work.begin()
                record(error, ofTimer: work, &state)
                outbox.append(work.refuse(error))
            case .discard: discardTree(&state)
            case .catchUp:
                switch catchUpAtOnce(&state) {
                case .done(let input):
                    notifyKeeper(committedAfter: nil, &state) { outbox.append($0) }
                    chargeTree(&state)
                    effects.append(advance(with: input, &state))
                case .takesTime(let begun): outbox.append { self.catchUp(begun) }
                }
            case .end(let work, let version):
                guard work.begin() else {
                    effects.append(advance(with: .endAnswered(.failure(.unavailable)), &state))
                    continue
                }
                switch host.journal.end(id, at: version) {
                case .now(let result): effects.append(ended(result, &state, &outbox))
                case .later(let promise):
                    outbox.append {
                        promise.whenDelivered { result in
                            self.post(
                                .call { session, state, outbox in
                                    session.carryOut(session.ended(result, &state, &outbox), &state, &outbox)
                                }, on: work.executor)
                        }
                    }
                }
            case .confirmEnd(let work):
                if case .end(_, let promise) = work.operation { outbox.append { promise.fulfil(.success(())) } }
            case .dismiss:
                isOver.store(true, ordering: .relaxed)
                state.followers.release(hasEnded: true)
                updateSubscription(&state)
                state.published = nil
                discardTree(&state)
                if let keeper = host.keeper.keeper { outbox.append { keeper.cancelWork(of: self.id) } }
            }
        }
    }

    /// Handles the journal's result of an end.
    private func ended(
        _ result: Result<Void, JournalError>, _ state: inout State, _ outbox: inout Outbox
    ) -> Effects<SessionCommand> {
        if case .success = result { outbox.append { self.host.didEnd(self.id) } }
        return advance(with: .endAnswered(counted(result)), &state)
    }

    /// Counts the journal's result of a change, and returns it.
    private func counted(_ answer: Result<Void, JournalError>) -> Result<Void, JournalError> {
        host.counters.countAnswer(answer)
        return answer
    }
}
