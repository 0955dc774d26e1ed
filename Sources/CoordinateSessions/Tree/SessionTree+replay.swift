internal import Coordinate

extension SessionTree {
    /// Replays the next recorded event, and compares its outcome with the recorded one: the coordinator that handled
    /// it, and the path afterwards. Every tree is built by this method.
    ///
    /// An event that another version of the app recorded is migrated first.
    ///
    /// - Returns: The outcome of the last event that was emitted for it; `nil` if the migration dropped it.
    /// - Throws: ``SessionError/appChanged(_:)`` with the difference; ``SessionError/appFailed(_:)``.
    @discardableResult
    package func replay(_ entry: JournalEntry) throws(SessionError) -> Turn? {
        var turn: Turn?
        func emit(_ request: EventRequest) throws(SessionError) {
            do throws(SessionError) {
                turn = try apply(request, at: entry.time)
            } catch {
                try refuse(entry, now: nil, error.causeOfChange, error.whyNotReplayed(at: request.at), because: error)
            }
        }
        let recorded: RecordedEvent
        if entry.appVersion == app.version {
            try emit(EventRequest(repeating: entry))
            // Nearly all events lead where they led, and need nothing else.
            if let dispatch = turn?.dispatch, dispatch.isHandled == entry.isHandled,
                dispatch.handledBy == entry.handledBy, path == entry.path
            {
                version = entry.version
                return turn
            }
            recorded = migrated(entry)
        } else {
            recorded = migrated(entry)
            if recorded.emissions.isEmpty, let pending = entry.pending { remove(pending) }
            for emission in recorded.emissions { try emit(EventRequest(repeating: emission, of: entry)) }
        }
        if !recorded.acceptsDifferences, let (cause, reason) = difference(to: recorded, turn) {
            let outcome = AppChange.Outcome(
                event: turn?.event ?? entry.event, isHandled: turn?.dispatch.isHandled ?? recorded.isHandled,
                handledBy: turn.map(\.dispatch.handledBy) ?? recorded.handledBy, path: path)
            try refuse(entry, now: outcome, cause, reason, because: nil)
        }
        version = entry.version
        return turn
    }

    func migrated(_ entry: JournalEntry) -> RecordedEvent {
        app.migrated(
            RecordedEvent(
                version: entry.version, appVersion: entry.appVersion,
                event: .init(name: entry.event, payload: entry.payload, at: entry.at), isHandled: entry.isHandled,
                handledBy: entry.handledBy, path: entry.path))
    }

    /// The first difference from the recorded outcome; `nil` if there is none.
    private func difference(to recorded: RecordedEvent, _ turn: Turn?) -> (AppChange.Cause, reason: String)? {
        func difference(
            _ field: AppChange.Cause, _ then: String, _ now: String
        ) -> (AppChange.Cause, reason: String)? {
            then == now ? nil : (field, "\(field) was \(then) when it was recorded, and is \(now) now.")
        }
        guard let dispatch = turn?.dispatch else { return difference(.path, recorded.path, path) }
        return difference(.handled, "\(recorded.isHandled)", "\(dispatch.isHandled)")
            ?? difference(.handledBy, recorded.handledBy ?? "no coordinator", dispatch.handledBy ?? "no coordinator")
            ?? difference(.path, recorded.path, path)
    }

    /// Throws the difference, unless the app's policy accepts it.
    private func refuse(
        _ entry: JournalEntry, now: AppChange.Outcome?, _ cause: AppChange.Cause, _ reason: String,
        because error: SessionError?
    ) throws(SessionError) {
        // A turn that failed halfway leaves no tree from which to continue.
        if let error, isBroken { throw error }
        let change = AppChange(
            cause: cause, version: entry.version,
            recorded: .init(
                event: entry.event, isHandled: entry.isHandled, handledBy: entry.handledBy, path: entry.path),
            now: now, reason: reason)
        guard app.onChange == .accept else { throw .appChanged(change) }
        app.report("A session continues although it does not replay as recorded: \(change)")
    }
}

extension SessionError {
    /// The kind of the difference if a recorded event can no longer be emitted.
    fileprivate var causeOfChange: AppChange.Cause {
        switch self {
        case .unknownEvent: .unknownEvent
        case .unknownCoordinator: .unknownCoordinator
        case .unknownPath: .unknownPath
        case .invalidPayload: .invalidPayload
        default: .refused
        }
    }

    /// The reason why a recorded event can no longer be emitted: the second half of a sentence.
    fileprivate func whyNotReplayed(at coordinator: String?) -> String {
        switch self {
        case .unknownEvent(_, let nearest):
            "there is no such event any more.\(nearest.map { " Did you mean \($0)?" } ?? "")"
        case .unknownCoordinator(let known):
            "there is no started coordinator \(coordinator ?? "") any more."
                + (coordinator?.nearest(among: known).map { " Did you mean \($0)?" } ?? "")
        case .unknownPath: "its path leads nowhere any more."
        default: description
        }
    }
}
