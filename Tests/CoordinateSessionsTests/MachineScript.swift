import Testing

@testable import CoordinateSessions

/// A request with a name for messages.
protocol NamedRequest: SessionRequest { var name: String { get } }

/// A request as a session's machine sees it.
struct TestRequest: NamedRequest {
    let name: String
    let kind: SessionRequestKind
    var isTimer = false
    var mark: UInt64?
    var leastVersion = 0
    var fingerprint: Int?
    var time = 0
    var isAwaited = true

    static func event(
        _ name: String, if condition: VersionCondition = .none, retry: Retry? = nil, mark: UInt64? = nil
    ) -> Self { Self(name: name, kind: .event(condition, retry), mark: mark) }

    static func end(_ name: String = "end", if condition: VersionCondition = .none) -> Self {
        Self(name: name, kind: .end(condition))
    }

    static func look(_ name: String = "look", atLeast version: Int = 0) -> Self {
        Self(name: name, kind: .look, leastVersion: version)
    }

    static func timer(_ name: String) -> Self { Self(name: name, kind: .event(.none, nil), isTimer: true) }

    static let a = event("a")
    static let b = event("b")
    static let c = event("c")
}

extension VersionCondition {
    static func only(_ versions: Int...) -> Self { Self(isOneOf: .some(versions)) }
    static func none(of versions: Int...) -> Self { Self(isNoneOf: .some(versions)) }
}

extension Retry {
    init(_ key: String, fingerprint: UInt64 = 1) {
        self.init(key: key, fingerprint: fingerprint, isMinimal: false)
    }
}

/// A session's machine with scripted inputs, each next to its expected effects.
final class MachineScript {
    typealias Input = SessionMachine<TestRequest>.Input

    private(set) var machine: SessionMachine<TestRequest>

    /// Creates a session at version 3 without anything under way.
    init(isShared: Bool = false, hasTree: Bool = true, retry: Retry? = nil) {
        machine = SessionMachine(version: 3, isShared: isShared)
        if hasTree { machine.adoptTree(retry: retry) }
    }

    /// Creates a session at version 3 that is loaded with crashes.
    init(crash: CrashNote) { machine = SessionMachine(version: 3, isShared: false, quarantine: .crashed(crash)) }

    func take(
        _ input: Input, isOverdue: Bool = false, does effects: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        take(input, isOverdue: isOverdue, does: effects, sourceLocation: sourceLocation)
    }

    func take(
        _ input: Input, isOverdue: Bool = false, does effects: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            machine.receive(input, isOverdue: isOverdue).map(\.words) == effects, "\(input)",
            sourceLocation: sourceLocation)
    }

    /// Reads an entry by another server, and then knows all.
    func catchUp(learning version: Int, does effects: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        take(.learned(version), sourceLocation: sourceLocation)
        take(.caughtUp, does: effects, sourceLocation: sourceLocation)
    }

    /// Another server was faster.
    func conflict(sourceLocation: SourceLocation = #_sourceLocation) {
        take(.notCommitted(.conflict), does: "discard", "catch up", sourceLocation: sourceLocation)
    }

    /// Runs an event from its turn to its publication.
    func publish(_ name: String, then effects: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        take(.applied, does: "append \(name)", sourceLocation: sourceLocation)
        take(.committed, does: ["publish \(name)"] + effects, sourceLocation: sourceLocation)
    }

    /// Ends the session.
    func end(then effects: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        take(.submitted(.end()), does: "end end", sourceLocation: sourceLocation)
        take(.ended, does: ["confirm end", "dismiss"] + effects, sourceLocation: sourceLocation)
    }

    /// Runs an event up to its append.
    func commit(_ request: TestRequest, sourceLocation: SourceLocation = #_sourceLocation) {
        take(.submitted(request), does: "apply \(request.name)", sourceLocation: sourceLocation)
        take(.applied, does: "append \(request.name)", sourceLocation: sourceLocation)
    }
}

extension SessionMachine<TestRequest>.Input {
    static var committed: Self { .appended(.success(())) }
    static var caughtUp: Self { .caughtUp(nil) }
    static var ended: Self { .endAnswered(.success(())) }

    static func notCommitted(_ error: JournalError) -> Self { .appended(.failure(error)) }
    static func notEnded(_ error: JournalError) -> Self { .endAnswered(.failure(error)) }

    /// An entry by another server; or by this one, if it has its mark.
    static func learned(_ version: Int, retry: Retry? = nil, mark: UInt64? = nil) -> Self {
        .learned(version: version, retry: retry, mark: mark)
    }
}

extension SessionMachine.Effect where Request: NamedRequest {
    /// The effect in few words.
    var words: String {
        switch self {
        case .findDueTimers(let request): "find timers before \(request.name)"
        case .apply(let request): "apply \(request.name)"
        case .append(let request): "append \(request.name)"
        case .publish(let request): "publish \(request.name)"
        case .show(let request): "show \(request.name)"
        case .repeatOutcome(let request, let version): "repeatOutcome \(request.name): \(version)"
        case .refuse(let request, let error): "refuse \(request.name): \(error.word)"
        case .discard: "discard"
        case .catchUp: "catch up"
        case .end(let request, let version): "end \(request.name)\(version.map { " at \($0)" } ?? "")"
        case .confirmEnd(let request): "confirm \(request.name)"
        case .dismiss: "dismiss"
        }
    }
}

extension SessionError {
    fileprivate var word: String {
        switch self {
        case .appChanged: "appChanged"
        case .appFailed: "appFailed"
        case .crashed: "crashed"
        case .draining: "draining"
        case .abandoned: "abandoned"
        case .hasEnded: "hasEnded"
        case .historyIsFull: "historyIsFull"
        case .journal(let error): "\(error)"
        case .otherRequestRetried: "otherRequestRetried"
        case .tooBusy: "tooBusy"
        case .treeIsFull: "treeIsFull"
        case .workIsOver: "over"
        case .versionConflict(let current): "versionConflict at \(current)"
        default: description
        }
    }
}

extension AppChange {
    /// A change without details.
    static func at(_ version: Int) -> Self {
        let outcome = Outcome(event: "event", isHandled: true, handledBy: nil, path: "/")
        return Self(cause: .unknownEvent, version: version, recorded: outcome, now: nil, reason: "it is unknown")
    }
}

extension CrashNote {
    /// Enough crashes for a quarantine.
    static func at(_ version: Int) -> Self {
        Self(version: version, isRepeated: false, event: "event", appVersion: "1", times: 2)
    }
}
