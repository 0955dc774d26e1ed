internal import Coordinate
package import CoordinateSessions
internal import JSON
internal import MicroHTTPD

extension Problem {
    /// The problem to report for an error of an endpoint or of a tool.
    package init(of error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as SessionError: self.init(error)
        case let error as JournalError: self.init(SessionError(error))
        default: self = .serverFailed
        }
    }

    /// A session's error.
    package init(_ error: SessionError) {
        switch error {
        case .hasEnded:
            self.init(
                .sessionNotFound,
                """
                \(error.description) Create one with POST /sessions, or leave out the Session header and the \
                session cookie.
                """)
        case .unknownEvent(let known, let nearest):
            self.init(
                .unknownEvent,
                nearest == nil
                    ? "\(error.description) GET /catalog lists them all with their payloads." : error.description,
                fields: [PlainField("known", .array(known.map(PlainValue.string))), Self.didYouMean(nearest)])
        case .invalidPayload(let decoding):
            self = .invalidPayload(
                pointer: JSONPointer(["payload"] + decoding.path).description, error.description, decoding.nearest)
        case .eventNotAllowed:
            self.init(
                .eventNotAllowed, error.description,
                fields: [PlainField("pointer", .string("/event")), Self.didYouMean(nil)])
        case .notOffered(let offered):
            self.init(
                .notOffered, error.description,
                fields: [PlainField("offered", .array(offered.map(PlainValue.string)))])
        case .workNotWithheld:
            self = .unknownField(at: ["pending"], nearest: nil, otherwise: "\(error.description) Leave the field out.")
        case .notPending:
            self = .invalidPayload(pointer: "/pending", error.description)
        case .noOutcome(_, _, let nearest):
            self.init(
                .eventNotAllowed, error.description,
                fields: [PlainField("pointer", .string("/event")), Self.didYouMean(nearest)])
        case .notAtOwner(let coordinator):
            self.init(
                .unknownCoordinator, error.description,
                fields: [
                    PlainField("pointer", .string("/at")), PlainField("known", .array([.string(coordinator)])),
                ])
        case .invalidOptions(let option):
            self = .invalidOptions(
                pointer: JSONPointer(["options"] + option.path).description, error.description, option.nearest)
        case .unknownCoordinator(let known):
            self.init(
                .unknownCoordinator, error.description,
                fields: [
                    PlainField("pointer", .string("/at")), PlainField("known", .array(known.map(PlainValue.string))),
                ])
        case .unknownPath(let known, let link):
            self.init(
                .unknownPath, error.description,
                fields: [
                    PlainField("known", .array(known.map { .string("/\($0)") })), Self.didYouMean(link.nearest),
                ])
        case .treeIsFull:
            self.init(.tooManyCoordinators, error.description)
        case .historyIsFull:
            self.init(.tooManyEvents, error.description)
        case .tooMuchWork:
            self.init(.tooBusy, error.description, headers: [.retryAfter: "1"])
        case .appFailed, .workIsOver:
            self = .internalError
        case .journal(.outcomeUnknown), .outcomeUnavailable:
            let isTaken = if case .outcomeUnavailable = error { true } else { false }
            self.init(
                .outcomeUnknown, error.description, fields: [PlainField("taken", isTaken ? .bool(true) : .null)],
                headers: [.retryAfter: "1"])
        case .tooManyAttributes:
            self = .tooManyAttributes
        case .eventRefused(let index, let reason):
            self = Problem(reason).within("/events/\(index)")
        case .journal, .keysUnsupported:
            self.init(.journalUnavailable, error.description, headers: [.retryAfter: "1"])
        case .tooManySessions:
            self.init(
                .tooManySessions,
                "Session limit reached. End one with DELETE /sessions/{id}, or wait.",
                headers: [.retryAfter: "60"])
        case .memoryIsFull:
            self.init(.memoryFull, error.description, headers: [.retryAfter: "10"])
        case .tooBusy, .abandoned, .keyTaken:
            self.init(.tooBusy, error.description, headers: [.retryAfter: "1"])
        case .draining:
            self.init(.draining, error.description, headers: [.retryAfter: "5"])
        case .unknownVersion:
            self.init(.versionNotFound, error.description)
        case .versionConflict(let current):
            self.init(
                .versionConflict, "\(error.description) Read its route, and decide again with the new ETag.",
                fields: [PlainField("version", .int(current))])
        case .otherRequestRetried:
            self.init(
                .idempotencyMismatch,
                """
                Another request of this session had the same Idempotency-Key but a different body. Use a new key for a \
                new request.
                """)
        case .appChanged(let change):
            self.init(
                .appChanged, error.description,
                fields: [
                    PlainField("version", .int(change.version)), PlainField("recorded", Self.plain(change.recorded)),
                    PlainField("now", change.now.map(Self.plain) ?? .null), PlainField("crash", .null),
                ])
        case .crashed(let crash):
            self.init(
                .appChanged, error.description,
                fields: [
                    PlainField("version", .int(crash.version)), PlainField("recorded", .null), PlainField("now", .null),
                    PlainField(
                        "crash",
                        .object([PlainField("event", .string(crash.event)), PlainField("times", .int(crash.times))])),
                ])
        case .damaged(let version):
            self.init(.damaged, error.description, fields: [PlainField("version", .int(version))])
        case .invalidJournal(let line, _):
            self.init(.invalidJournal, error.description, fields: [PlainField("line", .int(line))])
        }
    }

    private static func plain(_ outcome: AppChange.Outcome) -> PlainValue {
        .object([
            PlainField("event", .string(outcome.event)), PlainField("handled", .bool(outcome.isHandled)),
            PlainField("handledBy", outcome.handledBy.map(PlainValue.string) ?? .null),
            PlainField("path", .string(outcome.path)),
        ])
    }
}
