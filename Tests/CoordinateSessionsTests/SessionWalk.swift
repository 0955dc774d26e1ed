import SeededGenerator

@testable import CoordinateSessions

/// A random life of a session: its machine, a driver that carries out its effects, a journal, other servers, and
/// clients.
///
/// Every step checks that the machine keeps its promises.
struct SessionWalk {
    struct Request {
        let number: Int
        let kind: SessionRequestKind
        let mark: UInt64?
        let leastVersion: Int
        let isAwaited = true
        /// The journal's version when the request was made.
        let madeAt: Int
        /// The version of the entry whose timer it fires; `nil` if it is no timer.
        var timer: Int?
        var isTimer: Bool { timer != nil }
    }

    typealias Machine = SessionMachine<Request>

    /// Situations that a walk has met, to show that the walks reach all of them.
    enum Sight: CaseIterable {
        case published, shown, ended, endedElsewhere, quarantined, passivated, changedElsewhere
        case repeated, repeatedByKey, repeatedByMark, committedLate
        case fired, firedElsewhere, timerRested, timerHeldRequestUp, timerWaited
        case ruledOut, refusedByTheTree, busy, draining, unavailable, full, unknown, unknownEnd, appChanged
    }

    struct Violation: Error { let rule: String }

    /// The driver's task, whose result it has not reported yet.
    private enum Task {
        case append(Request)
        case end(Request, at: Int?)
        case catchUp(isDone: Bool)
    }

    private var generator: SeededGenerator
    private let isShared: Bool
    private let losesAnswers: Bool
    /// The percentage of steps in which the journal fails, or other servers are faster.
    private let trouble: Int
    private let rivalry: Int

    private var machine: Machine
    private var journal: ModelJournal
    private(set) var sights: Set<Sight> = []
    /// The steps so far, if they are recorded.
    private(set) var trace: [String]?

    // The driver.
    private var tree: Int?
    private var entry: ModelJournal.Entry?
    private var task: Task?
    private var hasLetGo = false

    // The version that is known here.
    private var version: Int
    private var now = 0
    /// The timers that the tree refused.
    private var resting: Set<Int> = []
    /// The version and the time at which the due timers were found for a request.
    private var checks: [Int: (version: Int, time: Int)] = [:]
    private var requests: [Request] = []
    private var answered: Set<Int> = []
    private var waiting: [Int] = []
    private var certainlyNot: Set<Int> = []
    private var isDraining = false
    private var hasSeenChange = false

    init(seed: Int, isTraced: Bool = false) {
        var generator = SeededGenerator(state: UInt64(seed))
        isShared = .random(using: &generator)
        // A lost entry may still appear: then the journal has more than is known, as if other servers wrote to it.
        losesAnswers = isShared && .random(using: &generator)
        trouble = [0, 20, 80].randomElement(using: &generator) ?? 0
        rivalry = isShared ? [0, 20, 95].randomElement(using: &generator) ?? 0 : 0
        version = .random(in: 0...4, using: &generator)
        journal = ModelJournal(length: version)
        machine = Machine(version: version, isShared: isShared)
        if Bool.random(using: &generator) {
            machine.adoptTree(retry: nil)
            tree = version
        } else if version > 0, Int.random(in: 0..<10, using: &generator) == 0 {
            journal.differing = .random(in: 1...version, using: &generator)
        }
        trace = isTraced ? [] : nil
        self.generator = generator
    }

    /// Makes some random steps, and then as many as it needs until nothing is under way.
    mutating func go(steps: Int) throws(Violation) {
        for _ in 0..<steps { try step() }
        var rest = 0
        while task != nil {
            try goOn()
            rest += 1
            try check(rest < 5_000, "The walk ends.")
        }
        try check(answered.count == requests.count, "Every request is answered.")
        try check(
            journal.entries.allSatisfy { $0.request.map { !certainlyNot.contains($0) } ?? true },
            "Refused requests are not in the journal.")
    }

    // MARK: Steps

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func step() throws(Violation) {
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<45: try goOn()
        case ..<80: try submit()
        case ..<84: appendElsewhere()
        case ..<88:
            guard isShared else { return }
            sights.insert(.changedElsewhere)
            try tell(.changedElsewhere)
        case ..<90: now += 1
        case ..<91: if isShared, chance(30) { _ = journal.end(at: nil) }
        case ..<92: if isShared, journal.hasEnded { try tell(.vanished) }
        case ..<95:
            if machine.isIdle, machine.hasTree { sights.insert(.passivated) }
            try tell(.passivated)
        case ..<96:
            guard chance(30) else { return }
            isDraining = true
            try tell(.drained)
        default: try appendLate()
        }
    }

    private mutating func appendLate() throws(Violation) {
        let before = journal.version
        journal.appendLate()
        if journal.version > before { sights.insert(.committedLate) }
        try checkJournal()
    }

    private mutating func submit() throws(Violation) {
        let number = requests.count
        let near = version + .random(in: -1...2, using: &generator)
        let condition: VersionCondition =
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1: .only(near)
            case 2: .none(of: near)
            case 3: VersionCondition(isOneOf: .any)
            default: .none
            }
        var retry: Retry?
        if chance(30) {
            retry = Retry("\(Int.random(in: 0..<4, using: &generator))", fingerprint: chance(90) ? 1 : 2)
        }
        var kind = SessionRequestKind.event(condition, retry)
        if chance(25) { kind = .look } else if chance(4) { kind = .end(condition) }
        var leastVersion = 0
        if case .look = kind, isShared {
            guard !journal.hasEnded else { return try tell(.vanished) }
            leastVersion = journal.version
        }
        let request = Request(
            number: number, kind: kind, mark: losesAnswers ? UInt64(number) : nil, leastVersion: leastVersion,
            madeAt: journal.version)
        requests.append(request)
        waiting.append(number)
        try tell(.submitted(request))
    }

    /// Makes a change by another server.
    private mutating func appendElsewhere() {
        guard isShared else { return }
        var entry = ModelJournal.Entry(version: journal.version + 1)
        let key = "\(Int.random(in: 0..<4, using: &generator))"
        if chance(30), !journal.entries.contains(where: { $0.retry?.key == key }) { entry.retry = Retry(key) }
        entry.mark = losesAnswers ? UInt64(1_000_000 + entry.version) : nil
        if chance(20) { entry.due = now + .random(in: 0...3, using: &generator) }
        if chance(50) { entry.fires = journal.timers(at: journal.version).first { $0.due <= now }?.version }
        guard case .success = journal.append(entry), journal.differing == nil, chance(2) else { return }
        journal.differing = entry.version
    }

    // MARK: The driver

    /// Continues with the driver's task.
    private mutating func goOn() throws(Violation) {
        switch task {
        case nil: break
        case .append(let request): try append(request)
        case .end(_, let version):
            task = nil
            let isLost = chance(trouble)
            var result = Result<Void, JournalError>.failure(.unavailable)
            if !isLost || chance(30) { result = journal.end(at: version) }
            if isLost { result = .failure(losesAnswers ? .outcomeUnknown : .unavailable) }
            if isLost, !losesAnswers, journal.hasEnded { result = .success(()) }
            try tell(.endAnswered(result))
        case .catchUp(let isDone): try catchUp(isDone: isDone)
        }
    }

    private mutating func append(_ request: Request) throws(Violation) {
        guard let entry else { throw Violation(rule: "There is an entry to append.") }
        task = nil
        if chance(20) { try appendLate() }
        if chance(rivalry) { appendElsewhere() }
        let result: Result<Void, JournalError>
        switch (chance(trouble), Int.random(in: 0..<5, using: &generator)) {
        case (false, _): result = journal.append(entry)
        case (true, 0): result = .failure(.unavailable)
        case (true, 1): result = .failure(.full)
        case (true, _) where !losesAnswers: result = journal.append(entry)
        case (true, 2): result = .failure(.outcomeUnknown)
        case (true, 3):
            _ = journal.append(entry)
            result = .failure(.outcomeUnknown)
        default:
            journal.delay(entry)
            result = .failure(.outcomeUnknown)
        }
        try checkJournal()
        if case .success = result { version += 1 }
        try tell(.appended(result))
    }

    private mutating func catchUp(isDone: Bool) throws(Violation) {
        if isDone {
            task = nil
            return try tell(.caughtUp(nil))
        }
        if chance(trouble / 2) {
            task = nil
            let error: SessionError = isDraining ? .draining : chance(50) ? .tooBusy : .journal(.unavailable)
            return try tell(.caughtUp(error))
        }
        guard !journal.hasEnded else {
            task = nil
            return try tell(.caughtUp(.hasEnded))
        }
        var position = tree ?? 0
        for entry in journal.entries[position...].prefix(.random(in: 1...8, using: &generator)) {
            guard entry.version != journal.differing else {
                task = nil
                hasSeenChange = true
                return try tell(.caughtUp(.appChanged(.at(entry.version))))
            }
            position = entry.version
            tree = position
            version = max(version, position)
            try tell(.learned(version: position, retry: entry.retry, mark: entry.mark))
        }
        tree = position
        task = .catchUp(isDone: position == journal.version)
    }

    private mutating func apply(_ request: Request) -> Machine.Input {
        guard case .event(_, let retry) = request.kind else { return .failed(.tooBusy) }
        if let timer = request.timer, !journal.timers(at: tree ?? 0).contains(where: { $0.version == timer }) {
            sights.insert(.firedElsewhere)
            return .refused(.workIsOver)
        }
        if chance(10) { return .refused(.treeIsFull) }
        if chance(5) { return .failed(.treeIsFull) }
        entry = ModelJournal.Entry(
            version: machine.version + 1, request: request.number, retry: retry, mark: request.mark,
            due: chance(request.isTimer ? 60 : 30) ? now + .random(in: 0...3, using: &generator) : nil,
            fires: request.timer)
        return .applied
    }

    /// The timers of the committed tree that are due.
    private var dueTimers: [Int] {
        journal.timers(at: tree ?? 0).filter { $0.due <= now && !resting.contains($0.version) }.map(\.version)
    }

    /// Whether a timer may be due, in the committed version or in the one that is being committed. It may be wrong.
    private mutating func mayHaveDueTimer() -> Bool {
        !dueTimers.isEmpty || journal.timers(at: tree ?? 0, and: entry).contains { $0.due <= now } || chance(5)
    }

    /// The requests that fire the due timers before a request.
    private mutating func findDueTimers(before request: Request) throws(Violation) -> [Request] {
        try check(tree == machine.version && entry == nil && task == nil, "The timers are those of the committed tree.")
        try check(checks[request.number] == nil && !request.isTimer, "The timers are checked once for a request.")
        checks[request.number] = (version, now)
        let timers = dueTimers.enumerated().map { index, timer in
            let number = requests.count + index
            return Request(
                number: number, kind: .event(.none, nil), mark: losesAnswers ? UInt64(number) : nil, leastVersion: 0,
                madeAt: journal.version, timer: timer)
        }
        requests += timers
        waiting.insert(contentsOf: timers.map(\.number), at: 0)
        return timers
    }

    /// Checks that the timers that were due when a request began come before it.
    private mutating func checkTimers(before request: Request) throws(Violation) {
        guard !request.isTimer else { return }
        let (version, time) = checks[request.number] ?? (.max, now)
        let late = journal.timers(at: tree ?? 0).filter { $0.due <= time && !resting.contains($0.version) }
        try check(!late.contains { $0.version <= version }, "Due timers fire before a request.")
        if !late.isEmpty { sights.insert(.timerWaited) }
    }

    /// Reports an input to the machine, carries out its effects, and checks that these are allowed.
    private mutating func tell(_ input: Machine.Input) throws(Violation) {
        trace?.append("\(input)")
        var effects = machine.receive(input, isOverdue: mayHaveDueTimer())
        while let effect = effects.popFirst() {
            trace?.append("    \(effect.words)")
            try checkMachine()
            if case .refuse = effect {} else { try check(!hasLetGo, "After the end there are only refusals.") }
            if case .findDueTimers(let request) = effect {
                let input = Machine.Input.dueTimers(try findDueTimers(before: request))
                trace?.append("\(input)")
                effects.append(machine.receive(input, isOverdue: mayHaveDueTimer()))
            } else if case .apply(let request) = effect {
                try checkTimers(before: request)
                try check(tree == machine.version && entry == nil && task == nil, "A turn needs the committed tree.")
                try check(waiting.first == request.number, "Requests run in order.")
                let input = apply(request)
                trace?.append("\(input)")
                effects.append(machine.receive(input, isOverdue: mayHaveDueTimer()))
            } else {
                try carryOut(effect)
            }
        }
        try checkMachine()
        guard task == nil else { return try check(!machine.isIdle && !machine.isSettled, "Something is under way.") }
        try check(waiting.isEmpty, "No request waits while nothing is under way.")
        try check(machine.isIdle, "Nothing is under way.")
        try check(machine.hasTree == (tree != nil), "The machine knows whether there is a tree.")
        try check(!machine.isSettled || (tree == version && entry == nil), "The tree is that of the committed version.")
    }

    private mutating func carryOut(_ effect: Machine.Effect) throws(Violation) {
        switch effect {
        case .apply, .findDueTimers: break
        case .append(let request):
            try check(task == nil, "One entry at a time is under way.")
            try check(entry?.request == request.number, "A repetition appends the very same entry.")
            if journal.late.contains(where: { $0.request == request.number }) { sights.insert(.repeated) }
            task = .append(request)
        case .publish(let request):
            let committed = journal.entries.last { $0.version == version }
            try check(committed?.request == request.number, "Only a committed entry is published.")
            try check(entry?.version == version && tree == version - 1, "The next version is published.")
            (tree, entry) = (version, nil)
            try answer(request, request.isTimer ? .fired : .published)
        case .show(let request):
            try check(tree == version && entry == nil && task == nil, "Only a committed version is shown.")
            try check(version >= request.leastVersion, "The shown version is new enough.")
            try checkTimers(before: request)
            try answer(request, .shown)
        case .repeatOutcome(let request, let version): try repeatOutcome(request, version)
        case .refuse(let request, let error): try refuse(request, error)
        case .discard:
            try check(task == nil, "The tree is not in use.")
            (tree, entry) = (nil, nil)
        case .catchUp:
            try check(task == nil && entry == nil, "The tree is not ahead of the journal.")
            task = .catchUp(isDone: false)
        case .end(let request, let version):
            try check(task == nil && entry == nil, "An end comes after earlier requests.")
            try check(waiting.first == request.number, "Requests run in order.")
            task = .end(request, at: version)
        case .confirmEnd(let request):
            try check(journal.hasEnded, "The session has ended.")
            try answer(request, .ended)
        case .dismiss:
            try check(journal.hasEnded && task == nil, "The session has ended, and nothing is under way.")
            (tree, entry, hasLetGo) = (nil, nil, true)
        }
    }

    // MARK: Answers

    private mutating func answer(_ request: Request, _ sight: Sight) throws(Violation) {
        sights.insert(sight)
        try check(answered.insert(request.number).inserted, "A request is answered once.")
        guard waiting.first != request.number else {
            _ = waiting.removeFirst()
            return
        }
        try check(
            waiting.last == request.number && request.number == requests.count - 1
                && (sight == .draining || sight == .busy),
            "Requests are answered in order, except those that are refused.")
        waiting.removeLast()
    }

    private mutating func repeatOutcome(_ request: Request, _ version: Int) throws(Violation) {
        guard case .event(_, let retry) = request.kind, journal.entries.indices.contains(version - 1) else {
            throw Violation(rule: "A reported outcome belongs to an event in the journal.")
        }
        let entry = journal.entries[version - 1]
        let isOurs = entry.mark != nil && entry.mark == request.mark
        try check(isOurs || (retry != nil && entry.retry == retry), "A reported outcome belongs to its request.")
        try answer(request, isOurs ? .repeatedByMark : .repeatedByKey)
    }

    private mutating func refuse(_ request: Request, _ error: SessionError) throws(Violation) {
        var isCertain = true
        let sight: Sight
        switch error {
        case .versionConflict(let current):
            try check(isDraining || hasSeenChange || current >= request.madeAt, "Outdated knowledge refuses nothing.")
            try check(hasSeenChange || !request.condition.allows(current), "The condition rules that version out.")
            sight = .ruledOut
        case .journal(.outcomeUnknown):
            try check(losesAnswers, "The outcome is known.")
            isCertain = false
            sight = request.isEnd ? .unknownEnd : .unknown
        case .hasEnded:
            try check(journal.hasEnded, "The session has ended.")
            isCertain = false
            sight = .endedElsewhere
        case .appChanged:
            try check(hasSeenChange, "The app has changed.")
            sight = .appChanged
            sights.insert(.quarantined)
        case .draining:
            try check(isDraining, "The server is draining.")
            sight = .draining
        case .historyIsFull: sight = .full
        case .tooBusy: sight = .busy
        case .journal: sight = .unavailable
        default: sight = .refusedByTheTree
        }
        if let timer = request.timer {
            if error.isOfServer {
                if waiting.count > 1 { sights.insert(.timerHeldRequestUp) }
            } else if sight == .refusedByTheTree || sight == .full {
                resting.insert(timer)
                sights.insert(.timerRested)
            }
        }
        if isCertain, !request.isEnd {
            certainlyNot.insert(request.number)
            try check(
                !journal.entries.contains { $0.request == request.number }, "A refused request is not in the journal.")
        }
        try answer(request, sight)
    }

    // MARK: Invariants

    private func check(_ isSo: Bool, _ rule: @autoclosure () -> String) throws(Violation) {
        guard isSo else { throw Violation(rule: rule()) }
    }

    private func checkMachine() throws(Violation) {
        try check(machine.version == version, "The version is the number of known committed entries.")
        try check(version <= journal.version, "Only committed entries are known.")
        try check(!machine.isReadable || (!isShared && !hasLetGo), "The newest version is published.")
    }

    /// Checks that the last entry is the only one with its mark and its key.
    private func checkJournal() throws(Violation) {
        guard let last = journal.entries.last else { return }
        for entry in journal.entries.dropLast() {
            try check(entry.mark == nil || entry.mark != last.mark, "No entry is committed twice.")
            try check(entry.retry == nil || entry.retry?.key != last.retry?.key, "No request has a second effect.")
            try check(entry.fires == nil || entry.fires != last.fires, "No timer fires twice.")
        }
    }
}

extension SessionWalk.Request: NamedRequest, CustomStringConvertible {
    var description: String { name }

    var name: String {
        if let timer { return "\(number) (timer of \(timer))" }
        return switch kind {
        case .look: "\(number) (look at \(leastVersion))"
        case .end: "\(number) (end if \(words(of: condition)))"
        case .event(_, let retry): "\(number) (event if \(words(of: condition)), \(retry?.key ?? "no key"))"
        }
    }

    fileprivate var isEnd: Bool {
        if case .end = kind { true } else { false }
    }

    fileprivate var condition: VersionCondition {
        switch kind {
        case .event(let condition, _), .end(let condition): condition
        case .look: .none
        }
    }

    private func words(of condition: VersionCondition) -> String {
        func words(of versions: VersionCondition.Versions?) -> String {
            switch versions {
            case nil: "-"
            case .any: "*"
            case .some(let versions): "\(versions)"
            }
        }
        return "\(words(of: condition.isOneOf)) not \(words(of: condition.isNoneOf))"
    }
}
