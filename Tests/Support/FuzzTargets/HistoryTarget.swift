internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import Synchronization

extension FuzzTarget {
    /// Every entry in the journal in memory is read bit by bit as it was written, at any version, by the forks of its
    /// session as well, and after the session has ended. The form in stores contains the same entries.
    package static let histories = FuzzTarget("histories") { input in
        let result = Mutex(Result<Void, any Error>.failure(Violation(description: "a journal in memory waits")))
        // It is done within the call.
        Task.immediate {
            do {
                try await Histories.check(InputReader(input))
                result.withLock { $0 = .success(()) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        try result.withLock { $0 }.get()
    }
}

/// A journal in memory, and its expected contents.
private struct Histories {
    private static let mostSessions = 8
    private static let expiry = Timestamp(seconds: 1_795_253_400)

    private struct Expected {
        let record: SessionRecord
        var entries: [JournalEntry]
    }

    private let journal = MemoryJournal()
    private var sessions: [Expected] = []

    static func check(_ input: InputReader) async throws {
        var input = input
        var histories = Histories()
        while !input.isAtEnd { try await histories.advance(&input) }
        try await histories.checkAll()
    }

    private mutating func advance(_ input: inout InputReader) async throws {
        guard !sessions.isEmpty else { return try await begin(&input) }
        let index = input.number(below: sessions.count)
        switch input.number(below: 8) {
        case 0: try await begin(&input)
        case 1: try await fork(index, &input)
        case 2: try await end(index)
        case 3: try await checkPage(of: sessions[index], after: input.int(), limit: input.int())
        default: try await append(to: index, &input)
        }
    }

    private mutating func begin(_ input: inout InputReader) async throws {
        guard sessions.count < Self.mostSessions else { return }
        let record = SessionRecord(
            id: SessionID(bits: UInt128(input.bits()) << 64 | UInt128(sessions.count)), app: input.text(),
            appVersion: input.text(),
            options: .object(PlainValue.fields(&input)),
            createdAt: Timestamp(seconds: input.int()), startedAt: input.optional { Timestamp(seconds: $0.int()) },
            seed: input.bits() >> 11, path: input.text(), begun: input.list(atMost: 2) { PendingWork(&$0) })
        let entries = (0..<input.number(below: 4)).map { JournalEntry(&input, version: $0 + 1) }
        try checkStored(record)
        try await create(record, with: entries, inherited: entries)
    }

    private mutating func fork(_ index: Int, _ input: inout InputReader) async throws {
        guard sessions.count < Self.mostSessions else { return }
        let parent = sessions[index]
        let version = input.number(below: parent.entries.count + 1)
        let record = SessionRecord(
            id: SessionID(bits: UInt128(input.bits()) << 64 | UInt128(sessions.count)), app: parent.record.app,
            appVersion: parent.record.appVersion, options: parent.record.options,
            createdAt: Timestamp(seconds: input.int()), startedAt: parent.record.startedAt, seed: parent.record.seed,
            path: parent.record.path, begun: parent.record.begun,
            parent: ForkPoint(session: parent.record.id, version: version))
        try checkStored(record)
        try await create(record, with: [], inherited: parent.entries.prefix(version).map(\.inherited))
    }

    private mutating func create(
        _ record: SessionRecord, with history: [JournalEntry], inherited entries: [JournalEntry]
    ) async throws {
        guard !sessions.contains(where: { $0.record.id == record.id }) else { return }
        try await journal.create(record, with: history, until: Self.expiry, limit: .max)
        sessions.append(Expected(record: record, entries: entries))
    }

    private mutating func end(_ index: Int) async throws {
        let expected = sessions.remove(at: index)
        try await journal.end(expected.record.id, at: expected.entries.count)
        let head = try await journal.head(of: expected.record.id)
        try require(head == nil, "an ended session still exists")
    }

    private mutating func append(to index: Int, _ input: inout InputReader) async throws {
        let entry = JournalEntry(&input, version: sessions[index].entries.count + 1)
        try await journal.append(entry, to: sessions[index].record.id)
        sessions[index].entries.append(entry)
        let stored = entry.stored
        try require(!stored.contains(0) && !stored.contains(0x0A), "a NUL or a line feed is stored")
        try requireSame(try JournalEntry(version: entry.version, mark: entry.mark, stored: stored), entry, "in stores")
    }

    private func checkStored(_ record: SessionRecord) throws {
        let again = try SessionRecord(id: record.id, app: record.app, stored: record.stored)
        try require(again == record && again.options.isSame(as: record.options), "\(record) is stored as \(again)")
    }

    // MARK: Reading

    private func checkAll() async throws {
        for expected in sessions {
            try await checkPage(of: expected, after: 0, limit: .max)
            let head = try await journal.head(of: expected.record.id)
            let last = expected.entries.last
            let pending = expected.entries.reduce(expected.record.begun.count) { $0 + $1.pendingChange }
            let wanted = SessionHead(
                record: expected.record, version: expected.entries.count, path: last?.path ?? expected.record.path,
                lastEventAt: last?.time, expiresAt: Self.expiry, pending: pending)
            try require(head == wanted, "the head is \(String(describing: head)) instead of \(wanted)")
        }
    }

    private func checkPage(of expected: Expected, after version: Int, limit: Int) async throws {
        let version = version.magnitude > 64 ? 0 : Int(version.magnitude)
        let entries = try await journal.read(expected.record.id, after: version, limit: limit)
        let wanted = expected.entries.dropFirst(version).prefix(max(0, limit))
        try require(entries.count == wanted.count, "\(entries.count) entries instead of \(wanted.count)")
        for (entry, wanted) in zip(entries, wanted) { try requireSame(entry, wanted, "in memory") }
    }

    private func requireSame(_ entry: JournalEntry, _ wanted: JournalEntry, _ place: String) throws {
        try require(
            entry == wanted && entry.payload.isSame(as: wanted.payload) && entry.texts == wanted.texts,
            "\(place), an entry is \(entry) instead of \(wanted)")
    }
}

extension JournalEntry {
    fileprivate init(_ input: inout InputReader, version: Int) {
        self.init(
            version: version, time: Timestamp(seconds: input.int()), appVersion: input.text(), event: input.text(),
            payload: PlainValue(&input), at: input.text(), isHandled: input.bool(),
            handledBy: input.optional { $0.text() }, path: input.text(),
            origin: Origin.allCases[input.number(below: Origin.allCases.count)],
            pending: input.optional { "1-" + $0.text() }, begun: input.list(atMost: 2) { PendingWork(&$0) },
            ended: input.list(atMost: 2) { $0.text() }, wake: input.optional { Timestamp(seconds: $0.int()) },
            traceparent: input.optional { $0.text() },
            retry: input.optional { Retry(key: $0.text(), fingerprint: $0.bits(), isMinimal: $0.bool()) })
    }

    /// The texts, as bytes.
    fileprivate var texts: [[UInt8]] {
        let texts = [appVersion, event, at, handledBy, path, pending, traceparent, retry?.key].map { $0 ?? "" }
        return (texts + begun.flatMap { [$0.id, $0.name, $0.at] } + ended).map { Array($0.utf8) }
    }
}

extension PendingWork {
    fileprivate init(_ input: inout InputReader) {
        self.init(
            id: input.text(), name: input.text(), at: input.text(),
            due: input.optional { Timestamp(seconds: $0.int()) })
    }
}
