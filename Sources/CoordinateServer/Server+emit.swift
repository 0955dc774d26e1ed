public import Coordinate
public import CoordinateSessions
internal import JSON
internal import Synchronization

extension Server {
    /// Emits an event into a session, for facts that only the host knows, such as a push or a webhook.
    ///
    /// ```swift
    /// let outcome = try await server.emit(AppEvents.Orders.didShip(order), into: session)
    /// ```
    ///
    /// The session handles it like any other event, after those before it, and records it with the origin `host`.
    /// ``EventDeclaration/Case/appOnly`` events are accepted.
    ///
    /// - Parameters:
    ///   - session: The session's id, as clients and ``SessionHooks`` get it.
    ///   - coordinator: The id of the coordinator at which to emit it, which must be started; `nil` for the visible
    ///     leaf.
    ///   - key: A name of the event, up to 255 visible ASCII characters, such as the id that another system gave it. A
    ///     second call with the same key has no effect, and returns the first outcome, while the key is among the last 64
    ///     of the session. `nil` for an event that is never repeated.
    /// - Returns: The outcome, once the event is in the journal.
    /// - Throws: ``EmitError``. Nothing was changed then, except possibly with ``EmitError/outcomeUnknown``.
    @discardableResult
    public func emit(
        _ event: some DeclaredEvents, into session: SessionID, at coordinator: String? = nil, once key: String? = nil
    ) async throws(EmitError) -> EventOutcome {
        let request = EventRequest(event, at: coordinator, origin: .host)
        let injection = EventInjection(request, retry: try key.map(request.retry), wantsRoute: false)
        do throws(SessionError) {
            emissions.wrappingAdd(1, ordering: .sequentiallyConsistent)
            defer { emissions.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
            guard !api.isDraining else { throw .draining }
            return try await withTaskExecutorPreference(api.sessions.host.executor) { () throws(SessionError) in
                try await api.sessions.find(session).inject(injection)
            }
        } catch {
            throw EmitError(error)
        }
    }
}

extension EventRequest {
    /// The mark of the request, by which a repetition with the same key is recognized.
    fileprivate func retry(key: String) throws(EmitError) -> Retry {
        guard Retry.isKey(key) else { throw .refused(Retry.keyRule) }
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("event", name)
            $0.key("payload")
            $0.plain(payload)
            $0.field("at", at)
        }
        return Retry(key: key, body: json.finish(), isMinimal: true)
    }
}

extension Retry {
    /// Whether a text can be an idempotency key.
    static func isKey(_ text: String) -> Bool {
        (1...maximumKeyLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    static let keyRule = "An Idempotency-Key is 1 to \(maximumKeyLength) visible ASCII characters, such as a UUID."
}

/// The reason why a session did not accept an event from the host.
public enum EmitError: Error, Equatable, CustomStringConvertible {
    /// The session does not exist, or it has ended.
    case noSuchSession
    /// The event does not fit the app or the session's state; the text says why, and what to do about it.
    case refused(String)
    /// The app failed in the event's turn, which was discarded.
    case appFailed
    /// The session is quarantined: it did not replay as recorded, or it crashed the process twice in a row.
    case appChanged(String)
    /// The event cannot be accepted now. Retry in a moment.
    case unavailable(String)
    /// The journal did not report whether it has stored the event.
    case outcomeUnknown

    init(_ error: SessionError) {
        self =
            switch error {
            case .hasEnded: .noSuchSession
            case .appFailed: .appFailed
            case .appChanged, .crashed: .appChanged(error.description)
            case .journal(.outcomeUnknown), .outcomeUnavailable: .outcomeUnknown
            case .journal, .tooBusy, .abandoned, .tooMuchWork, .draining, .tooManySessions:
                .unavailable(error.description)
            default: .refused(error.description)
            }
    }

    public var description: String {
        switch self {
        case .noSuchSession: "The session does not exist, or it has ended."
        case .appFailed: "The app failed in the event's turn, which was discarded."
        case .outcomeUnknown: "The journal did not report whether it has stored the event."
        case .refused(let reason), .appChanged(let reason), .unavailable(let reason): reason
        }
    }
}
