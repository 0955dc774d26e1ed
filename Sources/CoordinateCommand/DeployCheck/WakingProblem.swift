internal import Coordinate
internal import CoordinateSessions
internal import JSON

/// The reason why a session would not wake with the new app.
struct WakingProblem: Equatable, Sendable {
    /// The kind of the reason: the recorded events of a group of sessions first differ in the same way.
    enum Cause: Hashable, Sendable {
        case differs(AppChange.Cause)
        /// The app crashes the process, or a turn does not end.
        case crash
        /// The app fails in a turn.
        case failed
        /// The store cannot read an entry.
        case damaged
    }

    let cause: Cause
    /// The name of the first event that differs; `nil` for the start of the tree, or if it is unknown.
    let event: String?
    /// The version to which that event leads; 0 for the start of the tree, `nil` if it is unknown.
    let version: Int?
    /// The recorded outcome and today's; `nil` if unknown.
    var recorded: AppChange.Outcome?
    var now: AppChange.Outcome?
    /// The reason, as the second half of a sentence or as a sentence.
    let reason: String

    init(
        _ cause: Cause, event: String?, version: Int?, recorded: AppChange.Outcome? = nil,
        now: AppChange.Outcome? = nil, reason: String
    ) {
        self.cause = cause
        self.event = event
        self.version = version
        self.recorded = recorded
        self.now = now
        self.reason = reason
    }

    init(_ change: AppChange) {
        self.init(
            .differs(change.cause), event: change.recorded.event, version: change.version, recorded: change.recorded,
            now: change.now, reason: change.reason)
    }

    /// - Parameter entry: The entry that was replayed; `nil` for the start of the tree.
    init(_ error: SessionError, at entry: JournalEntry?) {
        switch error {
        case .appChanged(let change): self.init(change)
        case .crashed(let crash):
            self.init(.crash, event: crash.event, version: crash.version, reason: "\(crash).")
        case .damaged(let version):
            self.init(.damaged, event: nil, version: version, reason: error.description)
        case .appFailed(let reason):
            self.init(
                .failed, event: entry?.event, version: entry?.version ?? 0, recorded: entry.map(AppChange.Outcome.init),
                reason: "the app failed: \(reason)")
        default:
            self.init(
                .failed, event: entry?.event, version: entry?.version ?? 0, recorded: entry.map(AppChange.Outcome.init),
                reason: error.description)
        }
    }
}

extension AppChange.Outcome {
    fileprivate init(_ entry: JournalEntry) {
        self.init(event: entry.event, isHandled: entry.isHandled, handledBy: entry.handledBy, path: entry.path)
    }
}

extension WakingProblem.Cause: CaseIterable, RawRepresentable {
    static let allCases: [WakingProblem.Cause] =
        [.crash, .failed, .damaged] + AppChange.Cause.allCases.map(WakingProblem.Cause.differs)

    init?(rawValue: String) {
        guard let cause = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = cause
    }

    /// The name in documents.
    var rawValue: String {
        switch self {
        case .differs(let cause): cause.rawValue
        case .crash: "crash"
        case .failed: "failed"
        case .damaged: "damaged"
        }
    }
}

// MARK: JSON

extension JSONWriter<[UInt8]> {
    /// Writes the fields of a problem that describe its journal.
    mutating func journal(_ problem: WakingProblem) {
        field("version", problem.version)
        outcome("recorded", problem.recorded)
        outcome("now", problem.now)
        field("reason", problem.reason)
    }

    private mutating func outcome(_ name: StaticString, _ outcome: AppChange.Outcome?) {
        guard let outcome else {
            key(name)
            return null()
        }
        object(name) {
            $0.field("event", outcome.event)
            $0.field("handled", outcome.isHandled)
            $0.field("handledBy", outcome.handledBy)
            $0.field("path", outcome.path)
        }
    }
}

extension WakingProblem {
    /// Reads the fields of a line that a ``TrialWorker`` wrote; `nil` if they are no problem.
    init?(_ fields: PlainValue) {
        guard let cause = fields[field: "cause"]?.string.flatMap(Cause.init),
            let reason = fields[field: "reason"]?.string
        else { return nil }
        var version: Int?
        if case .int(let number) = fields[field: "version"] { version = number }
        self.init(
            cause, event: fields[field: "event"]?.string, version: version,
            recorded: fields[field: "recorded"].flatMap(AppChange.Outcome.init),
            now: fields[field: "now"].flatMap(AppChange.Outcome.init), reason: reason)
    }
}

extension AppChange.Outcome {
    fileprivate init?(_ fields: PlainValue) {
        guard let event = fields[field: "event"]?.string, let path = fields[field: "path"]?.string else { return nil }
        self.init(
            event: event, isHandled: fields[field: "handled"] == .bool(true),
            handledBy: fields[field: "handledBy"]?.string, path: path)
    }
}
