internal import Coordinate
public import CoordinateSessions
internal import SeededGenerator
internal import SessionFixtures
internal import Synchronization

/// A random walk through all operations of a journal, compared with a ``MemoryJournal``: both must return the same
/// results.
public struct JournalWalk {
    /// It may be reopened between steps. Then its leases have ended.
    public var journal: any Journal {
        didSet { model.endLeases(of: sessions) }
    }
    let model = MemoryJournal()
    var generator: SeededGenerator
    /// All sessions so far, ended ones included.
    public private(set) var sessions: [SessionID] = []
    /// No two sessions expire at the same time, so that their order is defined.
    private var lastExpiry = 1_000
    /// The differences, with the steps that led to them.
    private var differences: [String] = []
    private var steps: [String] = []

    /// The references of all sessions so far.
    private var references: [String] = []

    static let apps = ["Racing", "Notes"]
    /// Two of them look alike.
    private static let keys = ["order/7", "caf\u{E9}", "cafe\u{301}"]
    private static let values = ["", "42", "\u{E9}", "e\u{301}", "d\u{0}e"]
    private static let limit = 20

    public init(of journal: any Journal, seed: UInt64) {
        self.journal = journal
        generator = SeededGenerator(state: seed)
    }

    /// Makes some steps, and returns the differences.
    public mutating func walk(steps count: Int) async -> [String] {
        for _ in 0..<count where differences.isEmpty {
            switch random(0...99) {
            case 0..<12: await create()
            case 12..<20: await fork()
            case 20..<54: await append()
            case 54..<60: await head()
            case 60..<69: await read()
            case 69..<75: await end()
            case 75..<80: await keep()
            case 80..<84: await list()
            case 84..<88: await expire()
            case 88..<90: await change()
            case 90..<93: await find()
            default: await takeLeaseStep()
            }
        }
        for session in sessions where differences.isEmpty { await compare(session) }
        await leaseAll()
        for app in Self.apps {
            await list(SessionQuery(app: app, limit: 7))
            await list(SessionQuery(app: app, limit: 2, attributes: ["user": "42"]))
        }
        if journal.count != model.count { recordCount() }
        return differences.isEmpty ? [] : differences + steps.suffix(12)
    }

    // MARK: Random choices

    mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// Returns a session, usually one that was created recently.
    mutating func anySession() -> SessionID {
        guard random(0...19) > 0, let session = sessions.suffix(8).randomElement(using: &generator) else {
            return sessions.randomElement(using: &generator) ?? .random()
        }
        return session
    }

    private mutating func expiry() -> Timestamp {
        lastExpiry += random(1...3)
        return Timestamp(seconds: lastExpiry)
    }

    private func version(of session: SessionID) async -> Int {
        (try? await model.head(of: session))?.version ?? 0
    }

    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        for name in ["user", "plan"] where random(0...1) == 0 { attributes[name] = Self.values[random(0...4)] }
        return attributes
    }

    /// Every other entry leaves the number pending unchanged.
    private mutating func entry(_ version: Int) -> JournalEntry {
        let entry = JournalEntry.random(version: version, using: &generator)
        guard random(0...1) == 0 else { return entry }
        return entry.with { ($0.pending, $0.begun, $0.ended) = (nil, [], []) }
    }

    // MARK: Steps

    private mutating func create() async {
        let history = (1...(random(0...9) + 1)).dropLast().map { entry($0) }
        let begun = (0...random(0...3)).dropFirst(2).map { _ in PendingWork.random(using: &generator) }
        let options = PlainValue.object([PlainField("locale", .string("d\u{0}e"))])
        let record = record(
            parent: nil, options: random(0...1) == 0 ? .object([]) : options, begun: begun,
            key: random(0...2) == 0 ? Self.keys[random(0...2)] : nil,
            attributes: random(0...1) == 0 ? attributes() : [:])
        await add(record, history)
    }

    private mutating func fork() async {
        let parent = anySession()
        let head = try? await model.head(of: parent)
        let version = random(0...((head?.version ?? 0) + 1))
        // If two reasons prevent a fork, a shared journal may return either.
        let hasOneReason = !journal.isShared || head.map { version <= $0.version } ?? false
        let record = record(
            parent: ForkPoint(session: parent, version: version), options: .object([]), begun: head?.record.begun ?? [])
        await add(record, [], limit: hasOneReason ? Self.limit : .max)
    }

    private mutating func record(
        parent: ForkPoint?, options: PlainValue, begun: [PendingWork], key: String? = nil,
        attributes: [String: String] = [:]
    ) -> SessionRecord {
        SessionRecord(
            id: .random(), key: key, app: Self.apps[random(0...4) / 4], appVersion: "1.\(random(0...2))",
            options: options,
            createdAt: Timestamp(seconds: random(0...10)), seed: UInt64(random(0...(1 << 53 - 1))), path: "/splash",
            begun: begun, parent: parent, attributes: attributes, isWorkWithheld: random(0...3) == 0)
    }

    private mutating func add(_ record: SessionRecord, _ history: [JournalEntry], limit: Int = Self.limit) async {
        let expiry = expiry()
        sessions.append(record.id)
        references.append(record.reference)
        await compare(
            "create \(name(record.id)) from \(record.parent.map { "\(name($0.session)) at \($0.version)" } ?? "nothing")"
        ) {
            try await $0.create(record, with: history, until: expiry, limit: limit)
        }
    }

    private mutating func append() async {
        let session = anySession()
        let version = await version(of: session) + (random(0...9) > 0 ? 1 : random(-1...3))
        let entry = entry(max(1, version))
        await compare("append \(entry.version) to \(name(session))") { try await $0.append(entry, to: session) }
    }

    private mutating func head() async {
        let session = anySession()
        await compare("head of \(name(session))") { try await $0.head(of: session) }
    }

    private mutating func read() async {
        let (session, limit) = (anySession(), random(1...12))
        let after = random(0...(await version(of: session) + 2))
        await compare("read \(name(session)) after \(after)") {
            try await $0.read(session, after: after, limit: limit)
        }
    }

    private mutating func end() async {
        let session = anySession()
        let version = random(0...2) == 0 ? random(0...(await version(of: session) + 1)) : nil
        await compare("end \(name(session)) at \(version.map(String.init) ?? "any")") {
            try await $0.end(session, at: version)
        }
    }

    private mutating func keep() async {
        let (session, expiry) = (anySession(), expiry())
        steps.append("keep \(name(session)) until \(expiry.seconds)")
        model.keep(session, until: expiry)
        journal.keep(session, until: expiry)
        await journal.flush()
    }

    private mutating func change() async {
        let session = anySession()
        guard let former = (try? await model.head(of: session))?.record else { return }
        var record = former
        if random(0...1) == 0 { record.name = "Name \(random(0...9))" } else { record.attributes = attributes() }
        await compare("change \(name(session))") { [record] in
            try await $0.update(record, replacing: former)
        }
    }

    private mutating func find() async {
        let (app, key) = (Self.apps[random(0...1)], Self.keys[random(0...2)])
        await compare("find \(key) of \(app)") { try await $0.session(withKey: key, of: app) }
        guard let reference = references.suffix(20).randomElement(using: &generator) else { return }
        await compare("find a reference of \(app)") { try await $0.session(withReference: reference, of: app) }
    }

    private mutating func list() async {
        var query = SessionQuery(app: Self.apps[random(0...1)], limit: random(1...30))
        if random(0...2) == 0 { query.path = random(0...1) == 0 ? "/splash" : "a" }
        if random(0...2) == 0 { query.order = .id }
        if random(0...1) == 0 { query.attributes = attributes() }
        await list(query)
    }

    private mutating func list(_ query: SessionQuery) async {
        await compare("list \(query.path ?? "all") with \(query.attributes)") { try await $0.pages(of: query) }
    }

    private mutating func expire() async {
        // The sessions that expire first, at most as many as there are.
        let now = Timestamp(seconds: lastExpiry - random(5...60))
        steps.append("expire by \(now.seconds)")
        let (expected, reported) = (Ended(), Ended())
        model.expire(by: now, expected.append)
        // A journal may need several calls, and some time, more if its disk is busy.
        let patience = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < patience {
            journal.expire(by: now, reported.append)
            // The result arrives after all earlier reports.
            await journal.flush()
            if journal.count == model.count, reported.count >= expected.count { break }
            await Task.yield()
        }
        if journal.count != model.count { recordCount() }
        check("expire", .success(expected.all), .success(reported.all))
    }

    private mutating func recordCount() {
        differences.append("\(journal.count) sessions instead of \(model.count)")
    }

    // MARK: Comparing

    func name(_ session: SessionID) -> String {
        sessions.firstIndex(of: session).map { "#\($0)" } ?? "an unknown session"
    }

    mutating func compare<Value: Equatable>(
        _ step: String, _ ask: (any Journal) async throws -> Value
    ) async {
        steps.append(step)
        check(step, await result(of: { try await ask(model) }), await result(of: { try await ask(journal) }))
    }

    private mutating func compare(_ step: String, _ ask: (any Journal) async throws -> Void) async {
        await compare(step) { journal in
            try await ask(journal)
            return true
        }
    }

    mutating func record(_ step: String) {
        steps.append(step)
    }

    private mutating func check<Value: Equatable>(
        _ step: String, _ expected: Result<Value, JournalError>, _ found: Result<Value, JournalError>
    ) {
        guard expected != found else { return }
        // A history may be long.
        let (short, wanted) = ("\(found)".prefix(400), "\(expected)".prefix(400))
        differences.append("\(step): \(short) instead of \(wanted)")
    }

    private mutating func compare(_ session: SessionID) async {
        await compare("head of \(name(session)) at the end") { try await $0.head(of: session) }
        await compare("history of \(name(session))") { try await $0.read(session, after: 0, limit: 10_000) }
    }
}

/// The sessions that were reported as ended, with their apps.
private final class Ended: Sendable {
    private let sessions = Mutex<[String]>([])

    func append(_ session: SessionID, of app: String) {
        sessions.withLock { $0.append("\(session) of \(app)") }
    }

    var count: Int { sessions.withLock { $0.count } }

    var all: [String] { sessions.withLock { $0.sorted() } }
}

/// The result of a call.
private func result<Value>(
    of call: () async throws -> Value
) async -> Result<Value, JournalError> {
    do {
        return .success(try await call())
    } catch {
        return .failure(error as! JournalError)
    }
}
