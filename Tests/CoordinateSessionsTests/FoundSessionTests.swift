import Coordinate
import JSON
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Sessions that a backend finds again by their keys, references and attributes, and that begin with events.
@Suite(.timeLimit(.minutes(2))) struct FoundSessionTests {
    private let clock = ManualClock()
    private let journal = MemoryJournal()
    private let app = TestApp()

    private func registry(_ journal: (any Journal)? = nil) -> SessionRegistry {
        .make(app: app, journal: journal ?? self.journal, clock: clock.clock, limits: .make(idleTime: 100))
    }

    private func push(_ number: Int) -> EventRequest { EventInjection.push(number).event }

    // MARK: Keys

    @Test func theSessionWithAKeyIsFoundUntilItEnds() throws {
        let registry = registry()
        let first = try registry.getOrBegin(key: "order/7", with: .push(1), attributes: ["user": "42"]).now()
        #expect(first.isNew)
        #expect(first.summary.head.record.key == "order/7")
        #expect(first.summary.head.record.attributes == ["user": "42"])
        #expect(first.summary.head.version == 1)
        let second = try registry.getOrBegin(key: "order/7", with: .push(2), attributes: ["user": "7"]).now()
        #expect(!second.isNew)
        #expect(second.summary.head == first.summary.head)
        #expect(try registry.session(withKey: "order/7").now().head == first.summary.head)
        #expect(throws: SessionError.self) { try registry.session(withKey: "order/8").now() }
        #expect(throws: SessionError.self) { try registry.begin(key: "order/7").now() }
        #expect(registry.count == 1)
        try registry.end(registry.find(first.summary.head.record.id).now()).now()
        #expect(throws: SessionError.self) { try registry.session(withKey: "order/7").now() }
        #expect(try registry.getOrBegin(key: "order/7").now().isNew)
    }

    @Test(arguments: [false, true]) func anExpiredSessionGivesItsKeyToTheNext(isHeld: Bool) throws {
        let registry = registry()
        let first = try registry.begin(key: "order").now().session
        let (id, held) = (first.id, isHeld ? first : nil)
        clock.advance(by: 60)
        // This is a use.
        #expect(try registry.getOrBegin(key: "order").now().summary.head.record.id == id)
        clock.advance(by: 60)
        #expect(try !registry.getOrBegin(key: "order").now().isNew)
        clock.advance(by: 130)
        let next = try registry.getOrBegin(key: "order").now()
        #expect(next.isNew && next.summary.head.record.id != id)
        #expect(registry.count == 1)
        withExtendedLifetime(held) {}
    }

    @Test func aQuarantinedSessionKeepsItsKey() throws {
        let id = try registry().begin(with: .push(1), key: "order").now().session.id
        let changed = registry()
        app.fault.begin(.goesElsewhere)
        #expect(throws: SessionError.self) { try changed.find(id).now().route().now() }
        let found = try changed.getOrBegin(key: "order").now()
        #expect(!found.isNew && found.summary.state == .quarantined)
        #expect(found.summary.head.record.id == id)
    }

    @Test func anUnknownOutcomeIsFoundByTheNextCall() throws {
        struct LosingJournal: ForwardingJournal {
            let journal = MemoryJournal()
            func create(
                _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
                limit: Int
            ) -> Future<Void, JournalError> {
                _ = journal.create(session, with: history, until: expiry, limit: limit)
                return .failed(.outcomeUnknown)
            }
        }
        let registry = registry(LosingJournal())
        let error = #expect(throws: SessionError.self) { try registry.getOrBegin(key: "order").now() }
        let isUnknown = if case .journal(.outcomeUnknown) = error { true } else { false }
        #expect(isUnknown)
        let found = try registry.getOrBegin(key: "order").now()
        #expect(!found.isNew)
        #expect(registry.count == 1)
    }

    // MARK: References

    @Test func aSessionIsFoundByItsReference() throws {
        let registry = registry()
        let session = try registry.begin().now().session
        let reference = try session.summary().now().head.record.reference
        #expect(session.beginning.reference == reference)
        #expect(try registry.session(withReference: reference).now().head.record.id == session.id)
        #expect(throws: SessionError.self) { try registry.session(withReference: session.id.description).now() }
    }

    /// The app sees the same reference and key in a fork and an import as in the original.
    @Test func aForkAndAnImportHaveTheBeginningOfTheOriginal() async throws {
        let registry = registry()
        let original = try registry.begin(with: .push(1), key: "order", attributes: ["user": "42"]).now().session
        let head = try original.summary().now().head
        let fork = try registry.fork(original, at: 1).now()
        var edits = HistoryEdits()
        edits.insert(push(2), after: 1)
        let edited = try registry.fork(original, at: 1, editing: edits).now().summary
        let upload = try SessionImport(into: registry)
        var json = JSONWriter<[UInt8]>()
        json.line(JournalHeader(of: head.record))
        upload.read(json.finish())
        let imported = try upload.finish().now()
        for copy in [fork, edited, imported] {
            let record = copy.head.record
            #expect(record.key == nil && record.attributes.isEmpty)
            #expect(record.reference != head.record.reference)
            #expect(record.beginning.reference == head.record.reference)
            #expect(record.beginning.key == "order")
            #expect(try registry.session(withReference: record.reference).now().head.record.id == record.id)
        }
    }

    // MARK: Attributes

    @Test func attributesAreMerged() throws {
        let registry = registry()
        let id = try registry.begin(attributes: ["user": "42", "plan": "pro"]).now().session.id
        let changed = try registry.update(id, name: "Race day", attributes: ["plan": nil, "city": "Bern"]).now()
        #expect(changed.head.record.name == "Race day")
        #expect(changed.head.record.attributes == ["user": "42", "city": "Bern"])
        #expect(try registry.update(id, attributes: ["city": "Basel"]).now().head.record.name == "Race day")
        #expect(try registry.update(id, name: .some(nil)).now().head.record.name == nil)
        #expect(try registry.list(limit: 9, attributes: ["city": "Basel"]).now().sessions.map(\.head.record.id) == [id])
        #expect(try registry.list(limit: 9, attributes: ["plan": "pro"]).now().sessions.isEmpty)
        let many = Dictionary(uniqueKeysWithValues: (1...15).map { ("a\($0)", "") })
        #expect(throws: SessionError.self) { try registry.update(id, attributes: many).now() }
        #expect(try registry.summary(of: id).now().head.record.attributes == ["user": "42", "city": "Basel"])
        #expect(throws: SessionError.self) {
            try registry.begin(attributes: many.merging(["b": "", "c": ""]) { $1 }).now()
        }
    }

    @Test func attributesInMemoryAreCounted() throws {
        let registry = registry()
        let before = journal.memoryUse
        let id = try registry.begin().now().session.id
        let value = String(repeating: "x", count: 200)
        let plain = journal.memoryUse
        _ = try registry.update(id, attributes: ["user": value]).now()
        #expect(journal.memoryUse >= plain + 2 * value.utf8.count)
        _ = try registry.update(id, attributes: ["user": nil]).now()
        #expect(journal.memoryUse == plain)
        try registry.end(registry.find(id).now()).now()
        #expect(journal.memoryUse == before)
    }

    /// A store of the host's own need not find sessions.
    @Test func aJournalThatFindsNoSessionsRefusesKeysAndAttributes() throws {
        struct PlainJournal: ForwardingJournal {
            let journal = MemoryJournal()
            var findsSessions: Bool { false }
        }
        let registry = registry(PlainJournal())
        let id = try registry.begin().now().session.id
        for error in [
            #expect(throws: SessionError.self) { try registry.begin(key: "order").now() },
            #expect(throws: SessionError.self) { try registry.begin(attributes: ["user": "42"]).now() },
            #expect(throws: SessionError.self) { try registry.getOrBegin(key: "order").now() },
            #expect(throws: SessionError.self) { try registry.update(id, attributes: ["user": "42"]).now() },
            #expect(throws: SessionError.self) { try registry.list(limit: 9, attributes: ["user": "42"]).now() },
        ] {
            guard case .keysUnsupported = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(registry.count == 1)
    }

    @Test(arguments: [
        ("a", true), ("a0_.-z", true), (String(repeating: "a", count: 64), true), ("", false), ("A", false),
        ("0a", false), ("a b", false), ("\u{E9}", false), (String(repeating: "a", count: 65), false),
    ])
    func namesOfAttributesAreLimited(name: String, isValid: Bool) {
        #expect(SessionRecord.isAttributeName(name) == isValid)
    }

    @Test(arguments: [
        ("a/b", true), (String(repeating: "\u{E9}", count: 100), true), ("", false), ("a\n", false), ("\u{85}", false),
        (String(repeating: "a", count: 201), false),
    ])
    func keysAreLimited(key: String, isValid: Bool) {
        #expect(SessionRecord.isKey(key) == isValid)
    }

    // MARK: Events

    @Test func aSessionBeginsWithEvents() throws {
        let registry = registry()
        let session = try registry.begin(with: .push(1), events: (2...50).map(push)).now().session
        #expect(try session.summary().now().head.version == 50)
        let entries = try session.entries(after: 0, limit: 100).now().entries
        let step = try SessionRegistry.make(app: TestApp(), clock: clock.clock).begin().now().session
        for number in 1...50 { _ = try step.inject(.push(number)).now() }
        #expect(entries == (try step.entries(after: 0, limit: 100).now().entries))
        #expect(try session.inject(.push(51)).now().version == 51)
    }

    @Test(arguments: [0, 1, 40]) func ifAnEventIsRefusedNothingIsCreated(index: Int) throws {
        let registry = registry()
        var events = (0..<50).map(push)
        events[index] = EventRequest(name: "test.push", payload: .object([]), at: nil)
        for first in [nil, EventInjection.push(1)] {
            let error = #expect(throws: SessionError.self) {
                try registry.begin(with: first, events: events, key: "order").now()
            }
            guard case .eventRefused(at: index, .invalidPayload) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        events[index] = EventRequest(name: "test.fail", payload: .object([]), at: nil)
        let error = #expect(throws: SessionError.self) { try registry.begin(events: events).now() }
        let isFailure = if case .eventRefused(at: index, .appFailed) = error { true } else { false }
        #expect(isFailure)
        #expect(throws: SessionError.self) { try registry.begin(with: .make("test.fail"), events: [push(1)]).now() }
        #expect(registry.count == 0)
        #expect(app.lives.living == 0)
        #expect(registry.host.budget.bytes(of: .replays) == 0)
        #expect(try registry.getOrBegin(key: "order", events: [push(1)]).now().isNew)
    }

    @Test func workThatIsStillPendingBeginsAfterTheCreation() async throws {
        let shop = Workshop()
        let events = [
            EventRequest(name: "work.ask", payload: .object([PlainField("name", .string("pay"))]), at: nil),
            EventRequest(name: "work.ask", payload: .object([PlainField("name", .string("ship"))]), at: nil),
            EventRequest(name: "work.cancel", payload: .object([PlainField("name", .string("pay"))]), at: nil),
            EventRequest(name: "work.setTimer", payload: .object([PlainField("seconds", .int(10))]), at: nil),
            EventRequest(name: "work.login", payload: .object([PlainField("password", .string("hunter2"))]), at: nil),
        ]
        let session = try shop.registry.begin(events: events).now().session
        #expect(Set([await shop.world.call(0).name, await shop.world.call(1).name]) == ["ship", "login"])
        #expect(shop.world.calls.count == 2)
        #expect(try session.journal.last?.payload == .object([]))
        shop.clock.advance(by: 11)
        shop.registry.sweep()
        #expect(try session.summary().now().head.version == 6)
    }
}
