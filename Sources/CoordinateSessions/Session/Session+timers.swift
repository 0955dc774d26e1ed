internal import Coordinate

// The timers that are due when a request begins. They fire before it, so that no client meets a state that should be
// over, however long the process stood still. The scheduler fires the timers of sessions that no request meets.
//
// If the journal cannot store the entry of a timer, the request gets the journal's error. If the app is the reason that
// a timer cannot fire, the timer backs off, longer each time, and the request is served without it.

/// A timer that could not fire.
struct DelayedTimer {
    /// The moment at which it is tried again.
    let end: Timestamp
    /// The number of times that its event was refused.
    let refusals: Int
}

extension Session {
    /// Fires the timers that are due now, in the order of their times. A tree has at most 100 timers. A timer that sets
    /// the next one never holds the request up: that one fires later.
    func fireDueTimers() async throws(SessionError) {
        guard mayHaveDueTimer else { return }
        let timers = withState(shows: false) { dueTimers($0) }
        for timer in timers {
            do throws(SessionError) {
                _ = try await accept(timer)
            } catch {
                withState { record(error, ofTimer: timer, &$0) }
                try checkIsOpen()
                // The request would see a state that should be over. Nothing was done for it.
                if case .journal(.outcomeUnknown) = error { throw .journal(.unavailable) }
                if error.isOfServer { throw error }
            }
        }
    }

    /// Whether a timer of the committed version may be due.
    var mayHaveDueTimer: Bool { !beginning.isWorkWithheld && host.clock.hasReached(shown.nextTimer) }

    private func dueTimers(_ state: borrowing State) -> [EventInjection] {
        guard let tree = state.tree else { return [] }
        return tree.root.askedWork.inOrderOfTime.compactMap { asked in
            guard case .timer(let event) = asked.task, host.clock.hasReached(state.due(asked)) else { return nil }
            return asked.injection(of: event)
        }
    }

    /// Updates the time of the next timer of the committed version.
    func updateTimers(_ state: inout State) {
        guard !beginning.isWorkWithheld, state.underWay == nil, let tree = state.tree else { return }
        state.nextTimer = tree.root.nextTimer
        guard !state.delayedTimers.isEmpty else { return }
        let timers = tree.root.askedWork.filter { $0.pending.due != nil }
        let ids = Set(timers.map(\.pending.id))
        state.delayedTimers = state.delayedTimers.filter { ids.contains($0.key) }
        state.nextTimer = timers.compactMap { state.due($0) }.min()
    }

    /// Records that a timer could not fire. The timer backs off if its own event is the reason.
    private func record(_ error: SessionError, ofTimer timer: EventInjection, _ state: inout State) {
        guard let id = timer.event.pending else { return }
        switch error {
        case .hasEnded, .workIsOver: return
        case _ where error.isOfServer: return
        default: break
        }
        let refusals = (state.delayedTimers[id]?.refusals ?? 0) + 1
        let end = host.clock.timestamp().advanced(by: .seconds(error.pause(after: refusals)))
        state.delayedTimers[id] = DelayedTimer(end: end, refusals: refusals)
        updateTimers(&state)
    }
}

extension Session.State {
    /// The moment at which a timer is to fire.
    fileprivate func due(_ asked: AskedWork) -> Timestamp? {
        guard let due = asked.pending.due, let delayed = delayedTimers[asked.pending.id] else {
            return asked.pending.due
        }
        return max(due, delayed.end)
    }
}

extension [AskedWork] {
    /// The timers in the order of their times, and of two for the same time the older one first; then the work.
    var inOrderOfTime: [AskedWork] {
        guard count > 1 else { return self }
        return enumerated().sorted {
            ($0.element.pending.due?.seconds ?? .max, $0.offset) < ($1.element.pending.due?.seconds ?? .max, $1.offset)
        }.map(\.element)
    }
}

extension AskedWork {
    /// The injection of its outcome, or of its timer's event, at the coordinator that owns it.
    func injection(of event: any DeclaredEvents) -> EventInjection {
        let origin: JournalEntry.Origin = pending.due == nil ? .work : .timer
        var request = EventRequest(event, at: nil, origin: origin, pending: pending.id)
        request.traceparent = traceparent
        return EventInjection(request, wantsRoute: false)
    }
}
