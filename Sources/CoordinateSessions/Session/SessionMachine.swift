/// The decisions of a session, as a value: inputs go in, and effects come out.
///
/// It has no tree, no journal, no lock and no clock; ``Session`` carries out its effects, and reports their results as
/// inputs.
///
/// ```
///            submitted(event)        applied             appended: committed
///   idle ──────────────────▶ turning ───────▶ committing ──────────────────▶ idle
///    ▲ │                                        │      ▲ │
///    │ │ no tree, or news              conflict │      └─┘ unknown: the same entry once more
///    │ ▼                                        ▼
///    └─── catchingUp ◀──────────────────────────┘
///            │ differs
///            ▼               submitted(end)           ended
///        quarantined, or idle ────────────▶ ending ──────────▶ ended
/// ```
///
/// Facts that always hold: one entry at a time is on its way to the journal; nothing is published, answered or shown
/// before it is committed; requests are answered in the order in which they came, each exactly once; the timers that
/// are due when a request begins fire before it.
struct SessionMachine<Request: SessionRequest>: Sendable {
    enum Input: Sendable {
        /// A request has arrived.
        case submitted(Request)
        /// The requests that fire the timers that are due, in the order of their times.
        case dueTimers([Request])
        /// The turn succeeded: there is an entry to append.
        case applied
        /// The request does not fit the tree, which has not changed.
        case refused(SessionError)
        /// The turn failed halfway. The tree must not be used.
        case failed(SessionError)
        /// The journal's result of the append.
        case appended(Result<Void, JournalError>)
        /// An entry that the tree has replayed.
        case learned(version: Int, retry: Retry?, mark: UInt64?)
        /// The tree is up to date with the journal; or the reason why it is not.
        case caughtUp(SessionError?)
        /// The journal's result of the end.
        case endAnswered(Result<Void, JournalError>)
        /// Other servers may have appended entries to the session, or ended it.
        case changedElsewhere
        /// The journal no longer has the session. The request under way gets its own outcome first.
        case vanished
        /// The crashes that the journal knows now: those because of which the session is quarantined, or none.
        case judged(CrashNote?)
        /// The tree is not needed for now.
        case passivated
        /// The server stops: new requests are refused, nothing is retried, and waiting requests are served only if
        /// there is a tree.
        case drained
    }

    enum Effect: Sendable {
        /// Report the timers that are due before this request with `dueTimers`.
        case findDueTimers(before: Request)
        /// Run the request's event as a turn, then report whether it was applied, refused, or failed.
        case apply(Request)
        /// Append the turn's entry, then report `appended`. A repetition appends the very same entry.
        case append(Request)
        /// The entry is committed: make it visible, and deliver the outcome to the request.
        case publish(Request)
        /// Show the request the committed state.
        case show(Request)
        /// Deliver the outcome of an earlier event to the request: it is a repetition, or its own entry was found in
        /// the journal.
        case repeatOutcome(Request, version: Int)
        /// Refuse the request.
        case refuse(Request, SessionError)
        /// Release the tree: it is ahead of the journal, or must not be used.
        case discard
        /// Build the tree, or bring it up to date with the journal. Report each entry with `learned`, and finally
        /// `caughtUp`.
        case catchUp
        /// End the session in the journal, then report `endAnswered`.
        case end(Request, at: Int?)
        /// Confirm to the request that the session has ended.
        case confirmEnd(Request)
        /// Release everything: the session has ended.
        case dismiss
    }

    enum Phase: Sendable {
        case idle
        /// The timers that are due before a request are being determined.
        case checkingTimers(Request)
        /// A turn is being run.
        case turning(Request)
        /// The tree is ahead of the journal by one event.
        case committing(Request)
        /// The tree is being built, or brought up to date; first of all for this request, if there is one.
        case catchingUp(Request?, because: SessionError?)
        case ending(Request)
        case ended
        /// The session does not replay as it was recorded, or crashes the process.
        case quarantined(Quarantine)
    }

    /// The maximum number of requests that wait for their turn.
    static var waitingLimit: Int { 256 }
    /// The number of times that a request is retried after other servers were faster.
    static var attemptLimit: Int { 10 }
    /// The number of times that an entry with an unknown outcome is appended again.
    static var repetitionLimit: Int { 4 }

    private(set) var phase = Phase.idle
    /// The last committed version that is known here.
    private(set) var version: Int
    /// Whether there is a tree, at that version or ahead by the event under way.
    private(set) var hasTree = false
    /// Whether other servers write to the journal. If so, the version known here may be out of date.
    let isShared: Bool

    /// The requests that can be repeated. Like the tree, they are derived from the journal, and released with it.
    private var retries = RetryWindow()
    private var failures = FailedTurns()
    private var waiting: [Request] = []
    /// The number of requests at the beginning of the line that check no timers: those that fire the due ones, and the
    /// request that comes after them. So a timer that sets the next one never holds it up.
    private var checked = 0
    /// Whether the timers were checked for the request under way, or need no check.
    private var isChecked = false
    /// Whether a timer may be due.
    private var isOverdue = false
    /// The number of times that the request under way was tried, and that its entry was appended.
    private var attempts = 0
    private var repetitions = 0
    /// Whether the journal may have the entry under way; and the version at which that entry was found.
    private var isUncertain = false
    private(set) var found: Int?
    private var isDraining = false
    /// Whether other servers may have made changes that are not read yet.
    private var hasNews = false
    /// The version before catching up.
    private var versionBefore = 0
    /// The reason why the session accepts no more events; `nil` if it does.
    private var quarantine: Quarantine?

    init(version: Int, isShared: Bool, quarantine: Quarantine? = nil) {
        self.version = version
        self.isShared = isShared
        self.quarantine = quarantine
        if let quarantine { phase = .quarantined(quarantine) }
    }

    /// Adopts a tree that has accepted one event that can be repeated, or none.
    mutating func adoptTree(retry: Retry?) {
        hasTree = true
        if let retry { retries.record(retry, version: version) }
    }

    /// Whether the published route can be shown at once.
    var isReadable: Bool {
        switch phase {
        case .idle, .committing: !isShared
        case .checkingTimers, .turning, .catchingUp, .ending, .ended, .quarantined: false
        }
    }

    /// Whether the tree is at the committed version, and nothing is under way.
    var isSettled: Bool {
        if case .idle = phase { hasTree } else { false }
    }

    /// Whether any request waits for the tree that is being built.
    var isAwaited: Bool {
        guard case .catchingUp(let request?, _) = phase else { return true }
        return request.isAwaited || waiting.contains(where: \.isAwaited)
    }

    /// Whether nothing is under way and no request waits.
    var isIdle: Bool {
        switch phase {
        case .idle, .quarantined, .ended: waiting.isEmpty
        case .checkingTimers, .turning, .committing, .catchingUp, .ending: false
        }
    }

    /// - Parameter isOverdue: Whether a timer of the tree may be due. It need not be: then no due timers are found.
    mutating func receive(_ input: Input, isOverdue: Bool = false) -> Effects<Request> {
        self.isOverdue = isOverdue
        var effects = react(to: input)
        while let more = next() { effects.append(more) }
        return effects
    }

    private mutating func react(to input: Input) -> Effects<Request> {
        switch input {
        case .submitted(let request): return submitted(request)
        case .dueTimers(let timers): return found(timers)
        case .applied: return applied()
        case .refused(let error): return refused(error)
        case .failed(let error): return failed(error)
        case .appended(let result): return appended(result)
        case .learned(let version, let retry, let mark): learned(version, retry, mark)
        case .caughtUp(let error): return caughtUp(error)
        case .endAnswered(let result): return endAnswered(result)
        case .changedElsewhere: hasNews = true
        case .vanished: return vanished()
        case .judged(let crash): return judged(crash)
        case .passivated: return passivated()
        case .drained: isDraining = true
        }
        return Effects()
    }

    // MARK: Requests

    private mutating func submitted(_ request: Request) -> Effects<Request> {
        switch phase {
        case .ended: return Effects(.refuse(request, .hasEnded))
        case _ where isDraining: return Effects(.refuse(request, .draining))
        case .idle, .quarantined: return begin(request)
        case .checkingTimers, .turning, .committing, .catchingUp, .ending:
            guard waiting.count < Self.waitingLimit else { return Effects(.refuse(request, .tooBusy)) }
            waiting.append(request)
            return Effects()
        }
    }

    /// Begins the first request that waits.
    private mutating func beginNext() -> Effects<Request> {
        let isChecked = checked > 0
        checked = max(0, checked - 1)
        return begin(waiting.removeFirst(), isChecked: isChecked)
    }

    /// Begins a request if nothing is under way.
    private mutating func begin(_ request: Request, isChecked: Bool = false) -> Effects<Request> {
        attempts = 0
        isUncertain = false
        self.isChecked = isChecked || request.isTimer
        // An end needs no tree.
        if case .end = request.kind {
            self.isChecked = true
            return attempt(request)
        }
        if let quarantine { return refuse(request, quarantine.error) }
        guard hasTree, request.leastVersion <= version else {
            // The tree is not built only to be broken again.
            if let error = refusalWithoutTree(of: request) { return refuse(request, error) }
            return catchUp(for: request)
        }
        return attempt(request)
    }

    private func refusalWithoutTree(of request: Request) -> SessionError? {
        guard !failures.isEmpty, case .event(let condition, _) = request.kind, condition.allows(version) else {
            return nil
        }
        // If others write to the journal, it may be at another version by now.
        if !isShared, let error = failures.refusal(of: request) { return error }
        return failures.isOverdrawn(at: request.time) ? .tooBusy : nil
    }

    /// Lets the due timers fire before the request.
    private mutating func found(_ timers: [Request]) -> Effects<Request> {
        guard case .checkingTimers(let request) = phase else { return Effects() }
        phase = .idle
        guard !timers.isEmpty else { return attempt(request) }
        waiting.insert(contentsOf: timers + [request], at: 0)
        checked = timers.count + 1
        return Effects()
    }

    /// Tries a request for which there is a tree.
    private mutating func attempt(_ request: Request) -> Effects<Request> {
        if isOverdue, !isChecked {
            isChecked = true
            phase = .checkingTimers(request)
            return Effects(.findDueTimers(before: request))
        }
        attempts += 1
        switch request.kind {
        case .look: return Effects(.show(request))
        case .end(let condition):
            guard condition.allows(version) else { return reconsider(request, .versionConflict(current: version)) }
            phase = .ending(request)
            return Effects(.end(request, at: condition == .none ? nil : version))
        case .event(let condition, let retry):
            do throws(SessionError) {
                if let retry, let former = try retries.entry(of: retry) {
                    return Effects(.repeatOutcome(request, version: former.version))
                }
            } catch {
                return reconsider(request, error)
            }
            guard condition.allows(version) else { return reconsider(request, .versionConflict(current: version)) }
            if !failures.isEmpty {
                if let error = failures.refusal(of: request) { return reconsider(request, error) }
                if failures.isOverdrawn(at: request.time) { return refuse(request, .tooBusy) }
            }
            phase = .turning(request)
            return Effects(.apply(request))
        }
    }

    /// Refuses a request, after checking that no change by another server makes it valid.
    private mutating func reconsider(_ request: Request, _ error: SessionError) -> Effects<Request> {
        guard isShared, quarantine == nil, !isDraining, attempts == 1 else { return refuse(request, error) }
        return catchUp(for: request, because: error)
    }

    /// Refuses the request under way.
    private mutating func refuse(_ request: Request, _ error: SessionError) -> Effects<Request> {
        phase = quarantine.map(Phase.quarantined) ?? .idle
        var effects = Effects<Request>(.refuse(request, error))
        guard request.isTimer, error.isOfServer else { return effects }
        // The request that comes after the timer would see a state that should be over. Nothing was done for it.
        let reason = if case .journal(.outcomeUnknown) = error { SessionError.journal(.unavailable) } else { error }
        for request in waiting.prefix(checked) { effects.append(Effects(.refuse(request, reason))) }
        waiting.removeFirst(checked)
        checked = 0
        return effects
    }

    /// Continues with the next request; `nil` if something is under way, or none waits.
    private mutating func next() -> Effects<Request>? {
        switch phase {
        case .idle where hasNews && !isDraining:
            hasNews = false
            return catchUp(for: nil)
        case .idle, .quarantined: return waiting.isEmpty ? nil : beginNext()
        case .checkingTimers, .turning, .committing, .catchingUp, .ending, .ended: return nil
        }
    }

    // MARK: A turn and its commit

    private mutating func applied() -> Effects<Request> {
        guard case .turning(let request) = phase else { return Effects() }
        phase = .committing(request)
        repetitions = 0
        return Effects(.append(request))
    }

    private mutating func refused(_ error: SessionError) -> Effects<Request> {
        guard case .turning(let request) = phase else { return Effects() }
        return reconsider(request, error)
    }

    private mutating func failed(_ error: SessionError) -> Effects<Request> {
        guard case .turning(let request) = phase else { return Effects() }
        failures.record(error, of: request, at: version)
        return Effects(discard(), reconsider(request, error))
    }

    private mutating func appended(_ result: Result<Void, JournalError>) -> Effects<Request> {
        guard case .committing(let request) = phase else { return Effects() }
        switch result {
        case .success:
            phase = .idle
            version += 1
            failures.removeRefusals()
            if case .event(_, let retry?) = request.kind { retries.record(retry, version: version) }
            return Effects(.publish(request))
        case .failure(.conflict):
            // The entry that was committed first may be this one.
            isUncertain = request.mark != nil
            return Effects(discard(), catchUp(for: request))
        case .failure(.noSuchSession): return ended(request)
        case .failure(let error) where error == .outcomeUnknown || isUncertain:
            // The entry may still be committed, so reading the journal proves nothing. Only an entry of this version is
            // proof, either this one or another; without a mark the two cannot be distinguished.
            isUncertain = true
            repetitions += 1
            if repetitions <= Self.repetitionLimit, !isDraining, request.mark != nil {
                return Effects(.append(request))
            }
            return Effects(discard(), refuse(request, .journal(.outcomeUnknown)))
        case .failure(let error): return Effects(discard(), refuse(request, SessionError(error)))
        }
    }

    private mutating func discard() -> Effects<Request> {
        hasTree = false
        retries = RetryWindow()
        return Effects(.discard)
    }

    // MARK: Catching up

    private mutating func catchUp(for request: Request?, because error: SessionError? = nil) -> Effects<Request> {
        phase = .catchingUp(request, because: error)
        found = nil
        versionBefore = version
        return Effects(.catchUp)
    }

    private mutating func learned(_ version: Int, _ retry: Retry?, _ mark: UInt64?) {
        if version > self.version {
            self.version = version
            failures.removeRefusals()
        }
        if let retry { retries.record(retry, version: version) }
        if let mark, case .catchingUp(let request?, _) = phase, request.mark == mark { found = version }
    }

    private mutating func caughtUp(_ error: SessionError?) -> Effects<Request> {
        guard case .catchingUp(let request, let reason) = phase else { return Effects() }
        phase = .idle
        if let error { return notCaughtUp(request, error) }
        hasTree = true
        guard let request else {
            // Requests that wait come before more changes by other servers, since those may never end.
            return waiting.isEmpty ? Effects() : beginNext()
        }
        if let found { return Effects(.repeatOutcome(request, version: found)) }
        isUncertain = false
        // If nothing is new, the reason to refuse it still holds.
        if let reason, version == versionBefore { return refuse(request, reason) }
        if isDraining { return refuse(request, .draining) }
        if attempts == Self.attemptLimit { return refuse(request, .tooBusy) }
        return attempt(request)
    }

    private mutating func notCaughtUp(_ request: Request?, _ error: SessionError) -> Effects<Request> {
        if case .hasEnded = error { return ended(request) }
        checked = 0
        var effects = discard()
        if let request {
            if let found {
                effects.append(Effects(.repeatOutcome(request, version: found)))
            } else if isUncertain {
                effects.append(Effects(.refuse(request, .journal(.outcomeUnknown))))
            } else {
                waiting.insert(request, at: 0)
            }
        }
        if let reason = Quarantine(error) {
            quarantine = reason
            phase = .quarantined(reason)
            return effects
        }
        // All waiting requests would wait for the same again, except those that arrived after it was abandoned.
        let isAbandoned = if case .abandoned = error { true } else { false }
        for request in waiting where !isAbandoned || !request.isAwaited {
            effects.append(Effects(.refuse(request, error)))
        }
        waiting.removeAll { !isAbandoned || !$0.isAwaited }
        return effects
    }

    // MARK: The end

    private mutating func endAnswered(_ result: Result<Void, JournalError>) -> Effects<Request> {
        guard case .ending(let request) = phase else { return Effects() }
        switch result {
        case .success, .failure(.noSuchSession): return Effects(.confirmEnd(request), ended(nil))
        case .failure(.conflict):
            guard quarantine == nil else { return refuse(request, .versionConflict(current: version)) }
            return catchUp(for: request)
        case .failure(let error): return refuse(request, SessionError(error))
        }
    }

    /// Releases everything, and reports the end to the request under way and to all that wait.
    private mutating func ended(_ request: Request?) -> Effects<Request> {
        var effects = Effects<Request>(.dismiss)
        if let request { effects.append(Effects(.refuse(request, .hasEnded))) }
        for request in waiting { effects.append(Effects(.refuse(request, .hasEnded))) }
        waiting = []
        phase = .ended
        hasTree = false
        return effects
    }

    private mutating func vanished() -> Effects<Request> {
        switch phase {
        case .idle, .quarantined: return ended(nil)
        case .checkingTimers, .turning, .committing, .catchingUp, .ending, .ended:
            hasNews = true
            return Effects()
        }
    }

    // MARK: Rest

    /// Applies the journal's knowledge of crashes: another server may have crashed, or no crash matters any more.
    private mutating func judged(_ crash: CrashNote?) -> Effects<Request> {
        switch (phase, crash) {
        case (.idle, let crash?):
            quarantine = .crashed(crash)
            phase = .quarantined(.crashed(crash))
            return hasTree ? discard() : Effects()
        case (.quarantined(let reason), nil) where reason.isOfCrashes:
            quarantine = nil
            phase = .idle
            return Effects()
        default: return Effects()
        }
    }

    private mutating func passivated() -> Effects<Request> {
        guard isIdle, hasTree else { return Effects() }
        return discard()
    }
}
