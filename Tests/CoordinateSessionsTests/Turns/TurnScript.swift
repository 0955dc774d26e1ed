import Coordinate
import CoordinateSessions
import MisbehavingJournal
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateSessions

/// A session at version 3, and what happens around its turns, step by step. A step runs until everything waits for a
/// later one, and stands next to what follows from it. Everything runs on the test's thread.
///
/// ```swift
/// script.event("a", does: "append a")
/// script.answer(does: "a: 4")
/// ```
///
/// What follows are the journal's calls that wait for their answers, the results of requests, and the notifications of
/// followers. The script also checks that nothing is shown or reported before it is committed, and nothing twice.
final class TurnScript: Sendable {
    private final class Log: Sendable {
        let words = Mutex<[String]>([])
        /// The versions that were reported to the host.
        let reports = Mutex<[Int]>([])
        /// Something to do when a lane reads its clock for the given time from now.
        let interruption = Mutex<(readings: Int, action: @Sendable () -> Void)?>(nil)
        /// The number of jobs on lanes.
        let lanes = Atomic(0)
        /// The time that a turn takes, and the time, in nanoseconds.
        let turnTime = Atomic(UInt64(0))
        let time = Atomic(UInt64(0))

        func append(_ word: String) { words.withLock { $0.append(word) } }

        func readClock() {
            let action = interruption.withLock { interruption -> (@Sendable () -> Void)? in
                interruption?.readings -= 1
                guard let (readings, action) = interruption, readings == 0 else { return nil }
                interruption = nil
                return action
            }
            action?()
        }
    }

    let schedule = PumpedSchedule(seed: nil)
    let clock = ManualClock()
    /// What the sessions log.
    let lines = LogCapture()
    let journal: ScriptedJournal
    let registry: SessionRegistry
    let session: Session
    private let log = Log()

    /// - Parameter first: The key of the request that created it.
    init(
        isShared: Bool = false, losesAnswers: Bool = false, hasTree: Bool = true, first: Retry? = nil
    ) throws {
        let log = log
        journal = ScriptedJournal(isShared: isShared, losesAnswers: losesAnswers) { log.append($0) }
        let now = ContinuousClock.now
        let registries = (0..<2).map { [schedule, clock, lines, journal] _ in
            SessionRegistry(
                SessionHost(
                    app: HostedApp(
                        TurnApp(), logger: lines.logger,
                        nanoseconds: {
                            let step = log.turnTime.load(ordering: .relaxed)
                            return log.time.add(step, ordering: .relaxed).newValue
                        }),
                    journal: journal, clock: clock.clock, limits: .make(),
                    scheduler: FairScheduler(
                        count: 1,
                        clock: {
                            log.readClock()
                            return now
                        },
                        on: { _, work in
                            log.lanes.add(1, ordering: .relaxed)
                            schedule.soon(work)
                        }),
                    executor: schedule,
                    hooks: SessionHooks(didCommit: { event in log.reports.withLock { $0.append(event.version) } }),
                    encode: { state, session, version in StateRoute(state, of: session, version: version) }))
        }
        registry = registries[hasTree ? 0 : 1]
        let session = Self.now(on: schedule) {
            let session = try await registries[0].begin(with: .say("1", retry: first)).session
            for text in ["2", "3"] { _ = try await session.inject(.say(text)) }
            return hasTree ? session : try await registries[1].find(session.id)
        }
        self.session = try #require(session)
        log.reports.withLock { $0 = [] }
        journal.hold()
    }

    /// The result of a function that waits for nothing but the schedule; `nil` if it throws an error.
    @discardableResult
    private static func now<Value: Sendable>(
        on schedule: PumpedSchedule, _ body: @escaping @Sendable () async throws -> Value
    ) -> Value? {
        let result = Mutex<Value?>(nil)
        Task.immediate(executorPreference: schedule) {
            let value = try await body()
            result.withLock { $0 = value }
        }
        while schedule.pump() {}
        return result.withLock(\.self)
    }

    /// The version that is shown, and whether the session is idle and has a tree.
    var version: Int { session.shown.version }
    var hasTree: Bool { session.shown.hasTree }

    /// The number of jobs that ran on lanes.
    var laneCount: Int { log.lanes.load(ordering: .relaxed) }

    /// Does something, and all that follows from it, within the next slice of a lane, after its first entry.
    func interrupt(_ action: @escaping @Sendable () -> Void) {
        log.interruption.withLock { interruption in
            interruption = (
                2,
                { [schedule] in
                    action()
                    while schedule.pump() {}
                }
            )
        }
    }

    /// Has all later turns take a tenth of a second.
    func slowDown() { log.turnTime.store(100_000_000, ordering: .relaxed) }

    /// Runs until everything waits, and compares what happened since the last step.
    func expect(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(words, sourceLocation)
    }

    private func expect(_ words: [String], _ sourceLocation: SourceLocation) {
        while schedule.pump() {}
        let happened = log.words.withLock { log in
            defer { log = [] }
            return log
        }
        #expect(happened == words, sourceLocation: sourceLocation)
        let reports = log.reports.withLock(\.self)
        #expect(reports == Set(reports).sorted(), "reported in another order", sourceLocation: sourceLocation)
        guard let committed = stored(\.count) else { return }
        #expect(version <= committed && reports.last ?? 0 <= committed, sourceLocation: sourceLocation)
    }

    /// The entries in the store, or a part of it; `nil` if the session has ended.
    func stored<Value: Sendable>(_ part: @escaping @Sendable ([JournalEntry]) -> Value) -> Value? {
        Self.now(on: schedule) { [journal, session] in
            part(try await journal.journal.read(session.id, after: 0, limit: .max))
        }
    }

    /// The versions that were reported to the host.
    var reports: [Int] { log.reports.withLock(\.self) }

    // MARK: Requests

    /// Begins a request, whose result is logged.
    @discardableResult
    func request(
        _ name: String, does words: [String], _ sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable () async throws(SessionError) -> String
    ) -> Task<Void, Never> {
        let task = Task.immediate(executorPreference: schedule) { [log] in
            do throws(SessionError) {
                log.append("\(name): \(try await body())")
            } catch {
                log.append("\(name): \(error.word)")
            }
        }
        expect(words, sourceLocation)
        return task
    }

    @discardableResult
    func event(
        _ name: String, _ injection: EventInjection? = nil, if condition: VersionCondition = .none,
        retry: Retry? = nil, does words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Task<Void, Never> {
        let injection = injection ?? .say(name, if: condition, retry: retry)
        return request(name, does: words, sourceLocation) { [session] () async throws(SessionError) in
            String(try await session.inject(injection).version)
        }
    }

    @discardableResult
    func look(
        _ name: String = "look", atLeast version: Int = 0, does words: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Task<Void, Never> {
        request(name, does: words, sourceLocation) { [session] () async throws(SessionError) in
            try await session.look(atLeast: version) { _, tree in String(tree.version) }
        }
    }

    @discardableResult
    func end(
        _ name: String = "end", if condition: VersionCondition = .none, does words: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Task<Void, Never> {
        request(name, does: words, sourceLocation) { [session] () async throws(SessionError) in
            try await session.end(if: condition)
            return "done"
        }
    }

    /// Reads the route, and shows its title.
    @discardableResult
    func route(does words: String..., sourceLocation: SourceLocation = #_sourceLocation) -> Task<Void, Never> {
        request("route", does: words, sourceLocation) { [session] () async throws(SessionError) in
            guard case .route(let version, let route) = try await session.route() else { return "unchanged" }
            return "\(version) \(route.asState.state.screen.title ?? "")"
        }
    }

    /// Adds a follower, which is welcomed with a version.
    func follow(does words: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        let follower = LoggingFollower(of: session) { [log] in log.append($0) }
        request("follow", does: words, sourceLocation) { [session] () async throws(SessionError) in
            let version = Mutex(0)
            _ = try await session.follow(follower) { first, _ in
                version.withLock { $0 = first }
                return true
            }
            return String(version.withLock(\.self))
        }
    }

    // MARK: What others do

    /// Answers a call of the journal; by default the oldest one.
    func answer(
        _ answer: ScriptedJournal.Answer = .done, to call: String? = nil, does words: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(journal.answer(answer, to: call), "No such call waits.", sourceLocation: sourceLocation)
        expect(words, sourceLocation)
    }

    /// Another server appends an entry first, and answers the call: it conflicts.
    func conflict(with text: String = "x", sourceLocation: SourceLocation = #_sourceLocation) {
        rival(text)
        #expect(journal.answer(.done), "No such call waits.", sourceLocation: sourceLocation)
        expect(["read after 0"], sourceLocation)
    }

    /// Appends an entry as another server would.
    ///
    /// - Parameter pending: The timer whose event it is.
    func rival(_ text: String = "x", retry: Retry? = nil, event: String = "turn.say", pending: String? = nil) {
        Self.now(on: schedule) { [journal, session] in
            guard let head = try await journal.journal.head(of: session.id) else { return }
            let entry = JournalEntry(
                version: head.version + 1, time: head.lastEventAt ?? head.record.createdAt, appVersion: "1",
                event: event, payload: .object([PlainField("text", .string(text))]), at: "TurnCoordinator",
                isHandled: true, handledBy: "TurnCoordinator", path: head.path,
                origin: pending == nil ? .client : .timer, pending: pending, retry: retry, mark: 1)
            try await journal.commit(entry, to: session.id)
        }
    }

    /// Ends the session on another server.
    func endElsewhere() {
        Self.now(on: schedule) { [journal, session] in try await journal.journal.end(session.id, at: nil) }
    }

    /// The journal reports a possible change by another server.
    func news(does words: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        session.receiveChange()
        expect(words, sourceLocation)
    }
}

private final class LoggingFollower: SessionFollower {
    private unowned let session: Session
    private let log: @Sendable (String) -> Void

    init(of session: Session, _ log: @escaping @Sendable (String) -> Void) { (self.session, self.log) = (session, log) }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        #expect(session.shown.version >= version, "A client that reads it now does not get the version.")
        log("follower: \(version)")
        return true
    }

    func didEnd() { log("follower: end") }
    func wasReleased() { log("follower: release") }
}

extension EventInjection {
    static func say(
        _ text: String, if condition: VersionCondition = .none, retry: Retry? = nil
    ) -> EventInjection {
        .make("turn.say", .object([PlainField("text", .string(text))]), if: condition, retry: retry)
    }

    static func set(
        _ timer: String, after seconds: Int = 10, if condition: VersionCondition = .none
    ) -> EventInjection {
        let fields = [PlainField("text", .string(timer)), PlainField("seconds", .int(seconds))]
        return .make("turn.set", .object(fields), if: condition)
    }

    static let fail = make("turn.fail")
    static let fill = make("turn.fill")
    /// An event that the tree refuses.
    static let lost = make("turn.say", .object([PlainField("text", .string("lost"))]), at: "Nowhere")
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

extension SessionError {
    /// The error in the words of a test.
    var word: String {
        switch self {
        case .abandoned: "abandoned"
        case .appChanged: "appChanged"
        case .appFailed: "appFailed"
        case .crashed: "crashed"
        case .draining: "draining"
        case .eventNotAllowed: "eventNotAllowed"
        case .eventRefused(let index, let error): "event \(index): \(error.word)"
        case .hasEnded: "hasEnded"
        case .historyIsFull: "historyIsFull"
        case .invalidPayload: "invalidPayload"
        case .journal(let error): "\(error)"
        case .keysUnsupported: "keysUnsupported"
        case .memoryIsFull: "memoryIsFull"
        case .notPending(let known): "not pending: \(known.joined(separator: ", "))"
        case .otherRequestRetried: "otherRequestRetried"
        case .outcomeUnavailable: "outcomeUnavailable"
        case .tooBusy: "tooBusy"
        case .tooMuchWork: "tooMuchWork"
        case .unknownCoordinator: "unknownCoordinator"
        case .versionConflict(let current): "versionConflict at \(current)"
        case .workIsOver: "workIsOver"
        case .workNotWithheld: "workNotWithheld"
        default: description
        }
    }
}
